"""What was made of a text, kept for the next time it is asked about; a long text is not worth the room."""

from collections.abc import Callable
from functools import lru_cache, wraps


def remembered[R](most: int, longest: int) -> Callable[[Callable[[str], R]], Callable[[str], R]]:
    """The results of a function for the last `most` texts, each of at most `longest` characters."""

    def wrap(function: Callable[[str], R]) -> Callable[[str], R]:
        cached = lru_cache(maxsize=most)(function)

        @wraps(function)
        def recalled(text: str) -> R:
            return cached(text) if len(text) <= longest else function(text)

        return recalled

    return wrap
