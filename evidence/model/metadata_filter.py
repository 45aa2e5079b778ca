"""A filter of documents by their metadata, as values; evidence.knowledge.metadata_filter reads and applies it."""

from dataclasses import dataclass
from typing import Literal

type Value = str | float | tuple[str | float, ...] | None


@dataclass(frozen=True, slots=True)
class Condition:
    """`operator` is one of Dify's; `value` is a tuple for `in` and `not in`, None for `empty` and `not empty`."""

    name: str
    operator: str
    value: Value = None


@dataclass(frozen=True, slots=True)
class MetadataFilter:
    """Conditions joined by `and` or `or`; without conditions it lets everything through."""

    conditions: tuple[Condition, ...] = ()
    joined_by: Literal["and", "or"] = "and"

    @property
    def operators(self) -> frozenset[str]:
        return frozenset(condition.operator for condition in self.conditions)


EVERYTHING = MetadataFilter()
