"""What is kept of texts, and what is not."""

from evidence.language.memo import remembered


def test_short_texts_are_kept_as_many_as_told_and_long_ones_a_few() -> None:
    seen: list[str] = []

    @remembered(10, 5)
    def length(text: str) -> int:
        seen.append(text)
        return len(text)

    longer = [f"remote {number}" for number in range(5)]
    assert [4, 4, 8, 8] == [length(text) for text in ("near", "near", longer[0], longer[0])]
    assert ["near", longer[0]] == seen
    assert [8] * 5 == [length(text) for text in (*longer[1:], longer[0])]
    assert ["near", *longer, longer[0]] == seen
    assert 4 == length("near")
    assert 1 == seen.count("near")


def test_a_very_long_text_is_worked_on_each_time() -> None:
    seen: list[int] = []
    size = remembered(10, 5)(lambda text: seen.append(len(text)))
    for _ in range(2):
        size("x" * 300_000)
    assert [300_000, 300_000] == seen


def test_the_text_that_was_asked_about_longest_ago_is_forgotten() -> None:
    seen: list[str] = []
    same = remembered(2, 5)(lambda text: seen.append(text) or text)
    for text in ("a", "b", "c", "a"):
        same(text)
    assert ["a", "b", "c", "a"] == seen
