"""Markers are ours: made with their quote, and never by a model or a document."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.answers.composing import Ledger, Statement, plain, safe, sentence
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
    assert r"As was shown \[12\], the bridge carries 40 tons !\[x\](http://a.example/x.png). [1]" == shown


@given(st.text(alphabet="ab [](){}!1290^,;pP【】\n\\", max_size=60))
def test_no_sentence_of_a_model_keeps_a_marker(written: str) -> None:
    assert None is re.search(r"(?<!\\)\[\d+\]", safe(plain(written)))


@pytest.mark.parametrize(
    "written",
    [
        "Open [[a](b)c](http://a.example/) now.",
        "See ![1][[a](b)c](http://a.example/x.png).",
        'See <img src="http://a.example/x.png"> here.',
        "See <<b>img src=x> here.",
        r"See [a\]b](http://a.example/).",
    ],
)
def test_no_link_image_or_tag_of_a_model_survives_however_it_is_nested(written: str) -> None:
    assert None is re.search(r"\]\(|!\[|<\w", plain(written))


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ("a <b>word</b>", r"a \<b>word\</b>"),
        ("a [link](http://a.example)", r"a [link\](http://a.example)"),
        ("![x](y)", r"!\[x\](y)"),
        ("[x]: http://a.example", r"[x\]: http://a.example"),
        ("2 < 3 and [sic]", "2 < 3 and [sic]"),
    ],
)
def test_the_words_of_a_document_render_nothing_and_are_escaped_once(stored: str, expected: str) -> None:
    assert expected == safe(stored)
    assert expected == safe(safe(stored))
