"""Figures: what a text counts, and letters that look like others."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.language.figures import figures

SCRAPS = st.lists(
    st.sampled_from(
        [
            "12",
            "3.5",
            "%",
            "$",
            "€",
            "one",
            "thirty (30)",
            "days",
            "mınutes",
            "半年",
            "三",
            "月",
            "ſeconds",
            "bps",
            "May",
        ]
    ),
    max_size=8,
)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("It is paid within 30 days.", "period"),
        ("The rate is five percent.", "share"),
        ("The rate is 12 bps.", "share"),
        ("The rent is 1,200 euros.", "amount"),
        ("Signed on 3 May 2024.", "date"),
        ("合同期限为三年。", "period"),
        ("半年ごとに", "period"),
        ("There are 17 rooms.", "number"),
    ],
)
def test_a_figure_has_a_kind(text: str, kind: str) -> None:
    assert [kind] == [figure.kind for figure in figures(text)]


@pytest.mark.parametrize(
    ("text", "kind", "counted"),
    [
        ("Hold for 15 mınutes.", "period", "15 mınutes"),
        ("It takes 30 MİNUTES.", "period", "30 MİNUTES"),
        ("Wait 10 ſeconds.", "period", "10 ſeconds"),
        ("The fee is 30 basıs points.", "share", "30 basıs points"),
    ],
)
def test_letters_that_a_pattern_takes_for_others_are_read_as_these(
    text: str, kind: str, counted: str
) -> None:
    (figure,) = figures(text)
    assert (kind, counted) == (figure.kind, text[figure.start : figure.end])


@given(SCRAPS)
def test_any_text_is_read_and_no_figure_overlaps_another(scraps: list[str]) -> None:
    found = figures(" ".join(scraps))
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(figure.readings for figure in found)
