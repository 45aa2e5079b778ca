"""Which documents a question means: the named one first, a missing one said, never a neighbour instead."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from evidence.context import Context
from evidence.discover.documents import DiscoverOptions, discover, reordered
from evidence.errors import KnowledgeUnavailable, ModelUnavailable
from evidence.limits import Limits
from evidence.model import Condition, MetadataFilter, Question, RankedDataset, Route, Shortlist
from evidence.understand.question import understand
from tests.fakes import FakeKnowledge, FakeReranker, degraded, holding, metered

LEASES = holding(
    "Leases",
    {
        "Harbour Lease.txt": [
            "Lease between Ada Byron and the port.",
            "The rent is ten.",
            "Notice: one month.",
        ],
        "Mountain Lease.txt": ["Lease between Cid Campeador and a hut.", "The rent is twelve.", "No notice."],
        "ValleyLease-v2.txt": ["Lease of the valley farm.", "The rent is a goat.", "Notice: two weeks."],
        "Forest%20Licence.txt": ["Licence to fell trees.", "The fee is nine.", "Notice: a year."],
        "Staff Rules.txt": ["Rules for everybody who works here.", "Dogs stay at home.", "Lunch is at noon."],
    },
    metadata={"Harbour Lease.txt": {"year": 2024}, "Mountain Lease.txt": {"year": 2020}},
)
CHINESE = holding(
    "租约",
    {
        "港口租约.txt": ["港口租约，甲方为船务公司。", "租金每月十元。", "通知期为一个月。"],
        "山地租约.txt": ["山地租约，甲方为木屋。", "租金每月十二元。", "没有通知期。"],
        "员工手册.txt": ["员工手册。", "狗留在家里。"],
    },
)
JAPANESE = holding(
    "契約",
    {
        "港湾賃貸借契約.txt": ["港湾賃貸借契約書。", "賃料は月額十円とする。"],
        "山荘賃貸借契約.txt": ["山荘賃貸借契約書。", "賃料は月額十二円とする。"],
        "就業規則.txt": ["就業規則。", "昼食は正午とする。"],
    },
)
OPTIONS = DiscoverOptions()


def _found(question: Question, ctx: Context, *datasets: Any) -> Shortlist:
    chosen = Route(tuple(RankedDataset(dataset, 1.0) for dataset in datasets))
    return discover(question, understand(question), chosen, OPTIONS, ctx)[0]


def _shortlist(text: str, knowledge: FakeKnowledge | None = None, **fixed: Any) -> Shortlist:
    knowledge = knowledge or FakeKnowledge(LEASES)
    return _found(Question(text, **fixed), metered(knowledge), *knowledge.listed)


def _names(shortlist: Shortlist) -> list[str]:
    return [entry.document.name for entry in shortlist.documents]


def _filter(name: str, operator: str, value: float) -> MetadataFilter:
    return MetadataFilter((Condition(name, operator, value),))


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("In the Harbour Lease, how long is the notice period?", "Harbour Lease.txt"),
        ("What is the rent in the Mountain Lease?", "Mountain Lease.txt"),
        ("What is the Mountain Lease's rent?", "Mountain Lease.txt"),
        ("Consider ValleyLease-v2.txt; what is the rent?", "ValleyLease-v2.txt"),
        ("What fee does the forest licence ask for?", "Forest%20Licence.txt"),
        ("rent harbor lease", "Harbour Lease.txt"),
        ("What does the lease with Ada Byron say of notice?", "Harbour Lease.txt"),
        ("When is lunch?", "Staff Rules.txt"),
    ],
)
def test_the_document_that_is_meant_comes_first(question: str, first: str) -> None:
    shortlist = _shortlist(question)
    assert first == _names(shortlist)[0]
    assert ("found", ()) == (shortlist.verdict, shortlist.missing)


@pytest.mark.parametrize(
    ("held", "question", "first"),
    [
        (CHINESE, "《港口租约》的租金是多少？", "港口租约.txt"),
        (CHINESE, "山地租约中规定的租金是多少？", "山地租约.txt"),
        (CHINESE, "狗可以来吗？", "员工手册.txt"),
        (JAPANESE, "港湾賃貸借契約の賃料はいくらですか？", "港湾賃貸借契約.txt"),
        (JAPANESE, "昼食は何時ですか？", "就業規則.txt"),
    ],
)
def test_chinese_and_japanese_names_are_found(held: Any, question: str, first: str) -> None:
    assert first == _names(_shortlist(question, FakeKnowledge(held)))[0]


def test_scores_are_shares_that_descend_and_are_the_sum_of_what_is_said() -> None:
    shortlist = _shortlist("In the Harbour Lease, how long is the notice period?")
    scores = [entry.score for entry in shortlist.documents]
    assert 1.0 == scores[0]
    assert sorted(scores, reverse=True) == scores
    assert all(0 < score <= 1 for score in scores)
    for entry in shortlist.documents:
        told = sum(float(part.rsplit(" ", 1)[1]) for part in entry.why)
        assert pytest.approx(entry.score, abs=0.04) == told
    assert shortlist.documents[0].why[0].startswith("name: ")


def test_how_surely_a_document_is_named_is_said() -> None:
    named, unnamed = _shortlist("rent in the Harbour Lease"), _shortlist("When is lunch?")
    assert 0 == unnamed.named < named.named <= 1


def test_two_named_documents_stand_in_turn_each_for_its_subject() -> None:
    shortlist = _shortlist("Compare the rent in the Harbour Lease and the Mountain Lease.")
    assert ["Harbour Lease.txt", "Mountain Lease.txt"] == _names(shortlist)[:2]
    assert [0, 1] == [entry.subject for entry in shortlist.documents[:2]]
    assert len(set(_names(shortlist))) == len(_names(shortlist))


@pytest.mark.parametrize(
    "question",
    [
        "In the Zanzibar Charter, how long is the notice period?",
        "What is the rent in the Zanzibar Lease?",
        "What is the Zanzibar Lease's rent?",
    ],
)
def test_a_named_document_that_does_not_exist_is_missing_and_no_neighbour_is_taken(question: str) -> None:
    shortlist = _shortlist(question)
    assert "nothing_fits" == shortlist.verdict
    assert 1 == len(shortlist.missing)
    assert "Zanzibar" in shortlist.missing[0]


@pytest.mark.parametrize(
    "question",
    [
        "What is the rent in ValleyLease-v3.txt?",
        "What is the rent in the zanzibar charter?",
        "what does the employment agreement say of rent?",
    ],
)
def test_another_version_and_a_name_in_small_letters_are_missing_too(question: str) -> None:
    assert "nothing_fits" == _shortlist(question).verdict


def test_a_missing_chinese_document_is_missing() -> None:
    shortlist = _shortlist("《龙王协议》的租金是多少？", FakeKnowledge(CHINESE))
    assert (("龙王协议",), "nothing_fits") == (shortlist.missing, shortlist.verdict)


def test_of_two_named_documents_the_missing_one_is_said_and_not_replaced_by_a_neighbour() -> None:
    shortlist = _shortlist("Compare the rent in the Harbour Lease and the Zanzibar Lease.")
    assert ("found", ("Zanzibar Lease",)) == (shortlist.verdict, shortlist.missing)
    assert "Harbour Lease.txt" == _names(shortlist)[0]
    assert {0} == {entry.subject for entry in shortlist.documents}


def test_a_pin_leaves_that_document_alone() -> None:
    assert ["Staff Rules.txt"] == _names(_shortlist("What is the rent?", documents=("staff rules",)))


def test_a_pinned_document_is_read_even_when_it_shares_no_word_with_the_question() -> None:
    shortlist = _shortlist("Please summarise.", documents=("Staff Rules.txt",))
    assert (["Staff Rules.txt"], "found") == (_names(shortlist), shortlist.verdict)


def test_a_pin_that_names_nothing_is_missing() -> None:
    shortlist = _shortlist("What is the rent?", documents=("Zanzibar Lease",))
    assert ((), ("Zanzibar Lease",), "nothing_fits") == (
        shortlist.documents,
        shortlist.missing,
        shortlist.verdict,
    )


def test_of_two_pins_the_one_that_exists_is_searched() -> None:
    shortlist = _shortlist("What is the rent?", documents=("Harbour Lease.txt", "Zanzibar Charter"))
    assert (["Harbour Lease.txt"], ("Zanzibar Charter",), "found") == (
        _names(shortlist),
        shortlist.missing,
        shortlist.verdict,
    )


def test_an_excluded_document_is_not_found() -> None:
    names = _names(_shortlist("What is the rent in the Harbour Lease?", documents=("!Harbour Lease.txt",)))
    assert "Harbour Lease.txt" not in names


@pytest.mark.parametrize("pin", ["Zephyr_Lease-2.txt", "zephyr lease 2", "Zephyr Lease 2"])
def test_pins_in_a_large_dataset_are_looked_up_by_name(pin: str) -> None:
    texts = {f"Note {number}.txt": [f"Note {number}."] for number in range(650)}
    held = holding("Large", {**texts, "Zephyr_Lease-2.txt": ["Each month, in gold."]})
    shortlist = _shortlist("Who ought to pay?", FakeKnowledge(held), documents=(pin,))
    assert (["Zephyr_Lease-2.txt"], ()) == (_names(shortlist), shortlist.missing)


def test_a_name_that_may_stand_in_an_unread_document_is_not_said_to_be_missing() -> None:
    texts = {f"Contract {number}.txt": [f"Between party {number} and us."] for number in range(60)}
    held = holding(
        "Contracts", {**texts, "Contract 99.txt": ["Between Ada Byron and us.", "The rent is ten."]}
    )
    knowledge = FakeKnowledge(held, failing={("retrieve",): KnowledgeUnavailable("down")})
    shortlist = _shortlist("What is the rent in the contract with Ada Byron?", knowledge)
    assert ("found", ()) == (shortlist.verdict, shortlist.missing)


@pytest.mark.parametrize("drops", [False, True])
def test_a_metadata_filter_is_applied_whether_or_not_the_server_applies_it(drops: bool) -> None:
    held = (replace(LEASES[0], technique="high_quality"), LEASES[1])
    knowledge = FakeKnowledge(held, drops_filter=drops)
    ctx = metered(knowledge)
    question = Question("What is the rent?", metadata_filter=_filter("year", "≥", 2024))
    shortlist = _found(question, ctx, held[0])
    assert ["Harbour Lease.txt"] == _names(shortlist)
    assert drops == bool(degraded(ctx))


def test_a_filter_that_nothing_passes_finds_nothing() -> None:
    shortlist = _shortlist("What is the rent?", metadata_filter=_filter("year", "=", 1900))
    assert ((), "nothing_fits") == (shortlist.documents, shortlist.verdict)


def test_documents_of_one_name_stay_two() -> None:
    texts = {
        "Lease.txt#1": ["The rent is ten."],
        "Lease.txt#2": ["The rent is twelve."],
        "Rules.txt": ["Dogs."],
    }
    shortlist = _shortlist("What is the rent in Lease.txt?", FakeKnowledge(holding("Leases", texts)))
    assert ["Lease.txt", "Lease.txt"] == _names(shortlist)[:2]
    assert 2 == len({entry.document.document_id for entry in shortlist.documents[:2]})


def test_at_most_eight_documents_are_shortlisted() -> None:
    texts = {f"Lease {number}.txt": ["The rent is ten."] for number in range(30)}
    assert 8 == len(_shortlist("What is the rent?", FakeKnowledge(holding("Leases", texts))).documents)


def test_no_documents_fit_nothing() -> None:
    assert Shortlist((), verdict="nothing_fits") == _shortlist("What?", FakeKnowledge(holding("Empty", {})))


def _calls(knowledge: FakeKnowledge, texts: Sequence[str]) -> list[int]:
    counts: list[int] = []
    cache = None
    for text in texts:
        ctx = metered(knowledge, cache=cache)
        cache = ctx.cache
        _found(Question(text), ctx, *knowledge.listed)
        counts.append(ctx.meter.spent()["knowledge_calls"])
    return counts


def test_a_cold_question_of_a_hundred_documents_makes_at_most_14_calls() -> None:
    texts = {f"Lease {number}.txt": [f"The rent is {number}."] for number in range(100)}
    knowledge = FakeKnowledge(holding("Leases", texts))
    assert _calls(knowledge, ["What is the rent in Lease 7?"])[0] <= 14


def test_a_second_question_about_the_same_documents_makes_at_most_two_calls() -> None:
    first, second = _calls(
        FakeKnowledge(LEASES), ["rent in the Harbour Lease?", "notice in the Mountain Lease?"]
    )
    assert first > second
    assert second <= 2


def test_a_run_with_few_calls_left_reads_fewer_documents_and_answers() -> None:
    texts = {f"Lease {number}.txt": [f"The rent is {number}."] for number in range(60)}
    held = holding("Leases", texts)
    ctx = metered(FakeKnowledge(held), limits=Limits(knowledge_calls=5))
    assert "Lease 7.txt" == _names(_found(Question("What is the rent in Lease 7?"), ctx, held[0]))[0]


def test_a_long_document_does_not_spend_the_calls_of_the_others_beyond_the_limit() -> None:
    long = [f"Rent of year {number}: ten." for number in range(1_200)]
    texts = {"Rent Book.txt": long, **{f"Lease {number}.txt": ["The rent is ten."] for number in range(30)}}
    held = holding("Leases", texts)
    ctx = metered(FakeKnowledge(held), limits=Limits(knowledge_calls=8))
    assert "Rent Book.txt" == _names(_found(Question("rent book: what was the rent?"), ctx, held[0]))[0]


def test_every_segment_of_a_named_document_is_read() -> None:
    texts = {"Logbook.txt": [f"Entry {number}." for number in range(150)], "Rules.txt": ["Dogs."]}
    held = holding("Logs", texts)
    question = Question("What does the Logbook say of entry 149?")
    chosen = Route((RankedDataset(held[0], 1.0),))
    candidates = discover(question, understand(question), chosen, OPTIONS, metered(FakeKnowledge(held)))[1]
    assert 150 == len([s for s in candidates.collection.segments if s.document.name == "Logbook.txt"])


VERSIONS = holding(
    "Halden",
    {
        "Halden_Service_v1_2023-03-01.md": ["Service by Halden.", "The fee is ten coins a month."],
        "Halden_Service_v2_2025-03-01.md": ["Service by Halden.", "The fee is twelve coins a month."],
        "Staff Rules.txt": ["Rules for everybody who works here.", "Dogs stay at home."],
    },
)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What is the fee in the Halden service agreement?", "Halden_Service_v2_2025-03-01.md"),
        ("What is the fee in version 1 of the Halden service agreement?", "Halden_Service_v1_2023-03-01.md"),
        ("What was the fee of the Halden service agreement of 2023?", "Halden_Service_v1_2023-03-01.md"),
        ("What is the fee in the latest Halden service agreement?", "Halden_Service_v2_2025-03-01.md"),
    ],
)
def test_of_versions_the_one_that_is_asked_for_comes_first_else_the_newest(question: str, first: str) -> None:
    shortlist = _shortlist(question, FakeKnowledge(VERSIONS))
    assert first == _names(shortlist)[0]
    assert {
        "Halden_Service_v1_2023-03-01.md": "older version of Halden_Service_v2_2025-03-01.md",
        "Halden_Service_v2_2025-03-01.md": "newest of 2 versions",
    } == {entry.document.name: entry.why[-1] for entry in shortlist.documents[:2]}
    scores = [entry.score for entry in shortlist.documents]
    assert sorted(scores, reverse=True) == scores


DOWN = KnowledgeUnavailable("down")


def test_where_no_document_can_be_read_the_servers_failure_is_raised_not_an_empty_answer() -> None:
    knowledge = FakeKnowledge(LEASES, failing=dict.fromkeys([("segments",), ("retrieve",)], DOWN))
    with pytest.raises(KnowledgeUnavailable, match="down"):
        _shortlist("What is the rent in the Harbour Lease?", knowledge)


def test_a_reranker_orders_the_documents_and_the_scores_stay_with_the_places() -> None:
    question = Question("Which notice is given?")
    ctx = replace(metered(FakeKnowledge(LEASES)), reranker=Favouring("Notice: two weeks."))
    route = Route((RankedDataset(LEASES[0], 1.0),))
    before, candidates = discover(question, understand(question), route, OPTIONS, ctx)
    after = reordered(understand(question), before, candidates, ctx)
    names = [[each.document.name for each in found.documents] for found in (before, after)]
    assert 1 == names[1].index("ValleyLease-v2.txt") < names[0].index("ValleyLease-v2.txt")
    assert "rerank: 1" in after.documents[1].why
    assert [each.score for each in before.documents] == [each.score for each in after.documents]
    assert {each.document for each in before.documents} == {each.document for each in after.documents}


def test_without_a_reranker_or_with_one_that_fails_the_documents_keep_their_order() -> None:
    question = Question("Which notice is given?")
    failing = FakeReranker(ModelUnavailable("it is down"))
    ctx = replace(metered(FakeKnowledge(LEASES)), reranker=failing)
    route = Route((RankedDataset(LEASES[0], 1.0),))
    found, candidates = discover(question, understand(question), route, OPTIONS, ctx)
    assert found == reordered(understand(question), found, candidates, ctx)
    assert ("rerank: it is down; the order stays without it",) == degraded(ctx)
    assert found == reordered(understand(question), found, candidates, replace(ctx, reranker=None))


class Favouring:
    """A reranker to which one text is worth more than all others."""

    def __init__(self, words: str) -> None:
        self._words = words

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        return [float(self._words in text) for text in texts]
