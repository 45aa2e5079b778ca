"""The canary: no key that the suite hands to a plugin comes back out of one, or out of anything that a test prints."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

_LEAST = 10  # characters; shorter keys of tests stand in too many words
_BEARERS = re.compile(rb"(?im)^(?:authorization: *bearer|x-[a-z-]*(?:key|token):) +([!-~]+)")


def leaks(transcripts: Path, printed: Mapping[str, str]) -> list[str]:
    """Where a key shows: in what plugins said, or in what tests (by name) printed. Keys are not repeated."""
    keys = sorted({key for file in transcripts.glob("*.asked") for key in _keys(file.read_bytes())})
    said = {file.name: file.read_text("utf-8", "replace") for file in sorted(transcripts.glob("*.[sc]*"))}
    texts = {**said, **printed}
    return [
        f"{name}: a key of {len(key)} characters"
        for name, text in texts.items()
        for key in _shown(keys, text)
    ]


def _shown(keys: Iterable[str], text: str) -> Iterator[str]:
    """An endpoint's answer travels as hexadecimal digits."""
    return (key for key in keys if key in text or key.encode().hex() in text)


def _keys(asked: bytes) -> Iterator[str]:
    """The keys of every request: of credentials, of an endpoint's settings, of its callers."""
    for line in asked.splitlines():
        data = json.loads(line).get("data") or {}
        for name, value in {**(data.get("credentials") or {}), **(data.get("settings") or {})}.items():
            if name.endswith("_key"):
                yield from _long(str(value))
        for found in _BEARERS.findall(bytes.fromhex(data.get("raw_http_request") or "")):
            yield from _long(found.decode())


def _long(key: str) -> Iterator[str]:
    if len(key.strip()) >= _LEAST:
        yield key.strip()
