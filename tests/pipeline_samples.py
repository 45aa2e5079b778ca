"""Datasets, a model and a way to ask, for tests of the whole run."""

import json
from dataclasses import replace
from typing import Any

from evidence import pipeline
from evidence.discover.route import RouteOptions
from evidence.model import Effort, Outcome, Prompt, Question
from evidence.settings import Settings
from tests.fakes import FakeKnowledge, ScriptedLLM, degraded, holding, keys, metered

LEASES = holding(
    "Leases",
    {
        "Harbour Lease.txt": [
            "Lease of the house.",
            "Notice is given one month before the end.",
            "The rent is ten.",
        ],
        "Forest Licence.txt": ["Licence to fell trees.", "The fee is nine coins a tree."],
        "Staff Rules.txt": ["Rules for everybody.", "Lunch is at noon in the hall."],
    },
    technique="high_quality",
)
EMPTY_HANDED = holding("Rent office", {"Menu.txt": ["Soup on Monday."]}, description="Where rent is paid")
HUT = holding("Folder", {"Hut.txt": ["The rent of the hut is ten coins."]})
ONE_AT_A_TIME = RouteOptions(most=1)
LUNCH = "When is lunch?"
TWO_PARTS = "What is the rent and what colour is the door?"


def model(prompt: Prompt) -> str:
    """Reads a question as its rules do; quotes the first sentence of the passage that speaks of lunch or rent."""
    if prompt.name != "aggregate":
        return "{}"
    told = next(
        (text, key) for text, key in keys(prompt).items() if "Lunch is" in text or "rent" in text.casefold()
    )
    quote = {"passage": told[1], "words": told[0]}
    return json.dumps({"status": "answered", "sentences": [{"text": told[0], "part": 1, "quotes": [quote]}]})


def ask(
    text: str,
    effort: Effort = "extractive",
    knowledge: FakeKnowledge | None = None,
    llm: ScriptedLLM | None = None,
    **changes: Any,
) -> tuple[Outcome, tuple[str, ...], dict[str, int]]:
    """The outcome, what was left out, what was spent; `changes` are of the settings."""
    settings = replace(Settings.of(effort), **changes)
    ctx = metered(knowledge or FakeKnowledge(LEASES), llm, limits=settings.limits)
    ctx = replace(ctx, budget=settings.budget)
    outcome = pipeline.ask(Question(text), settings, ctx)
    return outcome, degraded(ctx), dict(ctx.meter.spent())


def quotes(outcome: Outcome) -> list[str]:
    return [each.quote.text for each in outcome.answer.citations] if outcome.answer else []


def sources(outcome: Outcome) -> set[str]:
    citations = outcome.answer.citations if outcome.answer else ()
    return {each.quote.segment.document.name for each in citations}


def tolerant(prompt: Prompt) -> str:
    try:
        return model(prompt)
    except StopIteration:
        return '{"status": "not_found", "sentences": []}'
