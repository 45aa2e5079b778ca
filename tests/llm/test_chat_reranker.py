"""The chat model as a reranker: one call, grades read however they are written, hostile passages fenced."""

import json
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.errors import LimitReached, ModelUnavailable, UnusableReply
from evidence.limits import Limits
from evidence.llm.chat_reranker import BATCH, LONGEST, ChatReranker, reranked
from evidence.model import Prompt
from evidence.trace import Trace
from tests.fakes import FakeKnowledge, ScriptedLLM, keys, metered, replying

TEXTS = ("Dogs stay outside.", "The rent is ten coins.", "Rent means money.")
GRADES = {"Dogs stay outside.": 0, "The rent is ten coins.": 10, "Rent means money.": 3}


class Forgetful:
    """A reranker that scores the second text alone."""

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float | None]:
        return [0.2 if at == 1 else None for at in range(len(texts))]


def _by_key(prompt: Prompt) -> dict[str, int]:
    return {key: GRADES[text] for text, key in keys(prompt).items() if text in GRADES}


def _shaped(shape: Callable[[dict[str, int]], object]) -> Callable[[Prompt], str]:
    return lambda prompt: json.dumps(shape(_by_key(prompt)))


def test_every_text_gets_its_grade_in_one_call() -> None:
    llm = ScriptedLLM(lambda prompt: json.dumps({"scores": _by_key(prompt)}))
    assert (0.0, 10.0, 3.0) == ChatReranker(llm).scores("What is the rent?", TEXTS)
    assert ["rerank"] == [prompt.name for prompt in llm.prompts]
    assert "What is the rent?" in llm.prompts[0].user


def test_grades_are_read_however_they_are_written() -> None:
    shapes: tuple[Callable[[dict[str, int]], object], ...] = (
        lambda grades: grades,
        lambda grades: [{"key": key, "score": grade} for key, grade in grades.items()],
        lambda grades: {"scores": {key.upper(): f"{grade}/10" for key, grade in grades.items()}},
    )
    for shape in shapes:
        llm = ScriptedLLM(_shaped(shape))
        assert (0.0, 10.0, 3.0) == ChatReranker(llm).scores("What is the rent?", TEXTS)


def test_a_forgotten_text_stands_below_all_others() -> None:
    llm = ScriptedLLM(replying(lambda found: {"scores": {found[TEXTS[0]]: 0}}))
    assert (0.0, None, None) == ChatReranker(llm).scores("rent", TEXTS)


@pytest.mark.parametrize("grade", ["high", None, [], float("nan")])
def test_a_grade_that_is_no_number_is_none(grade: object) -> None:
    llm = ScriptedLLM(replying(lambda found: {"scores": {found[TEXTS[0]]: grade, found[TEXTS[1]]: 99}}))
    assert (None, 10.0, None) == ChatReranker(llm).scores("rent", TEXTS)


@pytest.mark.parametrize("reply", ['{"scores": {}}', '{"scores": {"p1": 4}}', "I like them all."])
def test_a_reply_that_grades_nothing_is_an_error(reply: str) -> None:
    with pytest.raises(UnusableReply):
        ChatReranker(ScriptedLLM(reply)).scores("rent", TEXTS)


def test_a_model_that_is_down_is_an_error() -> None:
    with pytest.raises(ModelUnavailable):
        ChatReranker(ScriptedLLM(ModelUnavailable("down"))).scores("rent", TEXTS)


def test_long_texts_are_shown_in_part_and_many_in_several_calls() -> None:
    llm = ScriptedLLM(replying(lambda found: {"scores": dict.fromkeys(found.values(), 5)}))
    texts = [f"{number} " + "rent " * 1_000 for number in range(BATCH + 1)]
    assert [5.0] * (BATCH + 1) == list(ChatReranker(llm).scores("rent", texts))
    assert 2 == len(llm.prompts)
    assert all(len(text) <= LONGEST for text in keys(llm.prompts[0]))


def test_nothing_to_grade_asks_nobody() -> None:
    llm = ScriptedLLM("{}")
    assert () == ChatReranker(llm).scores("rent", ())
    assert [] == llm.prompts


def test_its_calls_are_charged_as_calls_of_the_model() -> None:
    llm = ScriptedLLM(lambda prompt: json.dumps({"scores": _by_key(prompt)}))
    ctx = metered(FakeKnowledge(), llm, limits=Limits(model_calls=1))
    assert ctx.llm is not None
    ChatReranker(ctx.llm).scores("rent", TEXTS)
    with pytest.raises(LimitReached):
        ChatReranker(ctx.llm).scores("rent", TEXTS)


@given(st.text(max_size=200))
def test_any_reply_is_grades_or_an_unusable_reply(reply: str) -> None:
    try:
        found = ChatReranker(ScriptedLLM(reply)).scores("rent", TEXTS)
    except UnusableReply:
        return
    assert 3 == len(found)


def test_texts_without_a_score_stand_last_and_it_is_said() -> None:
    trace = Trace()
    ranked, order = reranked("rent", TEXTS, Forgetful(), trace)
    assert ((1, 0, 2), 3) == (ranked, len(order))
    assert ("rerank: 2 of 3 texts got no score; they stand last in its order",) == trace.receipt({}).degraded
