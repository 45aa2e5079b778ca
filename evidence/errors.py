"""
Everything that can go wrong, and who has to act.

* EvidenceError             expected; its message is one line and safe to show
  - InvalidRequest          the caller must change the parameters
  - Misconfigured           the administrator must change a credential or setting
      + ListingRefused          the key is bound to single datasets
      + NothingListed           the key sees no dataset
  - KnowledgeError
      + DatasetNotFound         an id or name that the key or the allow-list does not permit
      + KnowledgeUnavailable    (retryable) the server is down, slow or broken
      + RateLimited             (retryable) the server asks to wait
  - ModelError
      + ModelUnavailable        (retryable)
      + UnusableReply           (retryable once, telling the model why)
  - LimitReached            the user granted no more
  - Overloaded              (retryable) nobody: the process has too much to do
  - ClientDisconnected      nobody: the caller closed the session
"""

from typing import ClassVar


class EvidenceError(Exception):
    """An expected failure. Its message is safe to show to the user."""

    retryable: ClassVar[bool] = False


def bare[E: BaseException](error: E) -> E:
    """The error alone, to be kept: its traceback and context would keep alive what was at hand where it happened."""
    error.__traceback__ = error.__context__ = error.__cause__ = None
    return error


class InvalidRequest(EvidenceError):
    """The caller must change the parameters."""


class Misconfigured(EvidenceError):
    """The administrator must change a credential or a setting."""


class ListingRefused(Misconfigured):
    """The key may not list datasets, as one that is bound to single ones; `dataset_ids` may be asked for by id."""

    def __init__(self, message: str, dataset_ids: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.dataset_ids = dataset_ids


class NothingListed(Misconfigured):
    """The key may list datasets, and there is none."""


class KnowledgeError(EvidenceError):
    """The knowledge server said no."""


class DatasetNotFound(KnowledgeError):
    """Not among the datasets that the key and the allow-list permit."""


class KnowledgeUnavailable(KnowledgeError):
    """The server did not answer, or answered with a failure of its own; `of_load` where less load may help."""

    retryable = True
    of_load: ClassVar[bool] = True


class RateLimited(KnowledgeError):
    """The server asks to wait; `wait` is in seconds, 0 when it did not say.

    `retrieves_only` tells of a limit that does not count lists.
    """

    retryable = True

    def __init__(self, message: str, wait: float = 0.0, *, retrieves_only: bool = False) -> None:
        super().__init__(message)
        self.wait = wait
        self.retrieves_only = retrieves_only


class ModelError(EvidenceError):
    """A language model or reranker failed."""


class ModelUnavailable(ModelError):
    """The model did not answer; asking again may help."""

    retryable = True


class UnusableReply(ModelError):
    """The model answered something that cannot be read."""

    retryable = True


class LimitReached(EvidenceError):
    """What the user granted is spent; `limit` names it."""

    def __init__(self, limit: str, allowed: float, needed: float) -> None:
        super().__init__(f"limit of {allowed:g} {limit.replace('_', ' ')} reached (needed {needed:g})")
        self.limit = limit


class Overloaded(EvidenceError):
    """The process answers as many large requests as it can hold."""

    retryable = True


class ClientDisconnected(EvidenceError):
    """The caller closed the session: no stage goes on without what it asked for."""
