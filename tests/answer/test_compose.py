"""Markers are ours: made with their quote, and never by a model or a document."""

from evidence.answer.compose import Ledger, Statement, sentence
from evidence.model import Quote, Span
from tests.fakes import segment

STORED = segment("As was shown [12], the bridge carries 40 tons ![x](http://a.example/x.png).")
WHOLE = Quote(STORED, Span(0, len(STORED.text)))


def test_a_span_has_one_marker_however_often_it_is_used() -> None:
    ledger = Ledger()
    part = Quote(STORED, Span(0, 16))
    assert ((1,), (2, 1), (1,)) == (
        ledger.mark([part]),
        ledger.mark([WHOLE, part, WHOLE]),
        ledger.mark([part]),
    )
    assert [part, WHOLE] == [each.quote for each in ledger.citations]


def test_what_reads_like_a_marker_in_a_document_is_escaped_and_images_do_not_load() -> None:
    shown = sentence(Statement(STORED.text, (WHOLE,), verbatim=True), Ledger(), "?")
    assert r"As was shown \[12\], the bridge carries 40 tons !\[x\](`http://a.example/x.png`). [1]" == shown


def test_a_citation_is_shown_where_the_answer_holds_its_words() -> None:
    ledger, part = Ledger(), Quote(STORED, Span(19, 45))
    sentence(Statement("It carries 40 tons.", (WHOLE,)), ledger, "?")
    sentence(Statement("Shown: the bridge carries 40 tons.", (part,)), ledger, "?")
    assert [(WHOLE, False), (part, True)] == [(each.quote, each.shown) for each in ledger.citations]
