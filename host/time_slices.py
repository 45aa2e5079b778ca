"""Time slices: what one request computes does not hold up the others.

One process serves all workspaces on one thread. Its greenlets switch only where they wait, so a long text of one
workspace would keep every other one waiting, and Dify's heartbeat too. Here a timer of processor time interrupts
whatever runs; a request that has used up its slice steps back until the event loop has nothing else to do.
"""

import atexit
import signal
from types import FrameType

import gevent
from gevent.hub import Hub

SLICE = 0.01  # seconds of the processor's time
_OURS = frozenset({"evidence", "host"})
# Libraries that only compute: what they were called from decides. In any other one a switch is left to itself.
_COMPUTING = frozenset({"collections", "functools", "json", "numpy", "pydantic", "re", "urllib"})


def share_the_processor(seconds: float = SLICE) -> None:
    """Give each request slices of so many seconds of the processor; for the main thread, before it serves."""
    signal.signal(signal.SIGVTALRM, _step_back)
    atexit.register(
        signal.setitimer, signal.ITIMER_VIRTUAL, 0
    )  # a late signal would end the process with an error
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, seconds)


def _step_back(_signal: int, frame: FrameType | None) -> None:
    if not isinstance(gevent.getcurrent(), Hub) and _computes(frame):
        gevent.idle()


def _computes(frame: FrameType | None) -> bool:
    """Whether our own code was interrupted, or a library that it computes with.

    Our code is written for threads, which may be interrupted anywhere. Gevent's, and what is built on it, is not.
    """
    while frame is not None:
        room = str(frame.f_globals.get("__name__")).partition(".")[0]
        if room not in _COMPUTING:
            return room in _OURS and frame.f_globals is not globals()
        frame = frame.f_back
    return False
