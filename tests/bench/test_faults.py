"""A small part of `python -m bench faults`: what is cheap and told by the answer alone, with no eye on the clock."""

import json
from typing import Any

import pytest

from bench import faults
from bench.fault import CANARY, Fault
from bench.fault_catalogue import FAULTS
from bench.fault_transport import bomb
from bench.fault_values import items
from bench.judging import judged, outlasted, unclear
from bench.stand import KEYS, Heard

CHEAP = (
    "401",
    "403, limit",
    "404",
    "500",
    "a page with 200",
    "no JSON",
    "a list",
    "every field null",
    "NaN",
    "odd ids",
    "odd records",
    "redirect",
    "hangs up in",
    "gzip that is none",
)
FAULT = Fault("any")


def answer(**fields: Any) -> Heard:
    return Heard(0.1, json={"status": "answered", "degraded": [], **fields}, messages=(fields,))


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    """Every route of `quote` and of a catalogue."""
    return faults.measure(faults.Wanted(["quote", "list_datasets"], (), CHEAP, timed=False))


def test_what_goes_wrong_is_raised_or_named_or_does_no_harm(report: dict[str, Any]) -> None:
    assert "" == faults.defects(report)
    assert 0 == report["status"]
    assert {"raised", "named"} <= {cell["kind"] for cell in report["cells"]}


def test_what_goes_wrong_with_a_model_is_named() -> None:
    spoiled = ["401", "null", "empty body", "list", "cut off"]
    report = faults.measure(faults.Wanted(["ask"], ["workspace chat"], spoiled, timed=False))
    assert "5 cells: 5 named" == faults.counts(report)


def test_the_page_has_a_letter_a_run(report: dict[str, Any]) -> None:
    lines = faults.page(report).splitlines()
    assert any(line.split() == ["401", "RR", "R", "R", "R"] for line in lines)
    assert "- datasets: quote, list_datasets" in lines


def test_an_answer_that_changed_without_a_word_is_a_defect() -> None:
    calm, other = answer(documents=[{"document_id": "1"}]), answer(documents=[{"document_id": "2"}])
    assert ("unharmed", "") == judged("discover", calm, calm, FAULT)
    assert ("defect", "another answer, and no word of it: documents") == judged(
        "discover", calm, other, FAULT
    )
    told = answer(documents=[], degraded=["one could not be read"])
    assert ("named", "one could not be read") == judged("discover", calm, told, FAULT)
    assert ("raised", "no key") == judged("discover", calm, Heard(0.1, "no key", "ToolFailure"), FAULT)


def test_what_is_not_as_in_calm_once_the_fault_is_over_is_a_defect_even_if_it_is_named() -> None:
    cold, warm, other = (answer(documents=[{"document_id": each}]) for each in "123")
    assert "" == outlasted((cold, warm), cold) == outlasted((cold, warm), warm)
    assert "documents" == outlasted((cold, warm), other)
    left = answer(documents=[{"document_id": "1"}], degraded=["one was not read"])
    assert "one was not read" == outlasted((cold, warm), left)
    assert "" == outlasted((cold, warm), left, frozenset({"one was not read"}))
    assert "" == outlasted((cold, left), left)
    assert "no answer" == outlasted((cold, warm), Heard(0.1, "no answer", "ToolFailure"))


def test_an_answer_without_a_quote_and_a_quote_of_nothing_are_defects() -> None:
    calm = answer(citations=[])
    assert ("defect", "answered without a quote") == judged("quote", calm, calm, FAULT)
    invented = answer(citations=[{"quote": "within 4,711 days", "document_name": "a"}])
    assert ("defect", "a quote that stands nowhere") == judged("quote", invented, invented, FAULT)


@pytest.mark.parametrize(
    ("heard", "why"),
    [
        (Heard(1, f"refused: {KEYS['dify_api_key']}"), f"shows {KEYS['dify_api_key']}"),
        (Heard(1, f"SQL {CANARY}"), f"shows {CANARY}"),
        (Heard(1, "Internal error (KeyError); see the plugin log."), "Internal error"),
        (Heard(1, "two\nlines"), "the error is not one short line"),
        (Heard(1, "x" * 501), "the error is not one short line"),
        (Heard(1, text="\x1b[31m"), "shows a character that nobody may see in text"),
        (Heard(1, json={"new": [{"name": "\u202e"}]}), "nobody may see in json.new[].name"),
        (Heard(1, messages=[{"text": "x" * 1_000_001}]), "a message of more than a megabyte"),
        (Heard(1, messages=[{"score": float("nan")}]), "a number that JSON does not have"),
    ],
)
def test_what_nobody_may_see_is_a_defect(heard: Heard, why: str) -> None:
    assert [each for each in unclear(heard) if why in each]


def test_a_process_that_died_or_hangs_is_a_defect() -> None:
    for kind in ("PluginDied", "Timeout"):
        assert "defect" == judged("quote", answer(), Heard(1, "gone", kind), FAULT)[0]


def test_every_fault_has_a_name_of_its_own_and_a_route() -> None:
    names = [fault.name for fault in FAULTS]
    assert len(set(names)) == len(names) >= 50
    assert all(fault.fits("datasets") or fault.fits("segments") for fault in FAULTS)
    assert 15 <= sum(fault.fits("workspace chat") for fault in FAULTS)


def test_a_bomb_is_small_and_the_records_of_an_answer_are_found() -> None:
    assert len(bomb(4)) < 10_000
    assert [1] == items(json.loads('{"data": [1]}')) == items([1])
    assert [{"id": "a"}] == items({"data": {"id": "a"}}) == items({"id": "a"})
