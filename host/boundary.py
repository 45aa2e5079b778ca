"""The one boundary: whatever goes wrong inside becomes one line that is safe to show."""

import logging
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from evidence.errors import EvidenceError

LONGEST_LINE = 500  # characters of an error

logger = logging.getLogger(__name__)


@contextmanager
def boundary(failure: Callable[[str], Exception]) -> Iterator[None]:
    """Inside it anything may be raised; outside only `failure`, with one line that is safe to show."""
    try:
        yield
    except EvidenceError as error:
        raise failure(one_line(str(error))) from None
    except Exception as error:  # noqa: BLE001 - the boundary: a bug must not show contents or secrets
        name = type(error).__name__
        # Where it happened, but not the message: it may hold texts or keys.
        logger.error("unexpected %s\n%s", name, "".join(traceback.format_tb(error.__traceback__)))  # noqa: TRY400 - the message must stay out
        raise failure(f"Internal error ({name}); see the plugin log.") from None


def one_line(message: str) -> str:
    """A message without line breaks, control characters and lone surrogates, of bounded length."""
    shown = message.encode("utf-8", "replace").decode()
    line = " ".join("".join(letter for letter in shown if letter.isprintable() or letter.isspace()).split())
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE - 1].rstrip()}…"
