"""Nothing that is shown steers a terminal, or hides or reorders what a person reads."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.language.markdown import plain, safe
from evidence.language.printable import printable


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ("\x1b[31mRed\x1b[0m", "Red"),
        ("\x9b2JCleared", "Cleared"),
        ("\x1b]8;;http://a.example\x1b\\Click\x1b]8;;\x07", "Click"),
        ("\x1b]0;never closed", "]0;never closed"),
        ("pay \u202e001\u202c now", "pay 001 now"),
        ("a\u2066b\u2069c\u200bd\ufeff", "abcd"),
        ("tag\U000e0041ged", "tagged"),
        ("bell\x07 and\x00 null\x7f", "bell and null"),
        ("one\r\ntwo\rthree\u2028four\x85five", "one\ntwo\nthree\nfour\nfive"),
        ("page\x0cbreak\ttab", "page break\ttab"),
        ("👩\u200d👧 می\u200cخواهم \u200fעברית", "👩\u200d👧 می\u200cخواهم \u200fעברית"),
    ],
)
def test_what_steers_hides_or_reorders_is_left_out_and_what_carries_meaning_stays(
    stored: str, expected: str
) -> None:
    assert expected == printable(stored)


@given(
    st.text(
        st.sampled_from("ab \n\t\r\x1b[]0;m\\\x07\x9b\x9d\x9c\u202e\u2066\u200b\x00\x85\ufeff"), max_size=40
    )
)
def test_no_control_character_reaches_a_terminal_or_an_answer(written: str) -> None:
    assert printable(written) == printable(printable(written))
    shown = (printable(written), safe(written), plain(written))
    odd = {each for text in shown for each in text if unicodedata.category(each) in ("Cc", "Cf")}
    assert odd <= {"\n", "\t"}
