"""Quotes are spans: whatever a model writes, what is shown stands in the segment."""

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.language.normalise import fold
from evidence.model import Document, Quote, Segment, Span
from evidence.verify.quotes import Located, is_trivial, locate

DOCUMENT = Document("set-1", "doc-1", "Supply agreement")
STORED = (
    "The Receiving Party shall not dis-\nclose  any “Conﬁdential Information” to a third\u00a0party without "
    "consent. The fee is $1,000 for 30 days; the fee is due on signature."
)
HAN = "接收方不得向任何第三方\n披露保密信息，期限为３０天。本协议于２０２４年３月１日生效。"


def segment(text: str, name: str = "s1") -> Segment:
    return Segment(DOCUMENT, name, 1, text)


def found(words: str, text: str = STORED) -> tuple[str, str] | None:
    located = locate(words, [segment(text)])
    return (located.quote.text, located.quote.match) if located else None


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("due on signature", ("due on signature", "exact")),
        ("DUE ON SIGNATURE", ("due on signature", "normalised")),
        ("shall not disclose any", ("shall not dis-\nclose  any", "normalised")),
        ('any "Confidential Information"', ("any “Conﬁdential Information”", "normalised")),
        ("any Confidential Information to", ("any “Conﬁdential Information” to", "normalised")),
        ("third party", ("third\u00a0party", "normalised")),
        ("“**due on signature**”", ("due on signature", "normalised")),
        ("ｆｅｅ　ｉｓ　ｄｕｅ", ("fee is due", "normalised")),
        ("due\u00ad on\u200b sig\u00adnature", ("due on signature", "normalised")),
        ("without consent!", ("without consent", "normalised")),
        ("… due on signature …", ("due on signature", "normalised")),
    ],
)
def test_harmless_edits_are_found_and_the_stored_words_are_shown(
    words: str, expected: tuple[str, str]
) -> None:
    assert expected == found(words)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("任何第三方披露保密信息", "任何第三方\n披露保密信息"),
        ("保密信息,期限为30天", "保密信息，期限为３０天"),
        ("本协议于2024年3月1日生效", "本协议于２０２４年３月１日生效"),
    ],
)
def test_line_breaks_and_wide_forms_do_not_hide_chinese_words(words: str, expected: str) -> None:
    assert (expected, "normalised") == found(words, HAN)


@pytest.mark.parametrize("mark", ["…", "...", "[...]", "[…]", " … ", "(…)"])
def test_parts_around_an_omission_are_found_in_their_order(mark: str) -> None:
    expected = "to a third\u00a0party without consent. The fee is $1,000"
    assert (expected, "elided") == found(f"to a third party{mark}The fee is $1,000")


@pytest.mark.parametrize(
    "words",
    [
        "The fee is $1,000 … Receiving Party",  # the wrong order
        "fee … on … days",  # parts that are too short
        "The recipient keeps it secret",  # a paraphrase
        "fee is $2,000",
        "0 days",
        "ee is",
        "",
        "   ",
        "“”…",
        "the",
        "of the",
        "?!",
    ],
)
def test_words_that_stand_nowhere_or_prove_nothing_are_no_quote(words: str) -> None:
    assert None is found(words)


def test_parts_that_lie_far_apart_are_no_quote() -> None:
    text = "The parties agree. " + "Nothing of interest. " * 200 + "The fee is due."
    assert None is found("The parties agree … The fee is due", text)


def test_parts_in_different_segments_are_no_quote() -> None:
    halves = [segment("The parties agree.", "a"), segment("The fee is due.", "b")]
    assert None is locate("The parties agree … The fee is due", halves)


def test_a_quote_does_not_run_from_one_segment_into_the_next() -> None:
    assert None is locate(
        "parties AGREE The fee", [segment("The parties agree", "a"), segment("The fee is due", "b")]
    )


def test_a_cut_number_is_completed() -> None:
    assert ("The fee is $1,000", "normalised") == found("The fee is $1")


def test_a_cut_word_is_completed() -> None:
    assert ("third\u00a0party without consent", "normalised") == found("ird party without cons")


def test_words_in_another_segment_than_claimed_are_pointed_there() -> None:
    claimed, other = segment("Nothing here.", "a"), segment(STORED, "b")
    located = locate("due on signature", [claimed, other], claimed=claimed)
    assert located is not None
    assert (True, "b") == (located.repointed, located.quote.segment.segment_id)


def test_the_claimed_segment_wins_over_an_earlier_one_with_the_same_words() -> None:
    first, claimed = segment(STORED, "a"), segment(STORED.upper(), "b")
    located = locate("due on signature", [first, claimed], claimed=claimed)
    assert located is not None
    assert (False, "b", "DUE ON SIGNATURE") == (
        located.repointed,
        located.quote.segment.segment_id,
        located.quote.text,
    )


def test_a_whole_word_is_preferred_to_an_earlier_part_of_a_word() -> None:
    located = locate("due", [segment("A residue is overdue when due.")])
    assert located is not None
    assert Span(26, 29) == located.quote.span


def test_an_accent_makes_another_word() -> None:
    assert None is found("RESUME", "his résumé")
    assert ("résumé", "normalised") == found("RE\u0301SUME\u0301", "his résumé")


@pytest.mark.parametrize(
    ("words", "text", "expected"),
    [
        ("great 👍", "great 👍🏽 party", "great 👍🏽"),
        ("the cafe", "the cafe\u0301 is open", "the cafe\u0301"),
        ("we are 👩", "we are 👩\u200d👩\u200d👧 here", "we are 👩\u200d👩\u200d👧"),
        ("see ❤", "see ❤\ufe0f now", "see ❤\ufe0f"),
    ],
)
def test_no_mark_or_joined_sign_is_cut_off(words: str, text: str, expected: str) -> None:
    assert (expected, "normalised") == found(words, text)


def test_a_long_search_in_repeated_text_comes_to_an_end() -> None:
    assert None is locate("A" * 1999 + "b", [segment("a" * 200_000)])
    assert None is locate("…".join(["aaaaaa"] * 200) + "…zzzzzz", [segment("aaaaaa " * 30_000)])


# --- properties --------------------------------------------------------------------------------------------

SCRIPTS = st.sampled_from(
    [
        "The Receiving Party’s fee is 1,000.50 EUR — see “Annex A”. ",
        "接收方不得向任何第三方披露保密信息，期限为三十天。",
        "受領者は、ｶﾞｲﾄﾞに従い第三者に開示してはならない。",
        "لا يجوز الكشف عن المعلومات السِّرِّية لأي طرف ثالث. ",
        "👍🏽 ok 👩\u200d👩\u200d👧 ❤\ufe0f cafe\u0301 ﬁn ",
        "비밀 정보를 제3자에게 공개하지 않는다. ",
    ]
)
TEXTS = st.one_of(st.lists(SCRIPTS, min_size=1, max_size=6).map("".join), st.text(min_size=1, max_size=80))


def truthful(located: Located) -> bool:
    quote = located.quote
    return quote.text == quote.segment.text[quote.span.start : quote.span.end] != ""


@given(TEXTS, st.data())
def test_any_slice_is_found_as_itself_or_says_too_little(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    words = text[start : data.draw(st.integers(start + 1, len(text)))]
    located = locate(words, [segment(text)])
    if located is None:
        assert is_trivial(words.strip()) or len(words.split()) < 3
    else:
        assert truthful(located)
        assert words.strip() in located.quote.text


EDITS: dict[str, Callable[[str], str]] = {
    "case": str.upper,
    "spaces": lambda words: words.replace(" ", " \n\t"),
    "quotes": lambda words: words.translate(str.maketrans("“”’", '""\'')),
    "dashes": lambda words: words.replace("—", "-"),
    "wide": lambda words: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in words),
    "composed": lambda words: unicodedata.normalize("NFKC", words),
    "decomposed": lambda words: unicodedata.normalize("NFD", words),
    "hidden": lambda words: words.replace("a", "\u200ba"),
}


@given(st.lists(SCRIPTS, min_size=1, max_size=4), st.sampled_from(sorted(EDITS)), st.data())
def test_edited_words_are_found_where_they_fold_alike(
    parts: list[str], edit: str, data: st.DataObject
) -> None:
    text = "".join(parts)
    wanted = data.draw(st.sampled_from(parts)).strip()
    located = locate(EDITS[edit](wanted), [segment("Before. " + text)])
    assert located is not None
    assert truthful(located)
    assert fold(wanted).text.strip(" -.。") == fold(located.quote.text).text.strip(" -.。")


@given(st.text(max_size=60), st.text(max_size=60))
def test_no_words_and_no_text_make_it_fail(words: str, text: str) -> None:
    located = locate(words, [segment(text), segment(text[::-1], "s2")])
    assert located is None or truthful(located)


@given(st.text(max_size=60))
def test_each_folded_character_has_a_place_in_the_text(text: str) -> None:
    folded = fold(text)
    origin = folded.origin.tolist()
    assert len(folded.text) == len(origin)
    assert sorted(origin) == origin
    assert all(0 <= place < len(text) for place in origin)


@pytest.mark.parametrize("span", [Span(3, 3), Span(5, 2), Span(-1, 4)])
def test_a_quote_of_nothing_cannot_be_made(span: Span) -> None:
    with pytest.raises(ValueError, match="holds characters"):
        Quote(segment(STORED), span)
