"""Which agent knowledge bases an administrator named: `Handbook=<id>`, an id alone, or the address that Dify shows."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from evidence.errors import Misconfigured
from evidence.knowledge.port import AGENT
from host.parameters import names

_SHOWN = re.compile(r"/(knowledge-fs/spaces|datasets/new)/([\w-]{1,64})(?![\w-])")  # of an API, of a page
_ID = re.compile(r"[\w-]{1,64}")


def agent_bases(credentials: Mapping[str, Any], base_url: str) -> Mapping[str, str]:
    """Names by id, with AGENT before it; a base without a name is called by its id. Raises Misconfigured."""
    return dict(_base(entry, base_url) for entry in names(credentials, "agent_knowledge_bases"))


def _base(entry: str, base_url: str) -> tuple[str, str]:
    name, named, place = entry.partition("=")
    if not named or "/" in name:
        name, place = "", entry
    place = place.strip().removeprefix(AGENT)
    if "://" in place:
        shown = _SHOWN.search(place)
        if shown and shown[1] != "datasets/new" and urlsplit(place).netloc != urlsplit(base_url).netloc:
            raise Misconfigured(f'Agent knowledge bases: "{entry[:60]}" is not at the Dify API URL')
        place = shown[2] if shown else ""
    if not _ID.fullmatch(place):
        raise Misconfigured(
            f'Agent knowledge bases: "{entry[:60]}" holds no id; enter NAME=ID, the ID being the last part of '
            "the endpoint that API Access shows"
        )
    return AGENT + place, name.strip() or AGENT + place
