"""The cut of a ranking: at a threshold, or where the scores fall fast."""

from collections.abc import Sequence

LEAST = 3  # passages that are always kept
FALL = 0.35  # of the whole range of scores, lost from one passage to the next


def above(scores: Sequence[float], threshold: float) -> list[int]:
    """The places whose scores reach the threshold; the best one alone where none does, none of none."""
    places = [at for at, score in enumerate(scores) if score >= threshold]
    return places or [at for at, score in enumerate(scores) if score == max(scores)][:1]


def steep(
    scores: Sequence[float], behind: Sequence[float] = (), least: int = LEAST, fall: float = FALL
) -> int:
    """The number of scores, best first, before the first steep fall; all of them where there is none.

    `behind` are the scores after these: they tell how far the range goes.
    """
    lowest = min((*scores, *behind), default=0.0)
    range_of_scores = max(scores, default=0.0) - lowest
    for at in range(least, len(scores)):
        if range_of_scores > 0 and scores[at - 1] - scores[at] > fall * range_of_scores:
            return at
    return len(scores)
