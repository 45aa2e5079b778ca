"""
Which details of a sentence none of its quotes holds.

Figures, names, defined terms, addresses and negation are compared by rules, so that the same answer always
gets the same verdict. A detail is returned as it stands in the sentence. Rules are cautious: what they cannot tell,
they let pass. Names are checked where a script has capitals; Chinese and Japanese names only inside quote marks.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from evidence.language.figures import agrees, figures, known
from evidence.language.normalise import fold
from evidence.verify.negation import contradicted

_SAME = str.maketrans(
    {0xFF01 + at: chr(0x21 + at) for at in range(94)}
    | dict.fromkeys(map(ord, "\u00a0\u2007\u2009\u202f\u3000"), " ")
    | dict.fromkeys(map(ord, "‘’"), "'")
    | dict.fromkeys(map(ord, "‐‑‒–—−"), "-")
)
_MARKER = re.compile(r"[\[【［]\s?\d{1,3}(?:\s?[,，-]\s?\d{1,3}){0,20}\s?[\]】］]")
_BULLET = re.compile(r"(?<!\s)\s*+(?:[-*•]|\(?(?:\d{1,3}|[a-z])[.)]|#{1,6})\s++")
_LATIN = r"[^\W_\u2e80-\uffef]"  # letters and digits of scripts that put spaces between words
_WORD = re.compile(
    rf"(?<!\w)(?!\d){_LATIN}(?:(?:{_LATIN}|['.&-]){{0,40}}{_LATIN})?|(?<=[\u2e80-\uffef])[A-Z]{_LATIN}{{0,40}}"
)
_SPOKEN = re.compile(rf"{_LATIN}+")
_MARKS = re.compile(r"[\u0300-\u036f]")
LONGEST = 2_000  # characters of a sentence that are compared; what goes on beyond them is not proven
_LONGEST_QUOTE = 20_000  # characters of a quote that may hold a detail
_LONGEST_DETAIL = 60  # characters
_ADDRESS = re.compile(  # of the web, of mail, of a file; with or without its scheme
    r"""(?<![A-Za-z0-9@._%/-])(?:
      (?:[A-Za-z][A-Za-z0-9+.-]{1,20}://|(?:mailto|tel|javascript|data|file):)[^\s<>()\[\]"'，。；]+
    | (?:[A-Za-z0-9._%+-]{1,64}@)?(?:[A-Za-z0-9-]{1,63}\.){1,8}(?:[a-z]{2,24}|[A-Z]{2,24})(?![A-Za-z0-9])
      (?::\d{1,5})?(?:[/?\#][^\s<>()\[\]"'，。；]*)?          # evil.example/?q=1, a@evil.example
    | \d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5}|/)[^\s<>()\[\]"'，。；]*  # 10.0.0.1/x
    | (?:/[A-Za-z0-9._~%-]{1,80}){2,20}                    # /etc/hosts
    )""",
    re.VERBOSE,
)
_INSIDE = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_")  # what goes on an address, in folded text
_OCCURRENCES = 100  # of an address that are looked at
_LONG_WORD = re.compile(rf"[^\s\u2e80-\uffef]{{{_LONGEST_DETAIL + 1},}}")
_JOINTS = frozenset("of the and for de van von der la le & in".split())
_FUNCTION = """
a an and any are as at both but by can each either every for from has have he her his how however i if in is it
its may moreover must neither no none nor not nothing of on or our only otherwise shall she should since so some
such that the their then there therefore these they this those thus to under unless upon was we were what when
where whether which while who will with without would yes you your
agreement agreements article articles clause clauses contract document exhibit paragraph party parties schedule
section sections annex appendix term terms
"""
_PASSING = frozenset(_FUNCTION.split())
_QUOTED = re.compile(
    r"“([^”]{2,80})”|\"([^\"]{2,80})\"|「([^」]{2,80})」|『([^』]{2,80})』|《([^》]{2,80})》"
)
_OPENING = re.compile(r"(?:^|[.!?:;。！？：；\n])[\s\"“*_(-]{0,12}$")
_ELISION = re.compile(r"…|\.{3}")
_BETWEEN = re.compile(r"[\sa-z&]{1,10}")
_NEXT = re.compile(r"\s{1,7}(\w)")


def unsupported_details(sentence: str, quotes: Sequence[str]) -> tuple[str, ...]:
    """Details of the sentence, in its words and order, that no quote holds; markers such as [1] are no details."""
    plain = _MARKER.sub(lambda match: " " * len(match[0]), sentence[:LONGEST].translate(_SAME))
    if bullet := _BULLET.match(plain):
        plain = " " * bullet.end() + plain[bullet.end() :]
    quotes = [quote[:_LONGEST_QUOTE] for quote in quotes]
    alike = [quote.translate(_SAME) for quote in quotes]
    folded = " ".join(fold(quote).text for quote in quotes)
    mine = figures(plain)
    stated = known(alike)
    places = [(figure.start, figure.end) for figure in mine if not agrees(figure, stated)]
    places += _terms(plain, folded)
    places += _unquoted_addresses(plain, folded)
    spoken = [word for text in (*quotes, folded) for word in _plain_words(text)]
    places += _names(plain, spoken, [(figure.start, figure.end) for figure in mine])
    places += contradicted(plain, alike)
    places += [(LONGEST, LONGEST + _LONGEST_DETAIL)] if len(sentence) > LONGEST else []
    return _as_written(sentence, places)


def _as_written(sentence: str, places: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """The words at the places, in order; a place inside another is left out."""
    outermost: list[tuple[int, int]] = []
    for start, end in sorted(places, key=lambda place: (place[0], -place[1])):
        if not outermost or end > outermost[-1][1]:
            outermost.append((start, end))
    return tuple(dict.fromkeys(sentence[start:end].strip() for start, end in outermost))


def _terms(plain: str, folded: str) -> Iterator[tuple[int, int]]:
    """Words in quote marks that the quotes do not hold."""
    for match in _QUOTED.finditer(plain):
        parts = _ELISION.split(match[match.lastindex or 0])
        if not all(fold(part).text.strip(" -.,;:、。") in folded for part in parts):
            yield match.span(match.lastindex or 0)


def _unquoted_addresses(plain: str, folded: str) -> Iterator[tuple[int, int]]:
    """Addresses, and words too long to be any, that the quotes do not hold."""
    for pattern in (_ADDRESS, _LONG_WORD):
        for match in pattern.finditer(plain):
            address = match[0].rstrip(".,;:!?/")
            if not _is_in(fold(address.rpartition("://")[2]).text, folded):
                yield match.start(), match.start() + min(len(address), _LONGEST_DETAIL)


def _is_in(words: str, folded: str) -> bool:
    """Whether the quotes hold the words, and not only inside of longer ones: evil.example is not notevil.example."""
    at = folded.find(words)
    for _ in range(_OCCURRENCES):
        if at < 0 or not {folded[at - 1 : at], folded[at + len(words) : at + len(words) + 1]} & _INSIDE:
            return at >= 0
        at = folded.find(words, at + 1)
    return False


# --- names -------------------------------------------------------------------------------------------------


def _names(plain: str, spoken: Sequence[str], taken: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Runs of capitalised words that the quotes do not hold."""
    words = list(_WORD.finditer(plain))
    capitals = sum(word[0][0].isupper() for word in words)
    if len(words) > 4 and capitals * 10 > len(words) * 6:
        return  # a heading
    vocabulary, initials = frozenset(spoken), "".join(word[0] for word in spoken)
    blocked = bytearray(len(plain) + 1)
    for start, end in taken:
        blocked[start:end] = b"\1" * (end - start)
    start = end = -1
    for word in words:
        if blocked[word.start()] or not _is_name(plain, word) or _is_quoted(word[0], vocabulary, initials):
            if start >= 0 and word[0].lower() not in _JOINTS:
                yield start, end
                start = -1
            continue
        if start >= 0 and not _BETWEEN.fullmatch(plain[end : word.start()]):
            yield start, end
            start = -1
        start = word.start() if start < 0 else start
        end = word.end()
    if start >= 0:
        yield start, end


def _is_name(plain: str, word: re.Match[str]) -> bool:
    """Capitalised, and not for standing at the beginning of a sentence."""
    if not word[0][0].isupper() or word[0].lower() in _PASSING:
        return False
    if not _OPENING.search(plain[max(0, word.start() - 12) : word.start()]):
        return True
    following = _NEXT.match(plain[word.end() : word.end() + 8])
    return bool(following and following[1].isupper()) or word[0][1:].upper() == word[0][1:] != ""


def _is_quoted(word: str, vocabulary: frozenset[str], initials: str) -> bool:
    """Whether the word, its parts, its singular or plural, or the words that it abbreviates are in the quotes."""
    pieces = _plain_words(word.removesuffix("'s").removesuffix("'"))
    joined = "".join(pieces)
    if word.isupper() and 2 <= len(joined) <= 6 and joined in initials:
        return True
    return bool(_forms(joined) & vocabulary) or all(_forms(piece) & vocabulary for piece in pieces)


def _forms(word: str) -> set[str]:
    forms = {word, word + "s", word.removesuffix("s"), word.removesuffix("es")}
    return forms | {
        word.removesuffix("ies") + "y" if word.endswith("ies") else word.removesuffix("y") + "ies"
    }


def _plain_words(text: str) -> list[str]:
    """The words of a text without case, accents and hyphens."""
    return _SPOKEN.findall(_MARKS.sub("", unicodedata.normalize("NFKD", text).casefold()))
