"""A reply that cannot be read is asked for once more, where a call is left; the model is told why."""

import json

from evidence.answer.aggregate import AggregateOptions, aggregate
from evidence.context import Context
from evidence.errors import LimitReached
from evidence.limits import Limits
from evidence.model import Answer, RankedDocument, Shortlist, Understanding
from tests.fakes import FakeKnowledge, ScriptedLLM, degraded, keys, metered, pool, segment

GATE = segment("The north gate is locked at 22:00.", "Gates.txt")
ASKED = Understanding("When is the north gate locked?", topic="north gate locked")


def reply(prompt: object) -> str:
    key = keys(prompt)[GATE.text]  # type: ignore[arg-type] - a prompt is what a scripted model is handed
    said = {"text": "It is locked at 22:00.", "passage": key, "words": GATE.text, "part": 1}
    return json.dumps({"sentences": [said], "missing": []})


def answered(model: ScriptedLLM, limits: Limits) -> tuple[Answer, Context]:
    ctx = metered(FakeKnowledge(), model, limits=limits)
    found = Shortlist((RankedDocument(GATE.document, 1.0),))
    return aggregate(ASKED, pool(GATE), found, AggregateOptions(), ctx), ctx


def test_the_second_reply_is_used_and_the_model_was_told_what_was_wrong() -> None:
    model = ScriptedLLM("I would rather chat.", reply)
    answer, ctx = answered(model, Limits(model_calls=2))
    assert ("answered", "It is locked at 22:00.") == (answer.status, answer.claims[0].text)
    assert 2 == ctx.meter.spent()["model_calls"]
    assert "Your last reply could not be used: the model's reply is not a Draft" in model.prompts[1].user
    assert "I would rather chat" not in model.prompts[1].user
    assert any("asked once more" in each for each in degraded(ctx))


def test_no_call_left_means_no_second_reply_but_the_documents_own_words() -> None:
    model = ScriptedLLM("I would rather chat.", reply)
    answer, ctx = answered(model, Limits(model_calls=1))
    assert (1, [GATE.text]) == (len(model.prompts), [each.quote.text for each in answer.citations])
    assert any("could not be used" in each for each in degraded(ctx))


def test_a_model_is_asked_no_third_time() -> None:
    model = ScriptedLLM("I would rather chat.")
    answer, _ = answered(model, Limits(model_calls=6))
    assert (2, [GATE.text]) == (len(model.prompts), [each.quote.text for each in answer.citations])


def test_a_limit_that_ends_the_second_asking_leaves_the_documents_own_words() -> None:
    model = ScriptedLLM("I would rather chat.", LimitReached("model_tokens", 2_000, 2_100))
    answer, _ = answered(model, Limits(model_calls=6))
    assert (2, [GATE.text]) == (len(model.prompts), [each.quote.text for each in answer.citations])
