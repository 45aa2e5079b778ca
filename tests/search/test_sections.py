"""Sections by their titles: found in the documents, or given by the caller; and of each passage its own."""

import numpy as np
import pytest

from evidence.cache import Cache
from evidence.corpus.candidates import Candidates
from evidence.corpus.collection import Collection
from evidence.search.sections import SectionMap, section_signals, titled
from evidence.search.signals import FusedRanking, passages
from tests.fakes import holding

TEXTS = (
    "# Supply Agreement\nbetween Ada and Bob.",
    "## 1. Fees\nTen coins are due each month.\n\n## 2. Limitation of Liability",
    "Each party owes at most a hundred coins.",
    "Nothing else is owed.",
    "## 3. Notices\nLetters are sent by post.",
)
HELD = holding(
    "Deals", {"Supply.md": TEXTS, "Rules.txt": ["Dogs stay outside.", "Liability is for owners of dogs."]}
)


def _candidates(*, without: int = 0) -> Candidates:
    cache = Cache()
    readings = [
        cache.keep_reading(document, [s for s in segments if s.position != without], len(segments))
        for document, segments in HELD[1].items()
    ]
    return Candidates(tuple(HELD[1]), Collection(tuple(HELD[1]), readings, cache))


def _lifted(topic: str, instructions: str) -> list[float]:
    collection = _candidates().collection
    inside = np.ones(len(collection.segments), dtype=np.bool_)
    signals = section_signals(topic, inside, collection, SectionMap.read(instructions), 2.0)
    assert all(("section", 2.0) == (signal.name, signal.weight) for signal in signals)
    return [float(score) for signal in signals for score in signal.scores]


MAP = "Be brief.\nsections: damages -> Limitation of Liability; post → Notices, Letters; dogs -> Kennels"


@pytest.mark.parametrize(
    ("topic", "expected"),
    [
        ("What damages are paid?", [0, 0, 1, 1, 0, 0, 0]),
        ("Who pays the post?", [0, 0, 0, 0, 1, 0, 0]),
        ("Limitation of liability", []),
        ("Where are dogs?", []),
    ],
)
def test_a_title_that_the_caller_gives_lifts_its_section_up_to_the_next_title(
    topic: str, expected: list[float]
) -> None:
    assert expected == _lifted(topic, MAP)


def test_a_map_may_be_written_in_full_width_marks() -> None:
    plain = SectionMap.read("sections: 费用 -> 收费, 价格; 期限 -> 有效期")
    assert plain == SectionMap.read("sections：费用→收费，价格；期限－＞有效期")
    assert 2 == len(plain.titles)
    assert ("定義、解釈",) == SectionMap.read("sections: 用語 -> 定義、解釈").titles[0][1]


@pytest.mark.parametrize(
    "instructions", ["", "Be brief.", "sections:", "sections: fees", "sections: -> Fees; fees ->"]
)
def test_instructions_without_a_map_give_none(instructions: str) -> None:
    assert SectionMap() == SectionMap.read(instructions)


def _fused(*order: int) -> FusedRanking:
    scores = np.linspace(0.9, 0.1, 7)
    return FusedRanking(order, scores, {"text": scores})


def test_a_passage_says_the_title_it_stands_under() -> None:
    candidates = _candidates()
    everything = np.ones(7, dtype=np.bool_)
    found = passages(_fused(*range(7)), 7, (), everything, candidates)
    assert [
        "Supply Agreement",
        "Fees",
        "Limitation of Liability",
        "Limitation of Liability",
        "Notices",
        "",
        "",
    ] == [each.heading for each in titled(found, candidates.collection)]


def test_behind_a_gap_no_title_is_known() -> None:
    candidates = _candidates(without=2)
    found = passages(_fused(1), 1, (), np.ones(6, dtype=np.bool_), candidates)
    assert [("Each party owes at most a hundred coins.", "")] == [
        (each.segment.text, each.heading) for each in titled(found, candidates.collection)
    ]
