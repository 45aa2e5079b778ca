"""Every declared parameter has a bound: what is far over it is refused in one line, or cut and said."""

from collections.abc import Mapping
from typing import Any

import pytest

from evidence.errors import InvalidRequest
from host.tools import TOOLS
from host.wiring import Caller

HUGE = 1_000_000  # characters
CUT = {"history"}
NOWHERE = Caller({"dify_base_url": "http://127.0.0.1:1", "dify_api_key": "dataset-sample"})
NEEDED = {"query": "What is the notice period?", "answer": "30 days.", "passages": '[{"text": "30 days."}]'}
VALUES: Mapping[str, tuple[Any, ...]] = {
    "string": ("x" * HUGE, " x" * (HUGE // 2), "," * HUGE, "[" * HUGE, '"' * HUGE, '{"a":' * (HUGE // 5)),
    "number": ("1" * HUGE, 10**400, float("nan"), float("inf"), "1e999", -1, "x"),
    "select": ("x" * HUGE, "balanced" * (HUGE // 8), 7),
    "model-selector": ({"provider": "x" * HUGE, "model": "y"}, "x" * HUGE, {"provider": [0.5] * HUGE}),
}
BOUNDED = [(row, each) for row in TOOLS.values() for each in row.takes if each.name not in CUT]


@pytest.mark.parametrize(("row", "parameter"), BOUNDED, ids=[f"{row.name} {p.name}" for row, p in BOUNDED])
def test_a_parameter_far_over_its_bound_is_refused_in_one_line(row: Any, parameter: Any) -> None:
    for value in VALUES[parameter.type]:
        with pytest.raises(InvalidRequest) as refused:
            row.reply(NEEDED | {parameter.name: value}, NOWHERE)
        assert parameter.name in str(refused.value).replace("metadata filter", "metadata_filter")
        assert 200 >= len(str(refused.value))
