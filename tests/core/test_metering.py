"""Every call is charged before it is made, and none is made that was refused."""

import pytest

from evidence.errors import KnowledgeUnavailable, LimitReached, ModelUnavailable
from evidence.limits import Limits
from evidence.model import LONGEST_REPLY, Completion, Prompt, Query
from tests.fakes import FakeKnowledge, FakeReranker, ScriptedLLM, degraded, holding, metered

HOLDING = holding("Leases", {"Harbour Lease.txt": ["The rent is ten."]})
DATASET, (DOCUMENT, *_) = HOLDING[0], tuple(HOLDING[1])
PROMPT = Prompt("aggregate", "12345678", "You answer.", "What is the rent?")


def test_each_list_costs_one_knowledge_call() -> None:
    ctx = metered(FakeKnowledge(HOLDING))
    ctx.knowledge.datasets(1)
    ctx.knowledge.documents(DATASET, 1)
    ctx.knowledge.segments(DOCUMENT, 1)
    assert 3 == ctx.meter.spent()["knowledge_calls"]
    assert 0 == ctx.meter.spent()["retrieves"]


def test_a_retrieve_costs_a_retrieve_and_a_knowledge_call() -> None:
    ctx = metered(FakeKnowledge(HOLDING))
    ctx.knowledge.retrieve(DATASET, Query("rent"), 4)
    assert (1, 1) == (ctx.meter.spent()["knowledge_calls"], ctx.meter.spent()["retrieves"])


def test_a_refused_call_is_not_made() -> None:
    knowledge = FakeKnowledge(HOLDING)
    ctx = metered(knowledge, limits=Limits(knowledge_calls=1))
    ctx.knowledge.datasets(1)
    with pytest.raises(LimitReached, match="1 knowledge calls"):
        ctx.knowledge.datasets(1)
    assert 1 == len(knowledge.calls)


def test_a_refused_retrieve_reserves_nothing() -> None:
    ctx = metered(FakeKnowledge(HOLDING), limits=Limits(knowledge_calls=0))
    with pytest.raises(LimitReached):
        ctx.knowledge.retrieve(DATASET, Query("rent"), 4)
    assert 0 == ctx.meter.spent()["retrieves"]


def test_no_call_begins_after_the_deadline() -> None:
    knowledge = FakeKnowledge(HOLDING)
    ctx = metered(knowledge, limits=Limits(seconds=0))
    with pytest.raises(LimitReached, match="seconds"):
        ctx.knowledge.datasets(1)
    assert [] == knowledge.calls
    assert 0 == ctx.meter.spent()["knowledge_calls"]


def test_the_trace_holds_numbers_and_never_contents() -> None:
    ctx = metered(FakeKnowledge(HOLDING), ScriptedLLM("ten"))
    assert ctx.llm is not None
    ctx.knowledge.retrieve(DATASET, Query("rent", "topic"), 4)
    ctx.knowledge.documents(DATASET, 1, "Harbour")
    ctx.llm.complete(PROMPT, 100)
    steps = ctx.trace.receipt(ctx.meter.spent()).steps
    assert [
        ("knowledge.retrieve", {"origin": "topic", "top_k": 4, "items": 1}),
        ("knowledge.documents", {"page": 1, "by_keyword": True, "items": 1}),
    ] == [(step.name, step.facts) for step in steps[:2]]
    assert "aggregate@12345678" == steps[2].facts["prompt"]
    assert not any(word in str(steps) for word in ("rent", "Harbour", "ten."))


def test_a_failing_call_stands_on_the_receipt_and_is_charged() -> None:
    ctx = metered(FakeKnowledge(HOLDING, failing={("datasets",): KnowledgeUnavailable("down")}))
    with pytest.raises(KnowledgeUnavailable):
        ctx.knowledge.datasets(1)
    assert "KnowledgeUnavailable" == ctx.trace.receipt({}).steps[0].error
    assert 1 == ctx.meter.spent()["knowledge_calls"]


class CountingLLM:
    """Says what the provider would say of its tokens."""

    def complete(self, prompt: Prompt, max_tokens: int) -> Completion:
        return Completion("ten", 17, 5)


def test_tokens_are_settled_to_what_the_provider_counted() -> None:
    ctx = metered(FakeKnowledge(), CountingLLM())
    assert ctx.llm is not None
    ctx.llm.complete(PROMPT, 900)
    spent = ctx.meter.spent()
    assert (22, 17, 5, 1) == (
        spent["model_tokens"],
        spent["prompt_tokens"],
        spent["completion_tokens"],
        spent["model_calls"],
    )


def test_a_reply_that_was_cut_off_says_so_on_the_receipt() -> None:
    ctx = metered(FakeKnowledge(), ScriptedLLM("Nine coins a tree, and then some."))
    assert ctx.llm is not None
    assert ctx.llm.complete(PROMPT, 4).truncated
    assert not ctx.llm.complete(PROMPT, 400).truncated
    first, second = ctx.trace.receipt({}).steps
    assert (True, False) == (first.facts.get("truncated", False), second.facts.get("truncated", False))


def test_a_reply_without_end_is_cut_off_where_it_is_no_longer_read() -> None:
    ctx = metered(FakeKnowledge(), ScriptedLLM("rent " * 100_000), limits=Limits(model_tokens=10**6))
    assert ctx.llm is not None
    reply = ctx.llm.complete(PROMPT, 500_000)
    assert (LONGEST_REPLY, True) == (len(reply.text), reply.truncated)
    assert ("model: a reply of more than 50,000 characters was cut off there",) == degraded(ctx)


def test_a_model_call_that_could_not_be_paid_is_refused() -> None:
    llm = ScriptedLLM("ten")
    ctx = metered(FakeKnowledge(), llm, limits=Limits(model_tokens=500))
    assert ctx.llm is not None
    with pytest.raises(LimitReached, match="500 model tokens"):
        ctx.llm.complete(PROMPT, 900)
    assert [] == llm.prompts


def test_a_model_call_refused_by_count_reserves_no_tokens() -> None:
    ctx = metered(FakeKnowledge(), ScriptedLLM("ten"), limits=Limits(model_calls=0))
    assert ctx.llm is not None
    with pytest.raises(LimitReached, match="0 model calls"):
        ctx.llm.complete(PROMPT, 100)
    assert 0 == ctx.meter.spent()["model_tokens"]


def test_a_model_call_that_fails_gives_its_tokens_back_to_the_next_one() -> None:
    llm = ScriptedLLM(ModelUnavailable("down"), "ten")
    ctx = metered(FakeKnowledge(), llm, limits=Limits(model_tokens=1_000))
    assert ctx.llm is not None
    with pytest.raises(ModelUnavailable):
        ctx.llm.complete(PROMPT, 900)
    assert 0 == ctx.meter.spent()["model_tokens"]
    assert "ten" == ctx.llm.complete(PROMPT, 900).text


def test_a_failed_model_call_counts_as_a_call() -> None:
    ctx = metered(FakeKnowledge(), ScriptedLLM(ModelUnavailable("down")))
    assert ctx.llm is not None
    with pytest.raises(ModelUnavailable):
        ctx.llm.complete(PROMPT, 100)
    assert 1 == ctx.meter.spent()["model_calls"]


def test_reranking_is_charged_and_refused() -> None:
    reranker = FakeReranker()
    ctx = metered(FakeKnowledge(), reranker=reranker, limits=Limits(rerank_calls=1))
    assert ctx.reranker is not None
    assert [1.0, 0.0] == ctx.reranker.scores("rent", ["the rent", "the fee"])
    with pytest.raises(LimitReached, match="1 rerank calls"):
        ctx.reranker.scores("rent", ["the rent"])
    assert 1 == len(reranker.calls)
