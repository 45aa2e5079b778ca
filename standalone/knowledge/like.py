"""SQL's LIKE."""

import re
from collections.abc import Callable


def like(pattern: str, *, ignore_case: bool = False) -> Callable[[str], bool]:
    """Make a test of a whole text against a pattern in which % and _ are wildcards."""
    parts = (".*" if sign == "%" else "." if sign == "_" else re.escape(sign) for sign in pattern)
    compiled = re.compile("".join(parts), re.DOTALL | (re.IGNORECASE if ignore_case else 0))
    return lambda text: compiled.fullmatch(text) is not None


def holds(keyword: str, *, ignore_case: bool = False) -> Callable[[str], bool]:
    """Make the test behind Dify's `keyword` parameters; wildcards in the keyword work, as they do there."""
    if "%" not in keyword and "_" not in keyword and not ignore_case:
        return lambda text: keyword in text
    return like(f"%{keyword}%", ignore_case=ignore_case)
