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


# A feature that can be switched off: its label in the tables, and the settings without it.
ABLATIONS: Mapping[str, Ablation] = {
    "no feedback terms": lambda settings: _search(settings, feedback=FeedbackOptions(rounds=0)),
    "no document score": lambda settings: _search(settings, document=0.0, unnamed=0.0),
    "no server ranking of segments": lambda settings: _search(settings, server=0.0),
    "no server ranking of documents": lambda settings: _discover(settings, server=0.0),
    "no names of documents": lambda settings: _fields(settings, name=0.0),
    "no leads of documents": lambda settings: _fields(settings, lead=0.0),
    "no texts of documents": lambda settings: _fields(settings, body=0.0),
    "one round of feedback": lambda settings: _search(settings, feedback=FeedbackOptions(rounds=1)),
    "no guard on feedback": lambda settings: _search(
        settings, feedback=FeedbackOptions(floor=-1.0, ceiling=0.0)
    ),
    "document names not left out": lambda settings: _search(settings, split=False),
    "no versions": lambda settings: _discover(settings, versions=False),
    "no prefetch": lambda settings: replace(settings, read_ahead=False),
    "no query variants": lambda settings: _search(settings, variants=0.0, hypothetical_answers=0.0),
}


def chosen(listed: str | None) -> tuple[str, ...]:
    """The ablations of a comma-separated list, all for "each", none for None; raises NoData."""
    if listed is None:
        return ()
    names = tuple(ABLATIONS) if listed == "each" else tuple(name.strip() for name in listed.split(","))
    if unknown := [name for name in names if name not in ABLATIONS]:
        raise NoData(f"There is no ablation {unknown[0]!r}; there are: {', '.join(ABLATIONS)}.")
    return names
