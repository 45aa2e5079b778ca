"""The body of an External Knowledge request, read once. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import Any

from evidence.errors import InvalidRequest
from evidence.knowledge.metadata_filter import MOST_CONDITIONS, PRESENCE, parse_filter
from evidence.model import EVERYTHING, MetadataFilter
from host.fitting import readable
from host.parameters import ANY, LONGEST_QUERY, THRESHOLD, TOP_K, names, number, text, unset, whole_number
from host.web import json_of

ANY_DATASET = "auto"
_RECORDS = replace(TOP_K, highest=ANY)  # more than we give may be wanted
_SCORE = replace(THRESHOLD, name="score_threshold")


@dataclass(frozen=True, slots=True)
class RetrievalRequest:
    """`datasets` are ids or names, none for `auto`."""

    query: str
    datasets: tuple[str, ...]
    top_k: int = int(TOP_K.default)
    threshold: float = 0.0
    metadata_filter: MetadataFilter = EVERYTHING

    def values(self) -> dict[str, Any]:
        return asdict(self)


def parse_request(body: bytes) -> RetrievalRequest | None:
    """None for Dify's registration check; raises InvalidRequest naming the field.

    The check has no body before Dify 1.14, later one that asks nothing of nobody.
    """
    if not body.strip():
        return None
    given = json_of(body)
    if not isinstance(given, dict):
        raise InvalidRequest("the body must be a JSON object")
    if unset(given.get("query")) and unset(given.get("knowledge_id")):
        return None
    setting = given.get("retrieval_setting")
    if unset(setting):
        setting = {}
    if not isinstance(setting, dict):
        raise InvalidRequest("`retrieval_setting` must be an object")
    return RetrievalRequest(
        query=_query(given),
        datasets=_datasets(given),
        top_k=min(whole_number(setting, _RECORDS), int(TOP_K.highest)),
        threshold=_threshold(setting),
        metadata_filter=_filter(given.get("metadata_condition")),
    )


def _query(given: Mapping[str, Any]) -> str:
    query = text(given, "query", 2 * LONGEST_QUERY)
    if not query:
        raise InvalidRequest("`query` is required: the question to be answered")
    if len(query) > LONGEST_QUERY:
        raise InvalidRequest(f"`query` has {len(query):,} characters; at most {LONGEST_QUERY:,} are accepted")
    return str(readable(query)).replace('\\"', '"')  # so Dify's retrieval test writes quotes


def _datasets(given: Mapping[str, Any]) -> tuple[str, ...]:
    datasets = tuple(str(readable(name)) for name in names(given, "knowledge_id"))
    if not datasets:
        raise InvalidRequest(f"`knowledge_id` is required: ids or names of datasets, or {ANY_DATASET}")
    return () if tuple(name.casefold() for name in datasets) == (ANY_DATASET,) else datasets


def _threshold(setting: Mapping[str, Any]) -> float:
    if setting.get("score_threshold_enabled") is False:
        return 0.0
    return number(setting, _SCORE)


def _filter(condition: Any) -> MetadataFilter:
    """Dify's `metadata_condition` as the filter that our stages take.

    A condition without a value asks nothing, as in Dify. One with a list of names, as older versions of Dify wrote
    it, becomes a condition for each name.
    """
    if unset(condition):
        return EVERYTHING
    if not isinstance(condition, dict):
        raise InvalidRequest("`metadata_condition` must be an object")
    conditions = condition.get("conditions")
    if unset(conditions):
        return EVERYTHING
    if not isinstance(conditions, list):
        raise InvalidRequest("`metadata_condition` needs a list of conditions")
    spread = list(
        islice((single for condition in conditions for single in _per_name(condition)), MOST_CONDITIONS + 1)
    )
    joined_by = condition.get("logical_operator") or "and"
    return parse_filter({"logical_operator": joined_by, "conditions": spread})


def _per_name(condition: Any) -> Iterator[Any]:
    if not isinstance(condition, dict):
        yield condition  # refused by who reads it
        return
    if condition.get("value") is None and condition.get("comparison_operator") not in tuple(PRESENCE):
        return
    named = condition.get("name")
    yield from (condition | {"name": name} for name in (named if isinstance(named, list) else [named]))
