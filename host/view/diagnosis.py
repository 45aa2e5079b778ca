"""The doctor's findings, line by line, in the language that was asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, get_args

import yaml

from evidence.limits import Limits
from evidence.model import Status
from evidence.trace import Receipt
from host.doctor import Finding
from host.parameters import Language
from host.view.json import listed_json


@dataclass(frozen=True, slots=True)
class Diagnosis:
    findings: Sequence[Finding]
    language: Language


def status(diagnosis: Diagnosis) -> Status:
    """Answered where all is well: a warning is something to look at."""
    return "answered" if {line["state"] for line in lines_of(diagnosis)} == {"ok"} else "partial"


def json(diagnosis: Diagnosis, status: Status, receipt: Receipt, limits: Limits) -> dict[str, Any]:
    return listed_json({"checks": lines_of(diagnosis)}, status, receipt, limits)


def lines_of(diagnosis: Diagnosis) -> list[dict[str, str]]:
    """The lines with their words."""
    return [_line(finding, diagnosis.language) for finding in diagnosis.findings]


def _line(finding: Finding, language: Language) -> dict[str, str]:
    words = texts()
    check, line = finding.line.partition("_")[0], words["lines"][finding.line]
    return {
        "check": check,
        "line": finding.line,
        "state": line["state"],
        "name": spoken(words["checks"][check], language),
        "state_name": spoken(words["states"][line["state"]], language),
        "message": spoken(line["says"], language).format_map(finding.values),
        "remedy": spoken(line.get("remedy", ""), language),
    }


def spoken(text: str | Sequence[str], language: Language) -> str:
    """A text in a language; one that is written once reads the same in all."""
    return text if isinstance(text, str) else text[get_args(Language.__value__).index(language)]


@cache
def texts() -> Mapping[str, Any]:
    path = Path(__file__).resolve().parents[1] / "doctor.yaml"
    value: Mapping[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return value
