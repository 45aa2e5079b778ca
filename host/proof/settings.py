"""The links of an administrator's settings: address and key of the endpoint that opens them, and how long they live."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from evidence.errors import Misconfigured
from evidence.http.client import address
from evidence.language.detect import language_of
from evidence.model import Segment, Span
from host.parameters import Number, text, unset, whole_number
from host.proof.links import SHORTEST_KEY, Signer

_DAYS = Number("proof_days", default=30, lowest=1, highest=3_650)
_LONGEST_URL = 2_000  # characters


@dataclass(frozen=True, slots=True)
class Proofs:
    """Makes the links of an answer, whose pages are in the language of the question: none where no address is set."""

    url: str = ""
    signer: Signer = Signer(b"")
    language: str = "en"

    def of(self, segment: Segment, span: Span) -> str:
        """The address of the proof of a quote; empty where there can be none."""
        link = self.signer.link(segment, span, time.time(), self.language) if self.url else ""
        return f"{self.url}?p={link}#q" if link else ""  # the browser scrolls to the quote

    def whole(self, segment: Segment) -> str:
        """The address of a whole segment."""
        return self.of(segment, Span(0, len(segment.text)))


NO_PROOFS = Proofs()


def signer_of(settings: Mapping[str, Any]) -> Signer | None:
    """Who makes and opens the links of these settings; None without a key. Raises Misconfigured, InvalidRequest."""
    key = text(settings, "proof_key", 4_000)
    if key and len(key) < SHORTEST_KEY:
        raise Misconfigured(f"the proof key has {len(key)} characters; at least {SHORTEST_KEY} are needed")
    return Signer.of(key, whole_number(settings, _DAYS)) if key else None


def proofs_of(settings: Mapping[str, Any], question: str) -> Proofs:
    """The links that these settings ask for; raises Misconfigured and InvalidRequest."""
    if unset(settings.get("proof_url")):
        return NO_PROOFS
    signer = signer_of(settings)
    if signer is None:
        raise Misconfigured(
            "proof links have an address but no key; enter the proof key, or clear the address"
        )
    url = address(text(settings, "proof_url", _LONGEST_URL)).removesuffix("/proof")
    return Proofs(f"{url}/proof", signer, language_of(question))
