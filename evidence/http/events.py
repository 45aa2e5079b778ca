"""Server-sent events, read as they come: however the bytes are cut, merged, ended and commented.

The event stream format of the HTML standard (section 9.2), as far as a client that asks once needs it.
"""

from collections.abc import Collection, Iterable, Iterator

LONGEST = 2 * 1024 * 1024  # bytes of a line, and of the data of one event


class Overlong(ValueError):
    """More than makes sense, of one event or of all."""


def event_named(blocks: Iterable[bytes], names: Collection[str], most: int) -> tuple[str, bytes] | None:
    """The first whole event with one of these names, and its data; None where the stream ends before.

    Nothing behind it is read. Raises Overlong for more than `most` bytes, and what the blocks raise.
    """
    name, data = "", bytearray()
    for line in _lines(_bounded(blocks, most)):
        label, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if not line:
            if name in names and data:
                return name, bytes(data[:-1])
            name, data = "", bytearray()
        elif label == b"event":
            name = value.decode("utf-8", "replace")
        elif label == b"data" and len(data) <= LONGEST:
            data += value + b"\n"
        if name in names and len(data) > LONGEST:
            raise Overlong
    return None


def _lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Lines that were ended, by CR LF, LF or CR; what stands behind the last end is no line."""
    line, returned, first = bytearray(), False, True
    for block in blocks:
        if not block:
            continue
        rest = block[1:] if returned and block.startswith(b"\n") else block
        returned = block.endswith(b"\r")
        *ended, after = rest.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for piece in ended:
            line += piece
            yield bytes(line).removeprefix(b"\xef\xbb\xbf") if first else bytes(line)
            first = False
            line.clear()
        line += after
        if len(line) > LONGEST:
            raise Overlong


def _bounded(blocks: Iterable[bytes], most: int) -> Iterator[bytes]:
    came = 0
    for block in blocks:
        came += len(block)
        if came > most:
            raise Overlong
        yield block
