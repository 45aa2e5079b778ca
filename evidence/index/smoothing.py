"""A segment is worth a little more where its neighbours answer too (Fernández, Losada and Azzopardi, 2011)."""

import numpy as np

from evidence.index.bm25 import Floats, Integers

SHARE = 0.15
UNNAMED = 0.3  # where a question names no document: half of the answer may stand in the next segment


def smooth(scores: Floats, owners: Integers, share: float = SHARE) -> Floats:
    """Each score plus a share of the score before and after it within the same document.

    `owners` holds the document of each segment; segments of one document stand together in reading order.
    """
    if len(scores) < 2:
        return scores
    same = owners[1:] == owners[:-1]
    total = scores.astype(np.float64, copy=True)
    total[1:] += share * scores[:-1] * same
    total[:-1] += share * scores[1:] * same
    return total


def share_of_best(scores: Floats) -> Floats:
    """Scores as shares of the highest one, so that rankings of different scales can be added; zeros stay."""
    top = float(scores.max(initial=0.0))
    return scores / top if top > 0 else scores
