"""Time slices: what one request computes does not hold up the others.

One process serves all workspaces on one thread. Its greenlets switch only where they wait, so a long text of one
workspace would keep every other one waiting, and Dify's heartbeat too. Here a timer of processor time interrupts
whatever runs; a request that has used up its slice steps back until the event loop has nothing else to do. Once its
deadline has passed it computes no further: LimitReached is raised in it.
"""

import atexit
import signal
from types import FrameType

import gevent
from gevent.hub import Hub

from evidence.limits import Deadline, interruptible

SLICE = 0.01  # seconds of the processor's time
_OURS = frozenset({"evidence", "host"})
# Libraries that only compute: what they were called from decides. In any other one a switch is left to itself.
_COMPUTING = frozenset({"collections", "functools", "json", "numpy", "pydantic", "re", "urllib"})

# Rooms of functions of values. What locks something there (see _keeps_nothing) is not given up.
_GIVEN_UP = tuple(
    f"evidence.{room}."
    for room in ("answer", "discover", "index", "language", "search", "understand", "verify")
)


def share_the_processor(seconds: float = SLICE) -> None:
    """Give each request slices of so many seconds of the processor; for the main thread, before it serves.

    Where there is no such timer (Windows), a request computes until it waits.
    """
    if not hasattr(signal, "setitimer"):
        return
    signal.signal(signal.SIGVTALRM, _step_back)
    atexit.register(
        signal.setitimer, signal.ITIMER_VIRTUAL, 0
    )  # a late signal would end the process with an error
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, seconds)


def _step_back(_signal: int, interrupted: FrameType | None) -> None:
    frame = _computing(interrupted)
    if frame is None or isinstance(gevent.getcurrent(), Hub):
        return
    gevent.idle()
    deadline = _deadline(frame) if _keeps_nothing(frame) else None
    if deadline is not None:
        deadline.remaining()


def _computing(frame: FrameType | None) -> FrameType | None:
    """Our own code that was interrupted, itself or in a library that it computes with; None where it was neither.

    Our code is written for threads, which may be interrupted anywhere. Gevent's, and what is built on it, is not.
    """
    while frame is not None and _name(frame).partition(".")[0] in _COMPUTING:
        frame = frame.f_back
    if frame is None or frame.f_globals is globals():
        return None
    return frame if _name(frame).partition(".")[0] in _OURS else None


def _keeps_nothing(frame: FrameType) -> bool:
    """Whether what is computed here can be given up halfway: it changes nothing that requests share, under no lock."""
    return _name(frame).startswith(_GIVEN_UP) and "threading" not in frame.f_globals


def _deadline(frame: FrameType | None) -> Deadline | None:
    """The deadline of what is computed, None where it has none."""
    while frame is not None and frame.f_code is not interruptible.__code__:
        frame = frame.f_back
    return frame.f_locals["deadline"] if frame else None


def _name(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))
