"""Documents by name, card and text: each field scored by itself, so that a score explains itself."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.index.bm25 import LexicalIndex, Postings, Vocabulary
from evidence.index.fields import FieldedIndex, FieldWeights
from evidence.index.names import name_terms
from evidence.language.terms import terms


def _index(documents: Mapping[str, Sequence[str]]) -> FieldedIndex:
    """Names and the segments of each document; the first segment is the card."""
    vocabulary = Vocabulary()
    segments = [terms(text) for texts in documents.values() for text in texts]
    owners = [at for at, texts in enumerate(documents.values()) for _ in texts]
    lead = [place == 0 for texts in documents.values() for place in range(len(texts))]
    return FieldedIndex(
        [name_terms(name) for name in documents],
        LexicalIndex([Postings.of(segments, vocabulary)], vocabulary),
        np.asarray(owners, dtype=np.int32),
        np.asarray(lead, dtype=np.bool_),
    )


LEASES = {
    "Harbour Lease.pdf": ["Between Ada and Bob.", "The rent is ten."],
    "Mountain Lease.pdf": ["Between Cid and Dora.", "The rent is twelve, the harbour is far."],
    "Valley Lease.pdf": [],
}


def test_each_field_scores_the_documents_that_hold_the_word_there() -> None:
    index = _index(LEASES)
    harbour, ada = index.scores({"harbour": 1.0}), index.scores({"ada": 1.0})
    assert [True, False, False] == (harbour.name > 0).tolist()
    assert [False, False, False] == (harbour.lead > 0).tolist()
    assert [False, True, False] == (harbour.body > 0).tolist()
    assert [True, False, False] == (ada.lead > 0).tolist()
    assert [0.0, 0.0, 0.0] == ada.name.tolist()


def test_a_total_is_the_weighted_sum_of_its_fields() -> None:
    scores = _index(LEASES).scores({"harbour": 1.0, "rent": 0.5})
    weights = FieldWeights(2.0, 3.0, 5.0)
    expected = 2 * scores.name + 3 * scores.lead + 5 * scores.body
    assert expected.tolist() == scores.total(weights).tolist()


def test_a_word_of_one_name_weighs_more_than_a_word_of_all() -> None:
    scores = _index(LEASES)
    assert scores.scores({"harbour": 1.0}).name[0] > scores.scores({"leas": 1.0}).name[0] > 0


def test_a_near_spelling_finds_a_name_and_weighs_less() -> None:
    index = _index(LEASES)
    exact, near = index.scores({"mountain": 1.0}).name[1], index.scores({"montain": 1.0}).name[1]
    assert 0 < near < exact


def test_what_names_a_document_is_known() -> None:
    index = _index(LEASES)
    harbour = name_terms("Harbour Lease.pdf")
    assert (True, True, False) == tuple(
        index.names_it(word, harbour) for word in ("harbour", "harbor", "mountain")
    )
    assert (1, 3, 0) == tuple(index.name_frequency(word) for word in ("harbour", "leas", "rent"))


def test_the_rarest_idf_is_that_of_a_word_of_one_document() -> None:
    index = _index({"Harbour.pdf": ["x"], "Mountain.pdf": ["y"]})
    assert pytest.approx(index.rarest) == index.idf("harbour")


def test_documents_that_were_not_read_are_scored_by_name_alone() -> None:
    index = _index({"Harbour.pdf": [], "Mountain.pdf": []})
    scores = index.scores({"harbour": 1.0, "rent": 1.0})
    assert scores.name[0] > 0
    assert [0.0, 0.0] == scores.body.tolist()


def test_no_documents_have_no_scores() -> None:
    assert [] == _index({}).scores({"rent": 1.0}).total(FieldWeights()).tolist()


@given(
    st.dictionaries(st.sampled_from(["rent", "fee", "harbour", "leas", "zzz"]), st.floats(0, 9)),
    st.permutations(list(LEASES)),
)
def test_the_order_of_the_documents_changes_no_score(query: dict[str, float], order: list[str]) -> None:
    def totals(names: Sequence[str]) -> dict[str, float]:
        total = _index({name: LEASES[name] for name in names}).scores(query).total(FieldWeights())
        return dict(zip(names, total.tolist(), strict=True))

    assert pytest.approx(totals(list(LEASES))) == totals(order)
