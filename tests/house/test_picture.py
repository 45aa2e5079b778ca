"""The picture of the rooms shows what the source imports; pixels are nobody's concern."""

import re

import pytest

from bench.imports import ROOT, edges, room_of
from bench.picture import SHARED, THEMES, Theme, drawn, picture

_ARROW = re.compile(r'data-arrow="([a-z_]+) ([a-z_]+)"')


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_the_picture_shows_the_imports_between_rooms(theme: Theme) -> None:
    """Where it does not: `python -m bench picture` draws it anew."""
    drawing = (ROOT / "docs" / f"architecture-{theme.name}.svg").read_text(encoding="utf-8")
    assert drawn() == set(_ARROW.findall(drawing))


def test_a_short_cut_and_what_all_share_are_not_drawn() -> None:
    imported = frozenset({("host", "search"), ("search", "index"), ("host", "index"), ("search", "errors")})
    assert {("host", "search"), ("search", "index")} == drawn(imported)


def test_an_arrow_is_drawn_once_between_two_boxes() -> None:
    drawing = picture(THEMES[0], [("host", "pipeline")])
    assert [("host", "pipeline")] == _ARROW.findall(drawing)
    assert drawing.count("<rect") == len(set(re.findall(r'font-weight="600"[^>]*>(\w+)<', drawing)))


def test_what_all_share_are_modules_of_the_core() -> None:
    assert set(SHARED) <= {room for edge in edges() for room in edge}


def test_the_room_of_a_file_is_its_folder_in_the_core() -> None:
    files = ("evidence/answer/layout.py", "evidence/pipeline.py", "host/mcp/answering.py", "tools/ask.py")
    assert ["answer", "pipeline", "host", "doorways"] == [room_of(ROOT / file) for file in files]
