"""Calls back into Dify: the SDK raises bare Exception for every failure of theirs."""

from collections.abc import Callable

from evidence.errors import EvidenceError


def asked[R](call: Callable[[], R], meant: Callable[[Exception], EvidenceError]) -> R:
    """What Dify answers, after 250 s of silence at the latest; raises what the failure meant."""
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - the SDK raises bare Exception for every failure
        raise meant(error) from None
