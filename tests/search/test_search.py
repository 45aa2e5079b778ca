"""Which passages answer: fused, ranked, with their provenance, and bounded aloud."""

from dataclasses import replace
from typing import Any

import pytest

from evidence.context import Context
from evidence.discover.documents import DiscoverOptions, discover
from evidence.errors import ModelUnavailable, RateLimited
from evidence.limits import CallBudget, Limits
from evidence.model import Pool, Query, QueryPlan, Question, RankedDataset, Route
from evidence.search.boost import BoostOptions, plan_queries
from evidence.search.passages import SearchOptions, search
from evidence.search.sections import SectionMap
from evidence.understand.question import understand
from tests.fakes import FakeKnowledge, FakeReranker, Holding, degraded, holding, metered

CLAUSES = ("Notice: {} months before the end.", "Dogs stay outside.", "Rent: {} coins on the first day.")
LEASES = holding(
    "Leases",
    {
        f"{name} Lease.txt": [f"Lease of the {name} house.", *(each.format(number) for each in CLAUSES)]
        for number, name in enumerate(("Harbour", "Mountain", "Valley", "Forest", "Island"), 1)
    },
    technique="high_quality",
)
GENEROUS = CallBudget(few_reads=9)
ASKED = "In the Harbour Lease, how long before the end is notice given?"


def _run(
    text: str,
    ctx: Context | None = None,
    held: Holding = LEASES,
    options: SearchOptions | None = None,
) -> Pool:
    ctx = replace(ctx or metered(FakeKnowledge(held)), budget=GENEROUS)
    question = Question(text)
    understanding = understand(question)
    chosen = Route((RankedDataset(held[0], 1.0),))
    shortlist, candidates = discover(question, understanding, chosen, DiscoverOptions(), ctx)
    plan = plan_queries(understanding, shortlist, {}, BoostOptions(), ctx)
    return search(understanding, plan, shortlist, candidates, options or SearchOptions(), ctx)


def _texts(pool: Pool) -> list[str]:
    return [passage.segment.text for passage in pool.passages]


def _names(pool: Pool) -> list[str]:
    return [passage.segment.document.name for passage in pool.passages]


def test_the_passage_that_answers_comes_first() -> None:
    first = _run(ASKED).passages[0]
    assert ("Harbour Lease.txt", "Notice: 1 months before the end.") == (
        first.segment.document.name,
        first.segment.text,
    )


def test_ranks_count_from_one_and_scores_are_shares_that_descend() -> None:
    pool = _run(ASKED)
    assert list(range(1, 9)) == [passage.rank for passage in pool.passages]
    scores = [passage.score for passage in pool.passages]
    assert sorted(scores, reverse=True) == scores
    assert all(0 <= score <= 1 for score in scores)


def test_no_passage_stands_twice() -> None:
    ids = [passage.segment.segment_id for passage in _run(ASKED, options=SearchOptions(top_k=50)).passages]
    assert len(set(ids)) == len(ids) == 20


def test_every_passage_that_some_list_found_says_which_and_at_what_rank() -> None:
    pool = _run(ASKED)
    best = pool.passages[0]
    assert {"local", "semantic"} == {reason.signal for reason in best.why}
    assert 1 == min(reason.rank for reason in best.why)
    assert all(reason.query and reason.rank >= 1 for each in pool.passages for reason in each.why)
    assert all(each.why for each in pool.passages if "otice" in each.segment.text)


def test_a_reason_names_the_query_that_was_asked() -> None:
    pool = _run(ASKED)
    asked = {query.text for query in pool.queries} | {ASKED, "Harbour Lease"}
    assert {reason.query for each in pool.passages for reason in each.why} <= asked


def test_the_topic_stands_first_among_the_queries_and_holds_no_name() -> None:
    first = _run(ASKED).queries[0]
    assert "topic" == first.origin
    assert "Harbour" not in first.text
    assert "notice" in first.text


def test_so_many_passages_are_given_as_were_asked_for() -> None:
    assert 3 == len(_run(ASKED, options=SearchOptions(top_k=3)).passages)


def test_comparing_takes_passages_of_each_document_in_turn() -> None:
    pool = _run("Compare the rent in the Harbour Lease and the Mountain Lease.")
    assert ["Harbour Lease.txt", "Mountain Lease.txt"] == _names(pool)[:2]
    assert ["Rent: 1 coins on the first day.", "Rent: 2 coins on the first day."] == _texts(pool)[:2]
    assert 4 == sum(name == "Harbour Lease.txt" for name in _names(pool)[:8:2])


def test_within_one_subject_scores_descend_when_documents_are_compared() -> None:
    pool = _run("Compare the rent in the Harbour Lease and the Mountain Lease.")
    for side in (pool.passages[::2], pool.passages[1::2]):
        scores = [passage.score for passage in side]
        assert sorted(scores, reverse=True) == scores


def test_what_was_read_and_what_is_held_is_counted() -> None:
    pool = _run("What is the rent in the Harbour Lease?")
    assert (20, 20, 5) == (pool.read, pool.total, pool.documents)


def test_of_a_long_document_the_pool_says_that_it_was_read_in_part() -> None:
    held = holding("Logs", {"Logbook.txt": [f"Entry {number} of the log." for number in range(2_500)]})
    pool = _run("What does the Logbook say of entry 7?", held=held)
    assert 2_500 == pool.total
    assert 0 < pool.read < pool.total


def test_nothing_to_search_is_an_empty_pool_that_keeps_its_queries() -> None:
    held = holding("Empty", {"Blank.txt": []})
    pool = _run("What is the rent?", held=held)
    assert ((), 0) == (pool.passages, pool.read)
    assert pool.queries


def test_a_reranker_is_fused_and_called_once() -> None:
    reranker = FakeReranker()
    _run(ASKED, metered(FakeKnowledge(LEASES), reranker=reranker))
    ((query, texts),) = reranker.calls
    assert (ASKED, True) == (query, 2 <= texts <= 30)


class Contrary:
    """Scores the last text highest."""

    def scores(self, query: str, texts: Any) -> list[float]:
        return [float(at) for at in range(len(texts))]


def test_a_rerankers_order_is_not_believed_alone() -> None:
    plain, fused = _run(ASKED), _run(ASKED, metered(FakeKnowledge(LEASES), reranker=Contrary()))
    assert _texts(plain) != _texts(fused)
    options = SearchOptions(top_k=20)
    last = _run(ASKED, options=options).passages[-1].segment
    best = (
        _run(ASKED, metered(FakeKnowledge(LEASES), reranker=Contrary()), options=options).passages[0].segment
    )
    assert best in {last, plain.passages[0].segment}


def test_reranked_passages_still_have_scores_that_descend_with_their_rank() -> None:
    pool = _run(ASKED, metered(FakeKnowledge(LEASES), reranker=Contrary()))
    scores = [passage.score for passage in pool.passages]
    assert sorted(scores, reverse=True) == scores


def test_a_reranked_passage_says_its_rank_with_the_reranker() -> None:
    pool = _run(ASKED, metered(FakeKnowledge(LEASES), reranker=FakeReranker()))
    assert "rerank" in {reason.signal for each in pool.passages for reason in each.why}


def test_reranking_keeps_both_sides_of_a_comparison() -> None:
    class OneSided:
        def scores(self, query: str, texts: Any) -> list[float]:
            return [float("1" in text or "Harbour" in text) for text in texts]

    text = "Compare the rent in the Harbour Lease and the Mountain Lease."
    pool = _run(text, metered(FakeKnowledge(LEASES), reranker=OneSided()))
    assert "Rent: 2 coins on the first day." in _texts(pool)[:4]


def test_a_failing_reranker_costs_one_line_and_nothing_else() -> None:
    ctx = metered(FakeKnowledge(LEASES), reranker=FakeReranker(ModelUnavailable("down")))
    assert _texts(_run(ASKED)) == _texts(_run(ASKED, ctx))
    assert ("rerank: down; the order stays without it",) == degraded(ctx)


def test_a_reranker_that_was_not_granted_costs_one_line_and_nothing_else() -> None:
    ctx = metered(FakeKnowledge(LEASES), reranker=FakeReranker(), limits=Limits(rerank_calls=0))
    assert _texts(_run(ASKED)) == _texts(_run(ASKED, ctx))
    assert 1 == len(degraded(ctx))


def test_a_question_for_all_of_something_is_not_reranked() -> None:
    reranker = FakeReranker()
    _run("List all rents in the leases.", metered(FakeKnowledge(LEASES), reranker=reranker))
    assert [] == reranker.calls


def test_a_server_that_cannot_rank_costs_no_passage() -> None:
    ctx = metered(FakeKnowledge(LEASES, failing={("retrieve",): RateLimited("slow down")}))
    assert "Notice: 1 months before the end." == _texts(_run(ASKED, ctx))[0]
    assert ("discover: Leases could not be searched (slow down)",) == degraded(ctx)


def test_another_order_of_the_variants_changes_no_order_of_passages() -> None:
    ctx = metered(FakeKnowledge(LEASES))
    question = Question(ASKED)
    understanding = understand(question)
    chosen = Route((RankedDataset(LEASES[0], 1.0),))
    shortlist, candidates = discover(question, understanding, chosen, DiscoverOptions(), ctx)
    queries = (
        Query("months of notice", "hypothetical_answer"),
        Query("first day", "facet"),
        Query("dogs", "rewrite"),
    )

    def passages(*order: Query) -> list[str]:
        pool = search(understanding, QueryPlan(order), shortlist, candidates, SearchOptions(top_k=20), ctx)
        return _texts(pool)

    assert passages(*queries) == passages(*queries[::-1])


def test_words_for_one_document_lift_passages_of_that_document_only() -> None:
    ctx = metered(FakeKnowledge(LEASES))
    question = Question("What is forbidden in the house?")
    understanding = understand(question)
    chosen = Route((RankedDataset(LEASES[0], 1.0),))
    shortlist, candidates = discover(question, understanding, chosen, DiscoverOptions(), ctx)
    valley = "Leases/Valley Lease.txt"
    plan = QueryPlan((), {valley: ("dogs",), "unknown": ("cats",)})
    pool = search(understanding, plan, shortlist, candidates, SearchOptions(top_k=20), ctx)
    dogs = [each for each in pool.passages if any(reason.query == "dogs" for reason in each.why)]
    assert [(valley, "Dogs stay outside.")] == [
        (each.segment.document.document_id, each.segment.text) for each in dogs
    ]


def test_a_models_topic_is_searched_as_it_is() -> None:
    ctx = metered(FakeKnowledge(LEASES))
    question = Question(ASKED)
    understanding = replace(understand(question), core="rent of the first day")
    chosen = Route((RankedDataset(LEASES[0], 1.0),))
    shortlist, candidates = discover(question, understanding, chosen, DiscoverOptions(), ctx)
    pool = search(understanding, QueryPlan(()), shortlist, candidates, SearchOptions(), ctx)
    assert Query("rent of the first day", "topic") == pool.queries[0]
    assert "Rent: 1 coins on the first day." == _texts(pool)[0]


def test_a_wording_that_repeats_the_name_of_the_document_does_not_lift_its_title() -> None:
    ctx = replace(metered(FakeKnowledge(LEASES)), budget=GENEROUS)
    question = Question("In the Harbour Lease, where do animals sleep?")
    understanding = understand(question)
    chosen = Route((RankedDataset(LEASES[0], 1.0),))
    shortlist, candidates = discover(question, understanding, chosen, DiscoverOptions(), ctx)
    hypothetical_answer = Query("In the Harbour Lease: dogs outside", "hypothetical_answer", 1.0)
    options = SearchOptions(server=0.0)
    pool = search(understanding, QueryPlan((hypothetical_answer,)), shortlist, candidates, options, ctx)
    assert "Dogs stay outside." == _texts(pool)[0]
    assert not [
        reason
        for passage in pool.passages
        for reason in passage.why
        if passage.segment.text.startswith("Lease of") and reason.query == hypothetical_answer.text
    ]


@pytest.mark.parametrize(
    ("text", "whole"),
    [("Where do dogs stay at the harbour?", True), ("In the Harbour Lease, where do dogs stay?", False)],
)
def test_the_whole_question_is_asked_too_unless_a_phrase_of_it_names_the_document(
    text: str, whole: bool
) -> None:
    pool = _run(text, options=SearchOptions(server=0.0))
    asked = {reason.query for each in pool.passages for reason in each.why if reason.signal == "local"}
    assert whole == (text in asked)


def test_text_is_verbatim() -> None:
    stored = {segment.segment_id: segment for segments in LEASES[1].values() for segment in segments}
    for passage in _run(ASKED).passages:
        assert stored[passage.segment.segment_id].text == passage.segment.text


def test_a_passage_far_beyond_the_page_bound_of_a_long_document_is_found() -> None:
    entries = [f"Entry {number}: calm sea, wind from the west." for number in range(1, 5_001)]
    entries[4_321] = "Entry 4322: a whale damaged the rudder."
    pool = _run("What damaged the rudder in the Logbook?", held=holding("Logs", {"Logbook.txt": entries}))
    assert entries[4_321] == _texts(pool)[0]
    assert (701, 5_000) == (pool.read, pool.total)


def test_the_parts_of_a_passages_score_sum_to_it() -> None:
    for pool in (_run(ASKED), _run(ASKED, metered(FakeKnowledge(LEASES), reranker=Contrary()))):
        for passage in pool.passages:
            assert pytest.approx(passage.score, abs=0.001) == sum(share for _, share in passage.parts)
    assert {"document", "text", "server"} <= {name for name, _ in _run(ASKED).passages[0].parts}


def test_passages_below_the_threshold_are_dropped() -> None:
    scores = [passage.score for passage in _run(ASKED).passages]
    pool = _run(ASKED, options=SearchOptions(threshold=scores[2]))
    assert scores[:3] == [passage.score for passage in pool.passages]
    assert () == pool.more


def test_the_best_passage_is_kept_and_marked_where_all_fall_below_the_threshold() -> None:
    ctx = metered(FakeKnowledge(LEASES))
    pool = _run(ASKED, ctx, options=SearchOptions(threshold=0.999))
    assert ["Notice: 1 months before the end."] == _texts(pool)
    assert ("search: no passage scores 0.999; the best one is kept",) == degraded(ctx)


def test_behind_a_steep_fall_no_passage_is_handed_on_but_of_lists_and_comparisons() -> None:
    adaptive = SearchOptions(adaptive=True)
    assert len(_run(ASKED, options=adaptive).passages) < len(_run(ASKED).passages)
    for asked in (
        "List all rents in the leases.",
        "Compare the rent in the Harbour Lease and the Mountain Lease.",
    ):
        assert 8 == len(_run(asked, options=adaptive).passages)


def test_a_section_that_the_caller_names_is_lifted() -> None:
    held = holding(
        "Deals",
        {
            "Supply.md": [
                "# Supply",
                "## 1. Fees\nTen coins.",
                "## 2. Caps\nA hundred at most.",
                "## 3. Post\nBy mail.",
            ]
        },
    )
    asked = "What damages are owed in the Supply?"
    named = SearchOptions(sections=SectionMap.read("sections: damages -> Caps"))
    assert "## 2. Caps\nA hundred at most." == _texts(_run(asked, held=held, options=named))[0]
    passage = _run(asked, held=held, options=named).passages[0]
    assert "section" in dict(passage.parts)
    assert "Caps" == passage.heading


def test_where_no_document_is_named_a_passage_is_found_in_one_that_is_not_on_the_shortlist() -> None:
    texts = {f"Page {number}.md": [f"Printing page {number} in colour."] for number in range(30)}
    held = holding(
        "Help", {**texts, "Odds.md": ["Ink runs dry.", "Trays jam.", "A jam is cleared in colour."]}
    )
    narrow = DiscoverOptions(most=1)
    ctx = replace(metered(FakeKnowledge(held)), budget=CallBudget(reads=60, few_reads=60))
    question = Question("clear a jam, printing in colour")
    understanding = understand(question)
    shortlist, candidates = discover(
        question, understanding, Route((RankedDataset(held[0], 1.0),)), narrow, ctx
    )
    plan = plan_queries(understanding, shortlist, {}, BoostOptions(), ctx)
    found = search(understanding, plan, shortlist, candidates, SearchOptions(top_k=30), ctx)
    assert 1 == len(shortlist.documents)
    assert {"Odds.md"} < set(_names(found))


def test_a_segment_is_found_by_the_titles_that_it_stands_under() -> None:
    held = holding("Help", {"Manual.md": ["# Manual\n## Scanner", "Press the green key.", "Wait a minute."]})
    found = _run("how do I use the scanner, which key?", held=held)
    assert "Press the green key." in _texts(found)[:2]
