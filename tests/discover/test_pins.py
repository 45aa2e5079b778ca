"""Documents that the caller names: by id, by name, by likeness; and those that are left out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.discover.pins import pinned
from evidence.model import Document


def _document(name: str, number: int = 1) -> Document:
    return Document("set", f"{name}#{number}", name)


HARBOUR, MOUNTAIN = _document("Harbour Lease.pdf"), _document("Mountain_Lease-2023.pdf")
TWIN = _document("Harbour Lease.pdf", 2)
ALL = (HARBOUR, MOUNTAIN, TWIN)


def test_without_pins_all_documents_are_left() -> None:
    assert (ALL, ()) == pinned((), ALL)


def test_a_pin_by_id_is_that_document_alone() -> None:
    assert ((TWIN,), ()) == pinned((TWIN.document_id,), ALL)


@pytest.mark.parametrize(
    "pin", ["Harbour Lease.pdf", "harbour lease.PDF", " Harbour Lease ", "harbour_lease"]
)
def test_a_pin_by_name_is_every_document_of_that_name(pin: str) -> None:
    assert ((HARBOUR, TWIN), ()) == pinned((pin,), ALL)


@pytest.mark.parametrize("pin", ["Mountain Lease 2023", "Montain Lease 2023", "2023 Mountain Lease"])
def test_a_pin_is_found_by_likeness(pin: str) -> None:
    assert ((MOUNTAIN,), ()) == pinned((pin,), ALL)


def test_a_pin_that_names_nothing_is_said_and_the_others_stay() -> None:
    assert ((MOUNTAIN,), ("Valley Charter",)) == pinned(("Valley Charter", "Mountain_Lease-2023"), ALL)


def test_a_pin_that_names_nothing_leaves_nothing() -> None:
    assert ((), ("Valley Charter",)) == pinned(("Valley Charter",), ALL)


def test_a_pin_for_another_year_is_not_answered_by_a_neighbour() -> None:
    assert ((), ("Mountain Lease 2021",)) == pinned(("Mountain Lease 2021",), ALL)


def test_an_exclusion_for_another_year_excludes_no_neighbour() -> None:
    assert (ALL, ()) == pinned(("!Mountain Lease 2021",), ALL)


def test_an_exclusion_leaves_the_rest() -> None:
    assert ((MOUNTAIN,), ()) == pinned(("!Harbour Lease.pdf",), ALL)
    assert ((HARBOUR, MOUNTAIN), ()) == pinned((f"!{TWIN.document_id}",), ALL)


def test_an_exclusion_outweighs_a_pin() -> None:
    assert ((HARBOUR,), ()) == pinned(("Harbour Lease.pdf", f"!{TWIN.document_id}"), ALL)


def test_an_exclusion_that_names_nothing_excludes_nothing() -> None:
    assert (ALL, ()) == pinned(("!Valley Charter",), ALL)


def test_a_blank_pin_is_no_pin() -> None:
    assert (ALL, ()) == pinned(("",), ALL)
    assert (ALL, ()) == pinned(("!",), ALL)


@given(st.lists(st.text(max_size=20), max_size=4))
def test_pins_never_raise_and_leave_each_document_once(pins: list[str]) -> None:
    left, unknown = pinned(pins, ALL)
    assert len(left) == len({document.document_id for document in left})
    assert set(left) <= set(ALL)
    assert set(unknown) <= set(pins)
