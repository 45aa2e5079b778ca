"""An HTTP request as the plugin daemon hands it on. Pure."""

from collections.abc import Iterable
from urllib.parse import urlsplit

LONGEST_BODY = 10 * 1024 * 1024  # bytes; the daemon cuts the rest off without a word
# What the daemon takes away, and what belongs to the connection.
_NOT_FORWARDED = frozenset(
    {
        "connection",
        "content-length",
        "forwarded",
        "keep-alive",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "x-forwarded-for",
        "x-forwarded-host",
        "x-forwarded-port",
        "x-forwarded-proto",
        "x-original-forwarded-for",
        "x-real-ip",
    }
)


def endpoint_path(target: str, hook: str) -> str | None:
    """The path behind `/e/<hook>`, with its query; None when the address is another one."""
    parts = urlsplit(target)
    prefix = f"/e/{hook}"
    if not parts.path.startswith(f"{prefix}/"):
        return None
    return parts.path.removeprefix(prefix) + (f"?{parts.query}" if parts.query else "")


def raw_request(
    method: str, path: str, headers: Iterable[tuple[str, str]], body: bytes, origin: tuple[str, str]
) -> bytes:
    """The request in one piece. `origin` is the hook's id and its address; headers sent twice stay two lines."""
    hook, address = origin
    kept = [(name, value) for name, value in headers if name.lower() not in _NOT_FORWARDED]
    kept += [("Dify-Hook-Id", hook), ("Dify-Hook-Url", address)]
    cut = body[:LONGEST_BODY]
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in kept)]
    return "\r\n".join([*lines, f"Content-Length: {len(cut)}", "", ""]).encode("latin-1", "replace") + cut
