"""The variants of a question and the words for single documents."""

import json

from evidence.errors import ModelUnavailable
from evidence.language.terms import terms
from evidence.model import Document, Query, Question, RankedDocument, Shortlist, Understanding
from evidence.search.boost import BoostOptions, plan_queries, variants
from evidence.understand.question import understand
from tests.fakes import ScriptedLLM, context

FOUND = Shortlist(
    tuple(RankedDocument(Document("ds", f"id-{at}", f"Lease {at}"), 1.0 / at) for at in (1, 2)),
)
OPENINGS = {"id-1": "This lease is made for the house at the harbour. " * 20}
READ = understand(Question("What is the notice period in the Harbour lease?"))
ASKING = BoostOptions(ask_model=True)


def test_each_variant_has_its_weight() -> None:
    read = Understanding(
        "In L, what is the fee?", topic="what is the fee?", hypothetical_answers=("The fee is ten.",)
    )
    assert variants(read, 8) == (
        Query("what is the fee?", "topic", 1.0),
        Query("The fee is ten.", "hypothetical_answer", 0.8),
        Query("In L, what is the fee?", "question", 0.5),
    )


def test_variants_of_the_same_terms_are_asked_once_with_the_heavier_weight() -> None:
    read = Understanding(
        "Notice period?", topic="notice period", facets=("period, notice",), keywords=("notice", "period")
    )
    assert variants(read, 8) == (Query("notice period", "topic", 1.0),)


def test_at_most_eight_variants_are_asked() -> None:
    read = Understanding(
        "question", topic="topic", hypothetical_answers=tuple(f"wording {at}" for at in range(20))
    )
    assert len(variants(read, 8)) == 8


def test_a_blank_question_has_no_variants() -> None:
    assert variants(understand(Question("  ")), 8) == ()


def test_without_leave_the_model_is_not_asked() -> None:
    llm = ScriptedLLM("{}")
    plan = plan_queries(READ, FOUND, OPENINGS, BoostOptions(), context(llm=llm))
    assert variants(READ, 8) == plan.queries
    assert not plan.keywords
    assert len(llm.prompts) == 0


def test_one_call_writes_words_for_all_documents_by_opaque_keys() -> None:
    llm = ScriptedLLM(
        json.dumps({"documents": {"D1": ["vacate", "quit"], " d2 ": "term, months", "D9": ["no"]}})
    )
    plan = plan_queries(READ, FOUND, OPENINGS, ASKING, context(llm=llm))
    assert plan.keywords == {"id-1": ("vacate", "quit"), "id-2": ("term", "months")}
    (prompt,) = llm.prompts
    assert "id-1" not in prompt.user
    assert "Lease 1" in prompt.user
    assert prompt.user.count("harbour") <= 7


def test_other_shapes_of_the_reply_are_read_too() -> None:
    for reply in (
        {"D1": ["quit"]},
        [{"key": "D1", "keywords": ["quit", 7, " "]}],
        {"documents": {"D1": "quit"}},
    ):
        plan = plan_queries(READ, FOUND, OPENINGS, ASKING, context(llm=ScriptedLLM(json.dumps(reply))))
        assert plan.keywords == {"id-1": ("quit",)}


def test_a_failing_model_costs_its_words_and_says_so() -> None:
    for failure in ("no idea", ModelUnavailable("the model is down")):
        ctx = context(llm=ScriptedLLM(failure))
        plan = plan_queries(READ, FOUND, OPENINGS, ASKING, ctx)
        assert variants(READ, 8) == plan.queries
        assert not plan.keywords
        assert "no keywords" in ctx.trace.receipt({}).degraded[0]


def test_an_empty_shortlist_asks_no_model() -> None:
    llm = ScriptedLLM("{}")
    assert not plan_queries(READ, Shortlist(()), {}, ASKING, context(llm=llm)).keywords
    assert len(llm.prompts) == 0


def test_every_variant_has_terms() -> None:
    assert all(terms(query.text) for query in variants(READ, 8))
