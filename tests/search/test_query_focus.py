"""What is left of a question without the words that name documents: never nothing, and never the name."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.index.names import name_terms, unpack
from evidence.language.terms import terms
from evidence.search.query_focus import NameEvidence, topic_of

NAMES = ("HarbourLease-AcmeCorp.pdf", "Mountain Lease.pdf", "港口租约.pdf", "港湾賃貸借契約.pdf")
COMMON = frozenset({"leas"})


def _evidence(*names: str) -> NameEvidence:
    named = frozenset(term for name in names for term in name_terms(name)) - COMMON
    every = frozenset(term for name in NAMES for term in name_terms(name))
    return NameEvidence(
        [unpack(name) for name in names], named.__contains__, {"ada"}.__contains__, every.__contains__
    )


HARBOUR = _evidence(NAMES[0])


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("In the Harbour Lease with Acme Corp, how long is the notice period?", {"notic", "period", "long"}),
        ("Consider HarbourLease-AcmeCorp.pdf; how long is the notice period?", {"notic", "period", "long"}),
        ("How long is the notice period of the Harbour Lease?", {"notic", "period", "long"}),
        ("What is the Harbour Lease's notice period?", {"notic", "period"}),
        ("Which notice period did Acme Corp. and the harbour agree on?", {"notic", "period", "agre"}),
        ("According to Ada's Harbour Lease: may the notice period be cut?", {"notic", "period", "cut"}),
        ("notice period harbour", {"notic", "period"}),
    ],
)
def test_the_topic_keeps_what_is_asked_and_drops_the_name(question: str, left: set[str]) -> None:
    found = set(terms(topic_of(question, HARBOUR)))
    assert left <= found
    assert not found & {"harbour", "acm", "corp", "harbourleas", "acmecorp"}


def test_both_names_of_two_documents_are_dropped() -> None:
    evidence = _evidence(NAMES[0], NAMES[1])
    found = set(terms(topic_of("Compare the rent in the Harbour Lease and in the Mountain Lease.", evidence)))
    assert {"compar", "rent"} <= found
    assert not found & {"harbour", "mountain"}


@pytest.mark.parametrize(
    ("question", "name", "topic"),
    [
        ("《港口租约》的通知期是多久？", NAMES[2], "通知期是多久"),
        ("港口租约中规定的通知期是多久？", NAMES[2], "通知期是多久"),
        ("港湾賃貸借契約の解約予告期間は何日ですか？", NAMES[3], "解約予告期間は何日ですか"),
        ("解約予告期間は、港湾賃貸借契約では何日ですか？", NAMES[3], "何日ですか"),
    ],
)
def test_chinese_and_japanese_names_are_dropped(question: str, name: str, topic: str) -> None:
    found = topic_of(question, _evidence(name))
    assert topic in found
    assert unpack(name) not in found


def test_a_word_that_the_name_and_what_is_asked_share_stays_in_what_is_asked() -> None:
    found = topic_of("华信保密协议的保密期限是多久？", _evidence("华信保密协议.pdf"))
    assert "保密期限" in found


def test_a_question_that_is_all_name_stays_whole() -> None:
    assert "Harbour Lease, Acme Corp" == topic_of("Harbour Lease, Acme Corp", HARBOUR)


def test_a_question_that_names_nothing_stays_as_it_is() -> None:
    assert "Who  may sublet?" == topic_of("Who  may sublet?", HARBOUR)


def test_a_sentence_break_ends_a_naming_phrase() -> None:
    found = topic_of("Harbour: Lease terms of the tenant?", HARBOUR)
    assert {"leas", "term", "tenant"} <= set(terms(found))


@given(
    st.lists(st.sampled_from(["Harbour", "Lease", "of", "the", "rent", "?", "港口租约", "的", "'s", "Acme"]))
)
def test_the_topic_of_any_question_is_never_empty_unless_the_question_is(words: list[str]) -> None:
    question = " ".join(words)
    assert bool(topic_of(question, _evidence(*NAMES[:3])).strip()) == bool(question.strip())


@given(st.text(max_size=80))
def test_any_text_has_a_topic(text: str) -> None:
    found = topic_of(text, HARBOUR)
    assert bool(found.strip()) == bool(text.strip())
    assert set(found) <= {*text, " "}


def test_a_long_run_of_naming_words_is_cut_whole() -> None:
    evidence = NameEvidence(("1",), lambda term: term == "1", lambda _: False, lambda _: False)
    assert "what is due?" == topic_of("1 and " * 2_000 + "what is due?", evidence)


@pytest.mark.parametrize(
    "question",
    ["How many days may I work from abroad?", "Who must work on Sundays?", "Can they work at night?"],
)
def test_what_somebody_does_is_no_name_even_where_a_document_is_named_so(question: str) -> None:
    assert question == topic_of(question, _evidence("remote_work_policy.md"))


def test_a_party_in_lower_case_after_a_modal_is_still_a_name() -> None:
    evidence = replace(_evidence("acme_lease.txt"), proper=lambda term: term == "acm")
    assert "acme" not in topic_of("can acme terminate the lease early?", evidence)
