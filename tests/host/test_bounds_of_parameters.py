"""Every declared parameter has a bound: what is far over it is refused in one line, or cut and said."""

import json
import subprocess
import sys

import yaml

from host.parameters import LONGEST_HISTORY, history
from tests.house.house_files import ROOT

HUGE = 1_000_000  # characters
CUT = {"history"}
# Runs where the SDK may patch what it likes. Prints which tool took which value, or said what of it.
DRIVER = """
from dify_plugin import Tool
import json, sys
from evidence.errors import InvalidRequest
from host import jobs
from host.wiring import Caller

NOWHERE = Caller({"dify_base_url": "http://127.0.0.1:1", "dify_api_key": "dataset-sample"})
NEEDED = {"query": "What is the notice period?", "answer": "30 days.", "passages": '[{"text": "30 days."}]'}
HUGE = int(sys.argv[1])
SHAPES = {
    "string": ["x" * HUGE, " x" * (HUGE // 2), "," * HUGE, "[" * HUGE, '"' * HUGE, '{"a":' * (HUGE // 5)],
    "number": ["1" * HUGE, 10**400, float("nan"), float("inf"), "1e999", -1, "x"],
    "select": ["x" * HUGE, "balanced" * (HUGE // 8), 7],
    "model-selector": [{"provider": "x" * HUGE, "model": "y"}, "x" * HUGE, {"provider": [0.5] * HUGE}],
}
said = []
for tool, name, kind in json.loads(sys.argv[2]):
    for number, value in enumerate(SHAPES[kind]):
        try:
            getattr(jobs, tool)(NEEDED | {name: value}, NOWHERE)
            said.append([tool, name, number, "accepted"])
        except Exception as error:
            said.append([tool, name, number, str(error) if isinstance(error, InvalidRequest) else repr(error)])
print(json.dumps(said))
"""


def declared() -> list[tuple[str, str, str]]:
    tools = {path.stem: yaml.safe_load(path.read_text("utf-8")) for path in (ROOT / "tools").glob("*.yaml")}
    found = (
        (tool, each) for tool, declaration in tools.items() for each in declaration.get("parameters", ())
    )
    return [(tool, each["name"], each["type"]) for tool, each in found]


def test_a_parameter_far_over_its_bound_is_refused_in_one_line() -> None:
    bounded = [each for each in declared() if each[1] not in CUT]
    command = [sys.executable, "-c", DRIVER, str(HUGE), json.dumps(bounded)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=300, check=True)
    said = json.loads(run.stdout)
    assert {(tool, name) for tool, name, _ in bounded} == {(tool, name) for tool, name, *_ in said}
    unclear = [each for each in said if each[1] not in each[3].replace("metadata filter", "metadata_filter")]
    assert [] == unclear
    assert 200 >= max(len(line) for *_, line in said)


def test_of_a_long_history_the_newest_part_is_read() -> None:
    newest, cut = history({"history": "old " * HUGE + "new" * (LONGEST_HISTORY // 3)})
    assert LONGEST_HISTORY == len(newest)
    assert newest.endswith("new")
    assert cut
