"""
Which details of a sentence none of its quotes holds.

Figures, names, defined terms and negation are compared by rules, so that the same answer always gets the same
verdict. A detail is returned as it stands in the sentence. Rules are cautious: what they cannot tell, they let
pass. Names are checked where a script has capitals; Chinese and Japanese names only inside quote marks.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from evidence.text.figures import agrees, figures, known
from evidence.text.folding import fold
from evidence.text.polarity import contradicted

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
    plain = _MARKER.sub(lambda found: " " * len(found[0]), sentence.translate(_SAME))
    if bullet := _BULLET.match(plain):
        plain = " " * bullet.end() + plain[bullet.end() :]
    alike = [quote.translate(_SAME) for quote in quotes]
    held = " ".join(fold(quote).text for quote in quotes)
    mine = figures(plain)
    stated = known(alike)
    places = [(figure.start, figure.end) for figure in mine if not agrees(figure, stated)]
    places += _terms(plain, held)
    spoken = [word for text in (*quotes, held) for word in _spoken(text)]
    places += _names(plain, spoken, [(figure.start, figure.end) for figure in mine])
    places += contradicted(plain, alike)
    return _as_written(sentence, places)


def _as_written(sentence: str, places: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """The words at the places, in order; a place inside another is left out."""
    kept: list[tuple[int, int]] = []
    for start, end in sorted(places, key=lambda place: (place[0], -place[1])):
        if not kept or end > kept[-1][1]:
            kept.append((start, end))
    return tuple(dict.fromkeys(sentence[start:end].strip() for start, end in kept))


def _terms(plain: str, held: str) -> Iterator[tuple[int, int]]:
    """Words in quote marks that the quotes do not hold."""
    for found in _QUOTED.finditer(plain):
        parts = _ELISION.split(found[found.lastindex or 0])
        if not all(fold(part).text.strip(" -.,;:、。") in held for part in parts):
            yield found.span(found.lastindex or 0)


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
        if blocked[word.start()] or not _is_name(plain, word) or _held(word[0], vocabulary, initials):
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


def _held(word: str, vocabulary: frozenset[str], initials: str) -> bool:
    """Whether the word, its parts, its singular or plural, or the words that it abbreviates are in the quotes."""
    pieces = _spoken(word.removesuffix("'s").removesuffix("'"))
    whole = "".join(pieces)
    if word.isupper() and 2 <= len(whole) <= 6 and whole in initials:
        return True
    return bool(_forms(whole) & vocabulary) or all(_forms(piece) & vocabulary for piece in pieces)


def _forms(word: str) -> set[str]:
    forms = {word, word + "s", word.removesuffix("s"), word.removesuffix("es")}
    return forms | {
        word.removesuffix("ies") + "y" if word.endswith("ies") else word.removesuffix("y") + "ies"
    }


def _spoken(text: str) -> list[str]:
    """The words of a text without case, accents and hyphens."""
    return _SPOKEN.findall(_MARKS.sub("", unicodedata.normalize("NFKD", text).casefold()))
