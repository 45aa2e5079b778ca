"""What can be switched off in the product, one at a time, to see what it is worth. For ablations, in this process."""

from collections.abc import Mapping
from dataclasses import replace

from bench.data import NoData
from bench.rig import Ablation
from evidence.index.fields import FieldWeights
from evidence.search.expansion import FeedbackOptions
from evidence.settings import Settings


def _search(settings: Settings, **changes: object) -> Settings:
    return replace(settings, search=replace(settings.search, **changes))  # type: ignore[arg-type]


def _discover(settings: Settings, **changes: object) -> Settings:
    return replace(settings, discover=replace(settings.discover, **changes))  # type: ignore[arg-type]


def _fields(settings: Settings, **changes: float) -> Settings:
    return _discover(settings, fields=replace(FieldWeights(), **changes))


# An entry a lever: its name in the table, and the settings without it.
ABLATIONS: Mapping[str, Ablation] = {
    "no feedback terms": lambda given: _search(given, feedback=FeedbackOptions(rounds=0)),
    "no document score": lambda given: _search(given, document=0.0, unnamed=0.0),
    "no server lists": lambda given: _search(given, server=0.0),
    "no server documents": lambda given: _discover(given, server=0.0),
    "no names": lambda given: _fields(given, name=0.0),
    "no cards": lambda given: _fields(given, lead=0.0),
    "no bodies": lambda given: _fields(given, body=0.0),
    "feedback once, not twice": lambda given: _search(given, feedback=FeedbackOptions(rounds=1)),
    "no guard on feedback": lambda given: _search(given, feedback=FeedbackOptions(floor=-1.0, ceiling=0.0)),
    "question not split": lambda given: _search(given, split=False),
    "never the whole question": lambda given: _search(given, whole=0.0),
    "no versions": lambda given: _discover(given, versions=False),
    "no reading behind the answer": lambda given: replace(given, read_ahead=False),
    "no sections": lambda given: _search(given, section=0.0),
    "no other wordings": lambda given: _search(given, variants=0.0, hypothetical_answers=0.0),
}


def chosen(asked: str | None) -> tuple[str, ...]:
    """The levers of a comma-separated list, all for "each", none for None; raises NoData."""
    if asked is None:
        return ()
    names = tuple(ABLATIONS) if asked == "each" else tuple(name.strip() for name in asked.split(","))
    if unknown := [name for name in names if name not in ABLATIONS]:
        raise NoData(f"There is no lever {unknown[0]}; there are: {', '.join(ABLATIONS)}.")
    return names
