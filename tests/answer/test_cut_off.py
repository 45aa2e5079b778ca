"""A reply that was cut off is never a whole list: it is gone on with, or the answer says what it lacks."""

import json
from collections.abc import Callable

import pytest

from evidence.answer.aggregate import AggregateOptions, aggregate
from evidence.answer.coverage import parts
from evidence.answer.drafting import DraftOptions
from evidence.answer.reflect import ReflectOptions, reflect
from evidence.context import Context
from evidence.errors import ModelUnavailable
from evidence.limits import Limits
from evidence.model import Answer, Completion, Intent, Pool, Prompt, RankedDocument, Shortlist, Understanding
from tests.fakes import FakeKnowledge, Scripted, ScriptedLLM, degraded, keys, metered, pool, segment

CUT_OFF = "aggregate: the model's reply was cut off; what came after is not part of the answer"
SAID = "This may not be all: the model's reply was cut off, or it could not be given every passage."
TOOLS = [
    segment(
        f"Tool {number} is borrowed for {number} days and costs {number + 30} coins.", "Tools.txt", number
    )
    for number in range(1, 21)
]
POOL = pool(*TOOLS)
SHORTLIST = Shortlist((RankedDocument(TOOLS[0].document, 1.0),), known=1)
ASKED = Understanding("List all tools and what they cost.", "list_all", topic="tools cost")


def item(number: int, prompt: Prompt) -> dict[str, object]:
    words = TOOLS[number - 1].text
    return {
        "text": f"Tool {number} costs {number + 30} coins.",
        "passage": keys(prompt)[words],
        "words": words,
    }


def items(*numbers: int, of: str = "sentences") -> Callable[[Prompt], str]:
    return lambda prompt: json.dumps({of: [item(number, prompt) for number in numbers], "missing": []})


def cut(reply: Callable[[Prompt], str], share: float = 0.6) -> Callable[[Prompt], str]:
    """The reply as a provider leaves it that does not say that the tokens were spent."""
    return lambda prompt: reply(prompt)[: int(share * len(reply(prompt)))]


def answered(
    *replies: Scripted,
    limits: Limits | None = None,
    asked: Understanding = ASKED,
    of: Pool = POOL,
    tokens: int = 900,
) -> tuple[Answer, Context, ScriptedLLM]:
    llm = ScriptedLLM(*replies)
    ctx = metered(FakeKnowledge(), llm, limits=limits or Limits())
    options = AggregateOptions(drafting=DraftOptions(tokens))
    return aggregate(asked, of, SHORTLIST, options, ctx), ctx, llm


def listed(answer: Answer) -> list[int]:
    return [int(line.split()[2]) for line in answer.text.splitlines() if line.startswith("- Tool")]


@pytest.mark.parametrize("tokens", [250, 900])  # with 250 the model is cut off; with 900 what it wrote is cut
def test_a_list_that_is_cut_off_is_gone_on_with_and_nothing_stands_twice(tokens: int) -> None:
    first = items(*range(1, 21)) if tokens == 250 else cut(items(*range(1, 21)))
    answer, ctx, llm = answered(first, items(*range(8, 21)), tokens=tokens)
    assert ("answered", None, list(range(1, 21))) == (answer.status, answer.reason, listed(answer))
    assert (2, ()) == (len(llm.prompts), degraded(ctx))
    assert SAID not in answer.text
    told = llm.prompts[1].user
    assert told.startswith(llm.prompts[0].user)
    assert "Tool 7 costs 37 coins." in told[len(llm.prompts[0].user) :]
    steps = [step.name for step in ctx.trace.receipt({}).steps]
    assert ["aggregate", "model.complete", "aggregate.continue", "model.complete"] == steps


@pytest.mark.parametrize("form", ["{}", "```json\n{}\n```", '{{"sentences": [{}]}}'])
def test_a_list_written_as_an_object_a_line_or_a_fence_is_read_whole(form: str) -> None:
    def reply(prompt: Prompt) -> str:
        return "\n".join(form.format(json.dumps(item(number, prompt))) for number in range(1, 21))

    answer, ctx, llm = answered(reply)
    assert ("answered", list(range(1, 21))) == (answer.status, listed(answer))
    assert (1, ()) == (len(llm.prompts), degraded(ctx))


@pytest.mark.parametrize("first", ['{"status": "answered"', '{"status": "answered", "sentences": []}'])
def test_a_reply_that_ends_behind_its_status_is_asked_for_again(first: str) -> None:
    answer, _, llm = answered(first, items(*range(1, 21)))
    assert ("answered", list(range(1, 21))) == (answer.status, listed(answer))
    assert 'its status is "answered", and it has no "sentences"' in llm.prompts[1].user


def test_a_list_that_is_gone_on_with_is_whole_where_nothing_is_left() -> None:
    answer, ctx, _ = answered(
        cut(items(*range(1, 21)), 0.98), lambda _: '{"status": "answered", "sentences": []}'
    )
    assert ("answered", list(range(1, 20)), ()) == (answer.status, listed(answer), degraded(ctx))


def test_a_list_that_is_cut_off_with_no_call_left_is_partial_and_says_so() -> None:
    answer, ctx, llm = answered(cut(items(*range(1, 21))), limits=Limits(model_calls=1))
    assert ("partial", "limit_reached") == (answer.status, answer.reason)
    assert list(range(1, len(listed(answer)) + 1)) == listed(answer)
    assert 0 < len(listed(answer)) < 20
    assert SAID in answer.text
    assert (1, (CUT_OFF,)) == (len(llm.prompts), degraded(ctx))


def test_a_list_that_lacks_only_its_last_brace_is_partial_with_no_call_left() -> None:
    answer, _, _ = answered(
        lambda prompt: items(*range(1, 21))(prompt).removesuffix("}"), limits=Limits(model_calls=1)
    )
    assert ("partial", "limit_reached", 20) == (answer.status, answer.reason, len(listed(answer)))


def test_a_list_whose_tokens_were_spent_is_partial_though_its_json_is_whole() -> None:
    class Spent:
        def complete(self, prompt: Prompt, max_tokens: int) -> Completion:
            return Completion(items(*range(1, 13))(prompt), finish_reason="length")

    ctx = metered(FakeKnowledge(), Spent(), limits=Limits(model_calls=1))
    answer = aggregate(ASKED, POOL, SHORTLIST, AggregateOptions(), ctx)
    assert ("partial", "limit_reached", 12) == (answer.status, answer.reason, len(listed(answer)))


def test_an_answer_that_was_cut_off_is_never_settled() -> None:
    answer, ctx, _ = answered(cut(items(*range(1, 21))), limits=Limits(model_calls=1))
    verdict = reflect(ASKED, answer, POOL, ReflectOptions(), ctx)
    assert ("unsettled", 0.5) == (verdict.status, verdict.completeness)


def test_a_model_that_only_repeats_itself_is_asked_no_third_time_and_the_list_is_partial() -> None:
    answer, _, llm = answered(cut(items(*range(1, 21))), limits=Limits(model_calls=9))
    assert ("partial", "limit_reached", 2) == (answer.status, answer.reason, len(llm.prompts))


def test_a_list_is_gone_on_with_as_long_as_calls_are_left_but_not_with_those_that_are_kept() -> None:
    replies = (cut(items(*range(1, 21)), 0.3), cut(items(*range(6, 21)), 0.3), items(*range(10, 21)))
    answer, _, llm = answered(*replies, limits=Limits(model_calls=9))
    assert ("answered", list(range(1, 21)), 3) == (answer.status, listed(answer), len(llm.prompts))
    ctx = metered(FakeKnowledge(), ScriptedLLM(*replies), limits=Limits(model_calls=3))
    options = AggregateOptions(drafting=DraftOptions(reserve=1))
    kept = aggregate(ASKED, POOL, SHORTLIST, options, ctx)
    assert ("partial", 1) == (kept.status, ctx.meter.left("model_calls"))


@pytest.mark.parametrize("second", ["I have said all.", ModelUnavailable("down"), '{"missing": []}'])
def test_what_was_whole_stays_where_the_model_cannot_go_on(second: Scripted) -> None:
    answer, ctx, _ = answered(cut(items(*range(1, 21))), second)
    assert ("partial", "limit_reached") == (answer.status, answer.reason)
    assert listed(answer)
    assert CUT_OFF in degraded(ctx)


def test_nothing_left_to_list_makes_the_list_whole() -> None:
    answer, _, _ = answered(cut(items(*range(1, 21)), 0.97), '{"sentences": []}')
    assert ("answered", 19) == (answer.status, len(listed(answer)))


@pytest.mark.parametrize("intent", ["lookup", "define", "summarise", "yes_no"])
def test_half_a_sentence_is_not_shown(intent: Intent) -> None:
    asked = Understanding("What does tool 1 cost?", intent, topic="tool 1 cost")
    answer, _, _ = answered(cut(items(1, 2), 0.9), asked=asked, limits=Limits(model_calls=1))
    assert ("partial", "limit_reached") == (answer.status, answer.reason)
    assert ["Tool 1 costs 31 coins."] == [claim.text for claim in answer.claims]
    assert answer.text.endswith(SAID)


def test_a_comparison_that_was_cut_off_lacks_cells_and_says_so() -> None:
    asked = Understanding("Compare what the tools cost.", "compare", topic="tools cost")

    def cells(prompt: Prompt) -> str:
        first = item(1, prompt) | {"document": "D1", "part": 1}
        return json.dumps({"cells": [first, first | {"text": "And so on"}]})

    answer, ctx, _ = answered(cut(cells, 0.8), asked=asked, limits=Limits(model_calls=1))
    assert ("partial", "limit_reached") == (answer.status, answer.reason)
    assert "And so on" not in answer.text
    assert SAID in answer.text
    assert CUT_OFF in degraded(ctx)


@pytest.mark.parametrize(
    "first", ['{"status": "not_found", "sentences": [{"text": "Tool 1 co', "<think>Tool 1 ", "["]
)
def test_a_reply_cut_off_before_its_first_sentence_is_asked_for_again_not_nothing_found(first: str) -> None:
    class Bounded(ScriptedLLM):
        bounds: tuple[int, ...] = ()

        def complete(self, prompt: Prompt, max_tokens: int) -> Completion:
            self.bounds = (*self.bounds, max_tokens)
            return super().complete(prompt, max_tokens)

    llm = Bounded(first, items(1))
    asked = Understanding("What does tool 1 cost?", topic="tool 1 cost")
    answer = aggregate(asked, POOL, SHORTLIST, AggregateOptions(), metered(FakeKnowledge(), llm))
    assert ("answered", (900, 1_800)) == (answer.status, llm.bounds)
    assert "sentences" not in llm.prompts[1].user.partition("Your last reply")[2]


def test_a_list_may_be_longer_than_a_sentence_that_is_asked_for_again() -> None:
    _, _, llm = answered("No.", items(*range(1, 21)))
    assert "six sentences" not in llm.prompts[1].user
    answer, _, _ = answered("No.", items(*range(1, 21)))
    assert ("answered", 20) == (answer.status, len(listed(answer)))


def test_items_in_passages_that_did_not_fit_make_a_list_partial() -> None:
    ctx = metered(FakeKnowledge(), ScriptedLLM(items(1, 2, 3)))
    answer = aggregate(ASKED, POOL, SHORTLIST, AggregateOptions(passage_tokens=100), ctx)
    assert ("partial", "limit_reached") == (answer.status, answer.reason)
    assert SAID in answer.text
    assert any("passages that may hold more did not fit" in each for each in degraded(ctx))


def test_a_summary_of_a_document_that_did_not_fit_whole_is_part_of_one() -> None:
    asked = Understanding("Summarise Tools.txt.", "summarise", topic="the document")
    for named, status in ((1.0, "partial"), (0.2, "answered")):
        found = Shortlist(SHORTLIST.documents, named=named, known=1)
        ctx = metered(FakeKnowledge(), ScriptedLLM(items(1, 2)))
        answer = aggregate(asked, POOL, found, AggregateOptions(passage_tokens=200), ctx)
        assert (status, status == "partial") == (answer.status, SAID in answer.text)


def test_nothing_found_in_the_passages_that_fitted_is_not_nothing_found() -> None:
    asked = Understanding("Who lends tools?", topic="lends tools")
    for tokens, status, reason in ((100, "partial", "limit_reached"), (3_500, "not_found", "no_evidence")):
        ctx = metered(FakeKnowledge(), ScriptedLLM('{"sentences": []}'))
        answer = aggregate(asked, POOL, SHORTLIST, AggregateOptions(passage_tokens=tokens), ctx)
        assert (status, reason, status == "partial") == (answer.status, answer.reason, SAID in answer.text)


@pytest.mark.parametrize(
    ("read", "known", "line"),
    [
        (20, 1, "Searched 20 of 20 segments of 1 document."),
        (12, 1, "Searched 12 of 20 segments of 1 document."),
        (20, 5, "Searched 20 of 20 segments of 1 document. Documents that were not read for this list: 4."),
    ],
)
def test_a_list_is_whole_only_where_all_was_read(read: int, known: int, line: str) -> None:
    some = Pool(POOL.passages[:3], POOL.queries, read, 20, 1)
    found = Shortlist(SHORTLIST.documents, known=known)
    for llm in (None, ScriptedLLM(items(1, 2, 3))):
        answer = aggregate(ASKED, some, found, AggregateOptions(), metered(FakeKnowledge(), llm))
        whole = (read, known) == (20, 1)
        assert ("answered" if whole else "partial", None if whole else "limit_reached") == (
            answer.status,
            answer.reason,
        )
        assert answer.text.endswith(line)


def test_a_judge_whose_reply_was_cut_off_passes_nothing() -> None:
    answer, _, _ = answered(items(*range(1, 21)))
    assert 1 == len(parts(ASKED))
    for reply in ('{"unsupported": [], "contradicting": [], "missing": [', '{"unsupported": ['):
        ctx = metered(FakeKnowledge(), ScriptedLLM(reply))
        verdict = reflect(ASKED, answer, POOL, ReflectOptions(ask_model=True), ctx)
        assert "unknown" == verdict.status
