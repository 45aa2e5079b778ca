from hypothesis import given
from hypothesis import strategies as st

from standalone.knowledge.splitting import split

_TEXTS = st.text(alphabet=st.sampled_from("ab.。 \n\t中"), max_size=200)


def _cut(text: str, limit: int) -> list[str]:
    return [text[start:end] for start, end in split(text, limit)]


def test_paragraphs_are_merged_up_to_the_limit() -> None:
    assert ["One.\n\nTwo.", "Three four."] == _cut("One.\n\nTwo.\n\nThree four.", 11)


def test_a_long_paragraph_is_cut_at_lines_then_sentences_then_words() -> None:
    assert ["aa bb. cc", "dd ee. ff.", "gg hh"] == _cut("aa bb. cc\ndd ee. ff. gg hh", 10)


def test_a_chinese_sentence_keeps_its_full_stop() -> None:
    assert ["预算通过了。", "会议结束了。"] == _cut("预算通过了。会议结束了。", 8)


def test_a_word_longer_than_the_limit_is_cut_into_characters() -> None:
    assert ["abcd", "efgh", "ij"] == _cut("abcdefghij", 4)


def test_a_blank_text_has_no_segment() -> None:
    assert [] == _cut(" \n\n \t", 5)


@given(_TEXTS, st.integers(1, 40))
def test_segments_are_short_stripped_ordered_and_lose_only_blanks(text: str, limit: int) -> None:
    slices = split(text, limit)
    covered = {at for start, end in slices for at in range(start, end)}
    assert all(0 < end - start <= limit for start, end in slices)
    assert all(text[start:end] == text[start:end].strip() for start, end in slices)
    assert list(slices) == sorted(slices)
    assert len(covered) == sum(end - start for start, end in slices)
    assert "" == "".join(sign for at, sign in enumerate(text) if at not in covered).strip()
