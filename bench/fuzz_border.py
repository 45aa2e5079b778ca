"""What a border is, and what may be raised there."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bench.fuzz_inputs import Inputs
from evidence.errors import EvidenceError
from host.boundary import LONGEST_LINE, one_line
from host.mcp.messages import RpcError

KEY = "dataset-canary-of-the-fuzzer"
QUESTIONS = (
    "How quickly do I have to report a stolen laptop?",
    "Compare the Halden service agreements of 2023 and 2025: what is the notice period?",
    "Is smoking allowed in the office?",
    "List all people who were at the Kestrel meetings.",
    "北京办公室的年假是多少天？",
    "購買には誰の承認が必要ですか。",
)


class Broken(Exception):
    """What must hold does not."""


@dataclass(frozen=True, slots=True)
class Border:
    """`make` gives an input that JSON can hold, `run` takes it; `share` is how many of a thousand inputs it gets."""

    name: str
    share: int
    make: Callable[[Inputs], Any]
    run: Callable[[Any], None]


def must(held: bool, what: str) -> None:
    if not held:
        raise Broken(what)


def declared(call: Callable[..., object], *arguments: Any) -> None:
    """Nothing but a declared error may be raised, and its message is short enough and shows no key."""
    try:
        call(*arguments)
    except (EvidenceError, RpcError) as error:
        must(KEY not in str(error), "an error shows the key")
        must(len(one_line(str(error))) <= LONGEST_LINE, "an error of many lines")
