"""What the bare exceptions of a reverse invocation mean."""

import re

from evidence.errors import ModelError, ModelUnavailable, UnusableReply

# The first that is found decides.
_CAUSES: tuple[tuple[re.Pattern[str], type[ModelError], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), kind, advice)
    for pattern, kind, advice in (
        (r"permission denied", ModelError, "the plugin is not permitted to use it; reinstall the plugin"),
        (r"quota|insufficient balance|billing", ModelError, "its quota is spent"),
        (
            r"rate.?limit|\b429\b|too many requests",
            ModelUnavailable,
            "its provider asks to wait (rate limit)",
        ),
        (
            r"context.?length|context window|too long|maximum.{0,20}tokens",
            ModelError,
            "the prompt is too long",
        ),
        (
            r"credential|api.?key|unauthori[sz]ed|authenticat|authori[sz]ation|\b40[13]\b",
            ModelError,
            "its provider refuses the credentials; correct them in the workspace's model settings",
        ),
        (r"timed? ?out|exited without response|deadline", ModelUnavailable, "it did not answer in time"),
        (
            r"connect|unavailable|overloaded|\b50[0234]\b|broken pipe|reset",
            ModelUnavailable,
            "it cannot be reached now",
        ),
        (
            r"not found|does not exist|not exist|invalid model|\b404\b|not support",
            ModelError,
            "the workspace does not know it; choose another model",
        ),
        (r"parse|validation error|decode|json", UnusableReply, "it answered in a form we do not know"),
    )
)


def classified(error: Exception, what: str) -> ModelError:
    """What an exception of the SDK means. Its own words are judged, never shown: they may hold anything."""
    for pattern, kind, advice in _CAUSES:
        if pattern.search(str(error)):
            return kind(f"{what}: {advice}")
    return ModelUnavailable(f"{what} failed ({type(error).__name__}); see the log of the plugin daemon")
