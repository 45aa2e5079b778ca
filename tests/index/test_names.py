"""Names of files as words: whatever hides the words is taken off, and nothing ever raises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.index.names import aliases, name_terms, unpack
from evidence.index.versions import family

NAMES = st.text(max_size=60) | st.text(alphabet="aB3%2_-. ()/+é租約", max_size=40)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("NDA-AcmeCorp%20v2.pdf", "NDA Acme Corp v 2"),
        ("harbour_lease-final.docx", "harbour lease final"),
        ("HTTPServerGuide.md", "HTTP Server Guide"),
        ("Harbour%2520Lease.txt", "Harbour Lease"),
        ("Harbour+Lease.txt", "Harbour Lease"),
        ("uploads/2024/Harbour Lease.txt", "Harbour Lease"),
        ("Report2024Q3.xlsx", "Report 2024 Q 3"),
        ("Lease (Harbour) [signed].PDF", "Lease Harbour signed"),
        ("a.b.c", "a b c"),
        ("港口租约.pdf", "港口租约"),
        ("%E6%B8%AF%E5%8F%A3.pdf", "港口"),
        ("100%.txt", "100%"),
        ("%zz%.txt", "%zz%"),
        ("", ""),
    ],
)
def test_a_name_is_unpacked_into_words(name: str, words: str) -> None:
    assert words == unpack(name)


@given(NAMES)
def test_unpacking_never_raises_and_leaves_single_spaces(name: str) -> None:
    words = unpack(name)
    assert " ".join(words.split()) == words


@given(NAMES)
def test_names_are_matched_and_grouped_without_ever_raising(name: str) -> None:
    assert all(name_terms(name))
    assert family(name) == family(name)


def test_a_name_is_found_by_its_unpacked_words_and_by_its_words_as_written() -> None:
    assert {"acm", "corp", "acmecorp"} <= name_terms("AcmeCorp.pdf")
    assert {"港", "口", "港口"} <= name_terms("港口.pdf")


@pytest.mark.parametrize(
    "version",
    [
        "Harbour Lease.pdf",
        "Harbour Lease v2.pdf",
        "Harbour_Lease_v2.1.pdf",
        "Harbour-Lease-final.docx",
        "Harbour Lease (3).pdf",
        "Harbour Lease 2024-05-01.pdf",
        "Harbour%20Lease%202023.txt",
        "Harbour Lease draft 4.docx",
        "harbour lease signed.pdf",
        "HarbourLease version 7.pdf",
        "Harbour_Lease_02.pdf",
    ],
)
def test_versions_of_one_document_are_one_family(version: str) -> None:
    assert "harbour leas" == family(version)


@pytest.mark.parametrize(
    "version", ["HarbourLeaseV2.pdf", "HarbourLease2024.pdf", "Harbour_Lease20240501.pdf"]
)
def test_a_version_written_without_a_separator_is_one_family_too(version: str) -> None:
    assert "harbour leas" == family(version)


def test_other_documents_are_other_families() -> None:
    assert family("Harbour Lease v2.pdf") != family("Mountain Lease v2.pdf")
    assert family("Lease Acme.pdf") != family("Lease Bolt.pdf")


def test_a_term_that_is_there_stands_for_itself_alone() -> None:
    assert {"lease": 1.0} == aliases("lease", {"lease", "leases", "leas"})


def test_a_name_may_abbreviate_a_term_or_be_spelt_nearly_alike() -> None:
    assert {"semi": 0.8} == aliases("semiconductor", {"semi", "harbour"})
    assert {"harbour": 0.7} == aliases("harbor", {"harbour", "mountain"})


@pytest.mark.parametrize("term", ["ab", "租约", "zebra"])
def test_short_foreign_and_unlike_terms_stand_for_nothing(term: str) -> None:
    assert {} == aliases(term, {"abc", "租赁", "harbour"})


@given(st.text(max_size=12), st.sets(st.text(min_size=1, max_size=12), max_size=8))
def test_aliases_are_names_that_exist_with_weights_of_at_most_one(term: str, known: set[str]) -> None:
    found = aliases(term, known)
    assert set(found) <= known
    assert all(0 < weight <= 1 for weight in found.values())


@pytest.mark.parametrize(
    "version",
    [
        "旅費規程_第1版.md",
        "旅費規程（2021年版）.pdf",
        "旅費規程_第二版.md",
        "旅費規程_新版.md",
        "旅費規程V2.docx",
        "旅費規程2023年改訂版.md",
    ],
)
def test_editions_of_a_japanese_or_chinese_document_are_one_family(version: str) -> None:
    assert family("旅費規程.md") == family(version)


@pytest.mark.parametrize("name", ["出版契約.md", "旅費規程_第2章.md", "2021年度報告書.md"])
def test_what_only_looks_like_an_edition_stays_in_the_name(name: str) -> None:
    assert family("旅費規程.md") != family(name)
