"""A signed link opens what was signed, as long as nobody has changed a bit of it; it tells nobody what it leads to."""

import base64
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from evidence.errors import Misconfigured
from evidence.model import Document, Segment, Span
from host.parameters import history
from host.proof.links import LONGEST, Link, NotALink, Signer
from host.proof.settings import NO_PROOFS, Proofs, proofs_of
from host.view.links import for_models, linked, unlinked

KEY = "a-long-key-of-the-administrator"
NOW = 1_800_000_030.0
IDS = [f"{digit * 8}-0000-4000-8000-{digit * 12}" for digit in "abc"]
DOCUMENT = Document(IDS[0], IDS[1], "Lease.md", "leases")
SEGMENT = Segment(DOCUMENT, IDS[2], 7, "The rent of the mill is 903 coins.", read_at=NOW)
SPAN = Span(12, 33)
WORDS = "the mill is 903 coins"
SIGNER = Signer.of(KEY, 30)
SIGNED = SIGNER.link(SEGMENT, SPAN, NOW, "de")


def test_a_link_says_where_the_words_stood_and_when_they_were_read() -> None:
    expected = Link(*IDS, 7, SPAN, SIGNER.code_of(WORDS), 1_800_000_000, 30, "de")
    assert expected == SIGNER.opened(SIGNED)


def _opens(link: str, signer: Signer = SIGNER) -> bool:
    try:
        signer.opened(link)
    except NotALink:
        return False
    return True


def test_a_link_with_any_other_letter_in_any_place_is_none() -> None:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    changed = [
        SIGNED[:at] + letter + SIGNED[at + 1 :]
        for at in range(len(SIGNED))
        for letter in letters
        if letter != SIGNED[at]
    ]
    assert 63 * len(SIGNED) == len(changed)
    assert [] == list(filter(_opens, changed))


@pytest.mark.parametrize(
    "part", ["dataset", "document", "segment", "language", "time", "numbers", "words", "code"]
)
def test_a_link_with_a_bit_of_any_part_turned_is_none(part: str) -> None:
    signed = base64.urlsafe_b64decode(SIGNED + "=" * (-len(SIGNED) % 4))
    sizes = {"dataset": 16, "document": 16, "segment": 16, "language": 2, "time": 4}
    sizes |= {"numbers": len(signed) - 54 - 18, "words": 6, "code": 12}
    names = list(sizes)
    start = sum(sizes[name] for name in names[: names.index(part)])
    for bit in range(8 * sizes[part]):
        turned = bytearray(signed)
        turned[start + bit // 8] ^= 1 << bit % 8
        assert not _opens(base64.urlsafe_b64encode(turned).decode().rstrip("="))


@given(
    st.text(max_size=200) | st.binary(max_size=120).map(lambda raw: base64.urlsafe_b64encode(raw).decode())
)
def test_what_nobody_signed_is_no_link(text: str) -> None:
    assert not _opens(text)


@pytest.mark.parametrize(
    "link", [SIGNED + "=", SIGNED + "\n", f" {SIGNED}", SIGNED * 2, SIGNED[:-1], SIGNED[1:], "", "=", "é"]
)
def test_a_link_is_written_in_one_way_only(link: str) -> None:
    assert not _opens(link)


def test_another_key_opens_nothing() -> None:
    assert not _opens(SIGNED, Signer.of(KEY + "!", 30))


def test_a_link_dies_after_the_days_that_the_administrator_set() -> None:
    link = SIGNER.opened(SIGNED)
    assert [False, False, True] == [link.expired(1_800_000_000 + 86_400 * 30 + late) for late in (-1, 0, 1)]
    shorter = Signer.of(KEY, 1)
    assert shorter.opened(shorter.link(SEGMENT, SPAN, NOW)).expired(NOW + 86_401)


def test_a_link_has_at_most_160_characters_and_with_a_usual_address_too() -> None:
    far = replace(SEGMENT, position=2**40, text="x" * 100_000)
    assert LONGEST >= len(Signer.of(KEY, 3_650).link(far, Span(99_000, 100_000), NOW))
    usual = Proofs("https://dify.example.com/e/0123456789abcdef/proof", SIGNER)
    assert 160 >= len(usual.of(replace(SEGMENT, text="x" * 4_000), Span(2_000, 2_200)))


def test_a_link_holds_neither_words_nor_key() -> None:
    signed = base64.urlsafe_b64decode(SIGNED + "=" * (-len(SIGNED) % 4))
    assert not [text for text in (WORDS, KEY, "Lease", "leases") if text.encode() in signed]
    assert SIGNER.code_of(WORDS) != Signer.of(KEY + "!", 30).code_of(WORDS)


def test_what_was_handed_in_or_has_no_ids_of_dify_gets_no_link() -> None:
    assert "" == SIGNER.link(replace(SEGMENT, read_at=0.0), SPAN, NOW)
    assert "" == SIGNER.link(replace(SEGMENT, segment_id="passage-1"), SPAN, NOW)
    assert "" == SIGNER.link(replace(SEGMENT, document=replace(DOCUMENT, dataset_id="")), SPAN, NOW)


def test_links_need_a_key_of_some_length() -> None:
    address = {"proof_url": "https://dify.example.com/e/abc/"}
    assert NO_PROOFS == proofs_of({"proof_key": KEY}, "What?")
    with pytest.raises(Misconfigured, match="no key"):
        proofs_of(address, "What?")
    with pytest.raises(Misconfigured, match="at least 16"):
        proofs_of(address | {"proof_key": "short"}, "What?")
    made = proofs_of(address | {"proof_key": KEY, "proof_days": "7"}, "Wie hoch ist die Miete der Mühle?")
    assert Proofs("https://dify.example.com/e/abc/proof", Signer.of(KEY, 7), "de") == made


ADDRESSES = {1: "https://x.example/proof?p=one", 2: "https://x.example/proof?p=two"}


def test_markers_become_links_that_markdown_renders() -> None:
    text = linked(
        "The rent is 903 coins [1][2]. See \\[1\\], [3] and [2].\n\n| a [1] | b |\n| --- | --- |", ADDRESSES
    )
    shown = MarkdownIt("commonmark").enable("table").render(text)
    for marker, url in ADDRESSES.items():
        assert f'<a href="{url}">[{marker}]</a>' in shown
    assert 2 == shown.count(">[1]<")
    assert "See [1], [3] and" in shown
    assert "[p" not in shown
    assert 2 == text.count("https://")


def test_a_model_reads_plain_markers_and_the_addresses_below() -> None:
    read = for_models(linked("Coins [1][2].", ADDRESSES))
    assert "Coins [1][2].\n\n[1]: https://x.example/proof?p=one\n[2]: https://x.example/proof?p=two" == read


def test_an_answer_with_links_in_the_history_reads_as_the_one_without() -> None:
    turn = "User: What?\nAssistant: Coins [1]."
    assert (turn, False) == history({"history": linked(turn, ADDRESSES)})


def test_an_answer_with_links_is_judged_as_the_one_without() -> None:
    plain = "The rent is 903 coins [1][2].\n\nNothing else."
    assert plain == unlinked(linked(plain, ADDRESSES))
    assert plain == linked(plain, {})
