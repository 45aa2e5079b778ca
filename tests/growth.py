"""
The one clock of the suite: how the processor time of a piece of work grows with the length of its input.

Only the shape of the growth is judged, and by the time of this process alone, so that a busy machine changes
nothing: four times the text may take six times as long, and no text may be hopeless.
"""

import gc
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import inf
from statistics import median

type Work = Callable[[str], object]
type Made = Callable[[int], str]  # a text of about so many characters

STEEPEST = 6.0  # for four times the text; linear work takes 4 times as long
_SMALL = (
    8,
    12,
    16,
    20,
    24,
    32,
    48,
    96,
    400,
)  # where what grows exponentially is found before it takes minutes
_HOPELESS = 20e-6  # seconds a character that no linear work of ours takes
_TICK = 0.02  # seconds; less says nothing about being hopeless
_BEYOND_DOUBT = 4.0  # times what is hopeless; no disturbance takes so long
_TRIES = 6  # the best counts: twice the best of three, because a busy machine disturbs its caches too
_MORE_TRIES = 60  # where it is in doubt: a busy machine disturbs six tries in a row
_DOUBT = 2.0  # times the steepest; quadratic work takes 16 times as long
_FLOOR = 0.002  # seconds; less says nothing about growth


def spent(work: Work, text: str, before: Callable[[], object] = tuple) -> float:
    """Processor seconds of the work on the text; `before` is called first, and is not counted, nor is the collector."""
    before()
    gc.disable()
    began = time.process_time()
    work(text)
    took = time.process_time() - began
    gc.enable()
    return took


def hopeless(
    work: Work, made: Made, lengths: Sequence[int] = _SMALL, before: Callable[[], object] = tuple
) -> str:
    """That a text of one of the lengths, which ascend, takes far too long; empty where none does."""
    for length in lengths:
        text = made(length)
        most = max(_TICK, _HOPELESS * len(text))
        seconds = 0.0
        for _ in range(_TRIES):
            if (seconds := spent(work, text, before)) <= most or seconds > _BEYOND_DOUBT * most:
                break
        if seconds > most:
            return f"{seconds:.2f} s for {len(text)} characters: {text[:40]!r}"
    return ""


def steep(work: Work, made: Made, lengths: Sequence[int], before: Callable[[], object] = tuple) -> str:
    """How the work grows faster than its text between all the lengths, each four times the last; empty where not.

    What is bounded grows fast at first, and then no more: one linear step is enough.
    """
    fault = ""
    for short, long in pairwise(made(length) for length in lengths):
        if fault := hopeless(work, lambda _, text=long: text, (len(long),), before):
            return fault
        tries: list[tuple[float, float]] = []
        first, second, ratio = inf, inf, inf
        for tried in range(_MORE_TRIES):
            if tried >= _TRIES // 2 and ratio > _DOUBT * STEEPEST:
                break
            tries.append((spent(work, short, before), spent(work, long, before)))
            first, second = (min(seconds) for seconds in zip(*tries, strict=True))
            if (ratio := second / max(first, 1e-9)) <= STEEPEST or second < _FLOOR:
                return ""
        if median(taken / max(base, 1e-9) for base, taken in tries) <= STEEPEST:
            return ""  # one lucky moment of the shorter text made the best of both look steep
        fault = f"{ratio:.1f} times as long for {len(long)} as for {len(short)} characters: {long[:40]!r}"
    return fault
