"""Answers of the true shape whose values are none: numbers, ids, texts, pages, totals."""

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

from bench.fault import Fault, Http, Objects, Reverse, replaced
from bench.fault_proxy import Exchange, Route

_LISTS: tuple[Route, ...] = ("datasets", "documents", "segments")
_MEGABYTE = 1024 * 1024
_MARK = "@number@"


def items(value: Any) -> list[Any]:
    """The records of an answer, whatever lists them; a single one is a list of one."""
    if isinstance(value, list):
        return value
    for name in ("data", "records", "choices", "results", "docs"):
        if isinstance(value, dict) and name in value:
            return value[name] if isinstance(value[name], list) else [value[name]]
    return [value]


def _changed(change: Callable[[Any], None]) -> Http:
    """The true answer after `change` has had its way with it."""

    def answer(exchange: Exchange) -> None:
        value = exchange.json()
        change(value)
        exchange.reply(200, value)

    return answer


def _numbers(literal: str) -> Http:
    """Each number of the first record is this one."""

    def answer(exchange: Exchange) -> None:
        value = exchange.json()
        first = items(value)[:1]
        if first:
            items(value)[0] = _numbered(first[0])
        body = json.dumps(_numbered(value) if first and first[0] is value else value)
        exchange.reply(200, body.replace(f'"{_MARK}"', literal).encode())

    return answer


def _numbered(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _numbered(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_numbered(inner) for inner in value]
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return _MARK if number else value


def _numbered_docs(number: float) -> Reverse:
    """The first text's score and place in the order of a rerank model; tokens of a chat model."""

    def say(true: Objects) -> Objects:
        for each in true:
            changed: dict[str, Any] = copy.deepcopy(dict(each))
            if changed.get("docs"):
                changed["docs"][0]["score"] = number
            elif (changed.get("delta") or {}).get("usage"):
                changed["delta"]["usage"]["prompt_tokens"] = int(min(number, 10**300))
            yield changed

    return say


_ODD: tuple[Any, ...] = (10**9, None, "", "../../v1/datasets", "x" * 10_000, {"a": 1}, "a\r\nb: c", "\x00")


def _odd_ids(value: Any) -> None:
    """Records of odd ids before the true ones."""
    found = items(value)
    if found and isinstance(found[0], dict):
        odd = [copy.deepcopy(found[0]) for _ in _ODD]
        for record, name in zip(odd, _ODD, strict=True):
            owner = record.get("segment", record)
            owner["index" if "index" in owner else "id"] = name
        found[:0] = odd


def _odd_records(value: Any) -> None:
    """Records that are none before the true ones."""
    items(value)[:0] = [None, 17, "text", [], {}]


def _texts(change: Callable[[str], str]) -> Callable[[Any], None]:
    """Name, description and content of the first record, or of a model's reply, changed."""

    def apply(value: Any) -> None:
        for record in items(value)[:1]:
            for owner in _owners(record):
                for name in ("name", "description", "content"):
                    if isinstance(owner.get(name), str):
                        owner[name] = _said(owner[name], change) if "role" in owner else change(owner[name])

    return apply


def _said(reply: str, change: Callable[[str], str]) -> str:
    """A model's reply with the texts of its sentences changed."""
    value = json.loads(reply)
    for sentence in value.get("sentences") or ():
        sentence["text"] = change(sentence["text"])
    return json.dumps(value)


def _reworded(change: Callable[[str], str]) -> Reverse:
    def say(true: Objects) -> Objects:
        *_, last = true
        text = last["delta"]["message"]["content"] if "delta" in last else None
        yield replaced(last, None if text is None else _said(text, change))

    return say


def _owners(record: Any) -> Iterator[dict[str, Any]]:
    if isinstance(record, dict):
        yield record
        for name in ("segment", "document", "message"):
            yield from _owners(record.get(name))


def _controls(text: str) -> str:
    return f"\x1b]8;;https://evil.example\x07{text[:20]}\u202e\x9b31m{text[20:]}\x1b[0m\x08"


def _grown(length: int) -> Callable[[str], str]:
    return lambda text: (text + " lorem ipsum dolor sit amet 17" * (length // 30 + 1))[: len(text) + length]


def _many(value: Any) -> None:
    """100,000 records more, each with an id and a name of its own."""
    found = items(value)
    for record in found[:1]:
        sample = {name: inner for name, inner in _small(record).items() if inner not in (None, [], {})}
        found += [_named_anew(sample, number) for number in range(100_000)]


def _small(record: Any) -> dict[str, Any]:
    wanted = ("id", "name", "content", "position", "document", "segment", "score", "index", "relevance_score")
    return {name: record[name] for name in wanted if name in record} if isinstance(record, dict) else {}


def _named_anew(sample: dict[str, Any], number: int) -> dict[str, Any]:
    if "segment" in sample:
        segment = {"id": f"00000000-0000-4000-8000-{number:012}", "content": f"Note {number}."}
        return {**sample, "segment": {**segment, "document": {"id": f"d{number}", "name": f"n{number}"}}}
    fresh = {
        "id": f"00000000-0000-4000-8000-{number:012}",
        "name": f"n{number}",
        "content": f"Note {number}.",
    }
    return {**sample, **{name: value for name, value in fresh.items() if name in sample}}


def _listing(**fields: Any) -> Http:
    return _changed(lambda value: value.update(fields))


def _without_total(value: Any) -> None:
    value.pop("total", None)


VALUES = (
    Fault("NaN", _numbers("NaN"), reverse=_numbered_docs(float("nan"))),
    Fault("-Infinity", _numbers("-Infinity"), reverse=_numbered_docs(float("-inf"))),
    Fault("1e400", _numbers("1e400"), reverse=_numbered_docs(float("inf"))),
    Fault("a number of 401 digits", _numbers("1" + "0" * 400)),
    Fault("a number of 5,000 digits", _numbers("1" + "0" * 4_999)),
    Fault("numbers as words", _numbers('"many"')),
    Fault("odd ids", _changed(_odd_ids)),
    Fault("odd records", _changed(_odd_records)),
    Fault("control characters", _changed(_texts(_controls)), reverse=_reworded(_controls), rewrites=True),
    Fault("has_more, for ever", _listing(has_more=True, total=10**9), _LISTS),
    Fault("has_more and no total", _changed(_without_total), _LISTS),
    Fault("total 0", _listing(total=0, has_more=False), _LISTS),
    Fault("an empty page that has more", _listing(data=[], has_more=True, total=50), _LISTS),
    Fault("a page of 100,000", _changed(_many), weight="heavy", large=True, rewrites=True),
    Fault(
        "a text of 10 MB",
        _changed(_texts(_grown(10 * _MEGABYTE))),
        reverse=_reworded(_grown(4 * _MEGABYTE)),
        weight="heavy",
        large=True,
        rewrites=True,
    ),
    Fault("a text of 900 kB", _changed(_texts(_grown(900_000))), weight="heavy", rewrites=True),
)
