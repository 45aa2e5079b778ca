"""What is kept of texts, and what is not."""

from evidence.language.memo import remembered


def test_a_short_text_is_worked_on_once_and_a_long_one_each_time() -> None:
    seen: list[str] = []

    @remembered(10, 5)
    def length(text: str) -> int:
        seen.append(text)
        return len(text)

    assert [4, 4, 6, 6] == [length(text) for text in ("near", "near", "remote", "remote")]
    assert ["near", "remote", "remote"] == seen


def test_the_text_that_was_asked_about_longest_ago_is_forgotten() -> None:
    seen: list[str] = []
    same = remembered(2, 5)(lambda text: seen.append(text) or text)
    for text in ("a", "b", "c", "a"):
        same(text)
    assert ["a", "b", "c", "a"] == seen
