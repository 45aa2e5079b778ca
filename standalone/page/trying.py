"""The page to try the plugin, as the front serves it at `/`."""

from collections.abc import Callable, Sequence
from urllib.parse import parse_qs, urlsplit

from standalone.daemon import PluginError, ToolResult
from standalone.http_server import Connection
from standalone.page.answer import Shown, page

_HEADERS = (
    ("Content-Type", "text/html; charset=utf-8"),
    ("Content-Security-Policy", "frame-ancestors 'none'"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cache-Control", "no-store"),
    ("Transfer-Encoding", "chunked"),
    ("Connection", "close"),
)
_LOCAL = ("127.0.0.1", "localhost")
_MOST_BUFFERED = 8_000  # characters of the page that are sent at once
_LONGEST = 8_000  # characters of a question


class TryPage:
    """Answers `/` with a form, and `/?q=…` with the answer of `ask`, which is called with the question."""

    def __init__(self, ask: Callable[[str], ToolResult], examples: Sequence[str]) -> None:
        self._ask, self._examples = ask, examples

    def __call__(self, connection: Connection) -> None:
        if connection.headers.get("Host", "").partition(":")[0] not in _LOCAL:
            connection.send(421, b"", [("Connection", "close")])  # a name that somebody made lead here
            return
        asked = parse_qs(urlsplit(connection.path).query).get("q", [""])[0].strip()[:_LONGEST]
        pieces: list[str] = []

        def send() -> None:
            if content := "".join(pieces).encode("utf-8", "replace"):
                connection.chunk(content)
            pieces.clear()

        def answered() -> Shown:
            send()
            return self._shown(asked)

        connection.begin(200, _HEADERS)
        for piece in page(asked, answered, form=True, examples=self._examples):
            pieces.append(piece)
            if sum(map(len, pieces)) > _MOST_BUFFERED:
                send()
        send()
        connection.chunk(b"")

    def _shown(self, question: str) -> Shown:
        try:
            return Shown(self._ask(question).json)
        except PluginError as error:
            return Shown({}, error.shown)
