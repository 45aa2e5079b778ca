"""What a question says in words of its own is looked for in the words of documents."""

from collections import Counter
from pathlib import Path

import pytest

import evidence.language.synonyms as thesaurus
from evidence.language.synonyms import concepts, is_listed, related
from evidence.language.tables import LANGUAGES
from evidence.language.terms import terms

FILES = sorted((Path(thesaurus.__file__).parent / "thesaurus").glob("*.txt"))


@pytest.mark.parametrize(
    ("language", "question", "meant"),
    [
        ("en", "How do I throw away old pictures?", "delete photo"),
        ("de", "Wer bekommt mein Gehalt, wenn ich krank bin?", "Vergütung"),
        ("zh", "怎么把照片删掉？", "删除"),
        ("ja", "写真を消すには？", "削除"),
        ("pt", "Como apago uma foto?", "excluir imagem"),
    ],
)
def test_other_ways_to_say_it_are_known(language: str, question: str, meant: str) -> None:
    assert {term for term in terms(meant, language) if len(term) > 1} <= related(question).keys()


def test_a_question_in_the_words_of_documents_has_its_own_terms_above_all_others() -> None:
    assert max(related("How do I throw away old pictures?").values()) < 1


def test_the_longest_entry_counts() -> None:
    (concept,) = [each for each in concepts("Where do I log in?") if "log" in each.own]
    assert "log" in concept.own
    assert all("record" not in other for other in concept.others)


def test_a_language_without_a_thesaurus_has_none() -> None:
    assert () == concepts("Où se trouve le bouton ?")


def test_words_of_the_lists_are_known_in_their_own_language_alone() -> None:
    assert is_listed("delet", "en")
    assert not is_listed("delet", "ja")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_row_has_two_sides_with_words_and_stands_once(file: Path) -> None:
    rows = file.read_text(encoding="utf-8").splitlines()
    assert file.stem in LANGUAGES
    assert [] == [row for row, times in Counter(rows).items() if times > 1]
    for row in rows:
        sides = row.replace("=", ":").split(":")
        assert len(sides) == 2, row
        assert all(word.strip() for side in sides for word in side.split(",")), row
