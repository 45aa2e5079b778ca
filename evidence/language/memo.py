"""What was made of a text, kept for the next time it is asked about; a long text is not worth the room."""

from collections.abc import Callable
from functools import lru_cache, wraps

_FEW, _LONG = 4, 200_000  # longer texts, and characters of each: one is read several times in turn


def remembered[R](most: int, longest: int) -> Callable[[Callable[[str], R]], Callable[[str], R]]:
    """The results of a function for the last `most` texts of at most `longest` characters, and the last few others."""

    def wrap(function: Callable[[str], R]) -> Callable[[str], R]:
        cached, few = lru_cache(maxsize=most)(function), lru_cache(maxsize=_FEW)(function)

        @wraps(function)
        def recalled(text: str) -> R:
            if len(text) <= longest:
                return cached(text)
            return few(text) if len(text) <= _LONG else function(text)

        return recalled

    return wrap
