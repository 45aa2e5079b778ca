"""What the bare exceptions of a reverse invocation mean."""

import re

from evidence.errors import ModelError, ModelUnavailable, UnusableReply

UNKNOWN = "the workspace does not know it; choose another model"

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
        (  # so Dify says of a model that nobody set up: before what a provider says of credentials
            r"not initiali[sz]ed|model.not.found|invalid model|(?:model|provider) .{0,200}not (?:exist|found)",
            ModelError,
            UNKNOWN,
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
            r"not found|not exist|\b404\b|not support",
            ModelError,
            UNKNOWN,
        ),
        (r"parse|validation error|decode|json", UnusableReply, "it returned an unexpected response format"),
    )
)


def classified(error: Exception, what: str, unknown: str = UNKNOWN) -> ModelError:
    """What an exception of the SDK means; `unknown` is the advice where the workspace does not know the model.

    Its own words are judged, never shown: they may hold anything.
    """
    for pattern, kind, advice in _CAUSES:
        if pattern.search(str(error)):
            return kind(f"{what}: {unknown if advice is UNKNOWN else advice}")
    return ModelUnavailable(f"{what} failed ({type(error).__name__}); see the log of the plugin daemon")
