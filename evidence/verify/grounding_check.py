"""
Which details of a sentence none of its quotes holds, and where it says something else than they do.

Names, defined terms and addresses are looked for in the quotes; figures, small words that carry meaning, and how far a
statement goes are compared (see figure_check, meaning_check, scope_check, role_check). All by rules, so that the same
answer always gets the same verdict; what they cannot tell, they let pass. Names are checked where a script has
capitals; Chinese and Japanese names only inside quote marks.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from evidence.language.detect import language_of
from evidence.language.figures import figures
from evidence.language.normalise import fold, is_cjk
from evidence.language.scripts import has_cjk
from evidence.language.synonyms import concepts
from evidence.language.tables import LANGUAGES
from evidence.language.terms import terms
from evidence.verify.figure_check import (
    Doubt,
    exchanged,
    figured,
    other_start,
    other_terms,
    turned_bounds,
    unproven_figures,
)
from evidence.verify.meaning_check import denials, modes, opposites
from evidence.verify.role_check import exchanged_roles
from evidence.verify.scope_check import overstatements
from evidence.verify.words import Text, read

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
_COMPARED = 4_000  # characters of a quote that a sentence may contradict
_REMEMBERED = 4_000  # characters of a sentence and its quotes
_LONGEST_DETAIL = 60  # characters
_ADDRESS = re.compile(  # of the web, of mail, of a file; with or without its scheme
    r"""(?<![A-Za-z0-9@._%/-])(?:
      (?:[A-Za-z][A-Za-z0-9+.-]{1,20}://|(?:mailto|tel|javascript|data|file):)[^\s<>()\[\]"'，。；]+
    | (?:[A-Za-z0-9._%+-]{1,64}@)?(?:[A-Za-z0-9-]{1,63}\.){1,8}(?:[a-z]{2,24}|[A-Z]{2,24})(?![A-Za-z0-9_])
      (?::\d{1,5})?(?:[/?\#][^\s<>()\[\]"'，。；]*)?          # evil.example/?q=1, a@evil.example
    | \d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5}|/)[^\s<>()\[\]"'，。；]*  # 10.0.0.1/x
    | (?:/[A-Za-z0-9._~%-]{1,80}){2,20}                    # /etc/hosts
    )""",
    re.VERBOSE,
)
_ENGLISH = frozenset(LANGUAGES["en"].function_words.split()) - {
    word for code, table in LANGUAGES.items() if code != "en" for word in table.function_words.split()
}
_TITLED = re.compile(r"\b[A-ZÄÖÜ][\w-]{1,40} [A-ZÄÖÜ]|[A-ZÄÖÜ]{2}|\d")
_INSIDE = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_")  # what goes on an address, in folded text
_OCCURRENCES = 100  # of an address that are looked at
_LONG_WORD = re.compile(rf"[^\s\u2e80-\uffef]{{{_LONGEST_DETAIL + 1},}}")
_NATIONS = tuple(
    tuple(word.replace("_", " ") for word in nation.split())
    for table in LANGUAGES.values()
    for nation in table.nations.split(";")
)
_JOINTS = frozenset("of the and for de van von der la le & in".split())
_FUNCTION = """
a an and any are as at both but by can each either every for from has have he her his how however i if in is it
its may moreover must neither no none nor not nothing of on or our only otherwise shall she should since so some
such that the their then there therefore these they this those thus to under unless upon was we were what when
where whether which while who will with without would yes you your
agreement agreements article articles clause clauses contract document exhibit paragraph party parties schedule
section sections annex appendix term terms
"""
_PASSING = frozenset((*_FUNCTION.split(), *LANGUAGES["en"].function_words.split()))
_QUOTED = re.compile(
    r"“([^”]{2,80})”|\"([^\"]{2,80})\"|「([^」]{2,80})」|『([^』]{2,80})』|《([^》]{2,80})》"
)
_OPENING = re.compile(r"(?:^|[.!?:;。！？：；\n])[\s\"“*_(-]{0,12}$")
_ELISION = re.compile(r"…|\.{3}")
_BETWEEN = re.compile(r"[\sa-z&]{1,10}")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_")
_NEXT = re.compile(r"\s{1,7}(\w)")


def unsupported_details(
    sentence: str, quotes: Sequence[str], question: str = "", beside: Sequence[str] = ()
) -> tuple[str, ...]:
    """Details of the sentence, in its words and order, that no quote holds, or that a quote has otherwise.

    The latter with what it says instead. Markers such as [1] are no details. Names may also stand `beside` the quotes.
    """
    says = LANGUAGES[language_of(sentence)].phrases["instead"]
    details = (
        (sentence[start:end].strip(), quote)
        for start, end, quote in doubts(sentence, quotes, question, beside)
    )
    return tuple(
        dict.fromkeys(
            says.format(detail=detail, quote=quote) if quote else detail for detail, quote in details
        )
    )


def doubts(
    sentence: str, quotes: Sequence[str], question: str = "", beside: Sequence[str] = ()
) -> tuple[Doubt, ...]:
    """The places of these details in order, none overlapping; a figure that repeats the question is none.

    Those of a sentence are kept for next time: one answer is checked more than once.
    """
    if len(sentence) + sum(map(len, quotes)) <= _REMEMBERED:
        return _remembered_doubts(sentence, tuple(quotes), question, tuple(beside))
    return _doubts(sentence, quotes, question, beside)


def _doubts(sentence: str, quotes: Sequence[str], question: str, beside: Sequence[str]) -> tuple[Doubt, ...]:
    plain = _MARKER.sub(lambda match: " " * len(match[0]), sentence[:LONGEST].translate(_SAME))
    if bullet := _BULLET.match(plain):
        plain = " " * bullet.end() + plain[bullet.end() :]
    quotes = [quote[:_LONGEST_QUOTE] for quote in quotes]
    alike = [quote.translate(_SAME) for quote in quotes]
    near = [text.translate(_SAME) for text in beside]
    folded = " ".join(fold(text).text for text in (*quotes, *beside))
    places = [*_terms(plain, folded), *_unquoted_addresses(plain, folded)]
    if has_cjk(plain) or not any(map(has_cjk, alike)):  # a name is not the same in another script
        places += _names(plain, (*alike, *near, folded))
    places += [(LONGEST, min(LONGEST + _LONGEST_DETAIL, len(sentence)))] if len(sentence) > LONGEST else []
    absent = [(start, end, "") for start, end in places]
    return _joined((*absent, *_conflicts(plain, alike, question.translate(_SAME))))


_remembered_doubts = lru_cache(maxsize=500)(_doubts)


def _joined(places: Sequence[Doubt]) -> tuple[Doubt, ...]:
    """Places in order; one inside another is left out, and those that touch and have a quote are one."""
    outermost: list[Doubt] = []
    for start, end, instead in sorted(places, key=lambda doubt: (doubt[0], -doubt[1], not doubt[2])):
        if outermost and end <= outermost[-1][1]:
            continue
        if outermost and instead and outermost[-1][2] and start <= outermost[-1][1] + 1:
            outermost[-1] = (outermost[-1][0], end, outermost[-1][2])
        else:
            outermost.append((start, end, instead))
    return tuple(outermost)


def contradicted(sentence: str, quotes: Sequence[str]) -> bool:
    """Whether the sentence says the reverse of what a quote says, whatever else it adds."""
    plain, *alike = (text[:LONGEST].translate(_SAME) for text in (sentence, *quotes))
    return any(True for _ in _turned(plain, alike, ""))


def _conflicts(plain: str, quotes: Sequence[str], question: str) -> Iterator[Doubt]:
    """Where the sentence says something else, or more, than its quotes say of the same."""
    yield from unproven_figures(plain, quotes, question)
    compared = figured(plain), [figured(quote[:_COMPARED]) for quote in quotes]
    yield from other_terms(*compared)
    yield from other_start(*compared)
    yield from _turned(plain, quotes, question)
    if _comparable(plain, quotes):
        text, texts, of_question = _read(plain, quotes, question)
        yield from exchanged(text, texts)
        yield from overstatements(text, texts, of_question)
        yield from exchanged_roles(text, texts)


def _turned(plain: str, quotes: Sequence[str], question: str) -> Iterator[Doubt]:
    """Where the sentence says the reverse. Less than a year and a "not" is a year or more: two that undo each other."""
    bounds = [
        *turned_bounds(figured(plain), [figured(quote[:_COMPARED]) for quote in quotes], figured(question))
    ]
    if not _comparable(plain, quotes):
        yield from bounds
        return
    text, texts, _ = _read(plain, quotes, question)
    own = {word.term for word in text.words if not word.is_figure}
    if own and not any(own & other.terms for other in texts):
        return
    if not bounds or text.denies == any(other.denies for other in texts):
        yield from (*bounds, *denials(text, texts), *opposites(text, texts))
    yield from modes(text, texts)


def _read(plain: str, quotes: Sequence[str], question: str) -> tuple[Text, list[Text], Text]:
    language = language_of(" ".join((plain, *quotes)))  # one of them alone may be too short to tell
    return read(plain, language), [read(quote, language) for quote in quotes], read(question, language)


def _comparable(sentence: str, quotes: Sequence[str]) -> bool:
    """Whether sentence and quotes may be of one language: a short one does not tell its own."""
    mine, theirs = language_of(sentence), language_of(" ".join(quotes))
    english = {"en"} & {mine, theirs} and len(_ENGLISH & {*sentence.casefold().split()}) < 2
    return _mostly_cjk(sentence) == has_cjk(" ".join(quotes)) and (mine == theirs or bool(english))


def _mostly_cjk(text: str) -> bool:
    """Whether a text is of a script without blanks, and does not only put a name of it in brackets."""
    if not has_cjk(text):
        return False
    latin: int = sum(word.isascii() for word in _SPOKEN.findall(text))
    wide = sum(map(is_cjk, text))
    return wide >= 2 * latin


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


def _names(plain: str, texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Runs of capitalised words that the texts do not hold; in German, where every noun is one, only some."""
    spoken = [word for text in texts for word in _plain_words(_CAMEL.sub(" ", text))]
    pairs = (one + other for one, other in pairwise(spoken))
    vocabulary = frozenset((*spoken, *pairs, *_by_nation(spoken)))
    initials = "".join(word[0] for word in spoken if word not in _JOINTS)
    german = language_of(plain) == "de"
    spoken_terms = frozenset(term for text in texts for term in terms(text))
    for start, end in _unknown_runs(plain, vocabulary, initials):
        others = (other for concept in concepts(plain[start:end]) for other in concept.others)
        if any(other <= spoken_terms for other in others):
            continue
        if not german or (_TITLED.search(plain, start, end) and not _opens(plain, start)):
            yield start, end


def _unknown_runs(plain: str, vocabulary: frozenset[str], initials: str) -> Iterator[tuple[int, int]]:
    words = list(_WORD.finditer(plain))
    capitals = sum(word[0][0].isupper() for word in words)
    if len(words) > 4 and capitals * 10 > len(words) * 6:
        return  # a heading
    blocked = bytearray(len(plain) + 1)
    for figure in figures(plain):
        blocked[figure.start : figure.end] = b"\1" * (figure.end - figure.start)
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


def _opens(plain: str, at: int) -> bool:
    """Whether a sentence begins there."""
    return _OPENING.search(plain[max(0, at - 12) : at]) is not None


def _is_name(plain: str, word: re.Match[str]) -> bool:
    """Capitalised, and not for standing at the beginning of a sentence."""
    if not word[0][0].isupper() or word[0].lower() in _PASSING:
        return False
    if not _opens(plain, word.start()):
        return True
    following = _NEXT.match(plain[word.end() : word.end() + 8])
    return bool(following and following[1].isupper()) or word[0][1:].upper() == word[0][1:] != ""


def _is_quoted(word: str, vocabulary: frozenset[str], initials: str) -> bool:
    """Whether the word, its parts, its singular or plural, or the words that it abbreviates are in the quotes."""
    pieces = _plain_words(word.removesuffix("'s").removesuffix("'"))
    joined = "".join(pieces)
    if "".join(word.partition("'")[:1]).isupper() and 2 <= len(joined) <= 6 and joined in initials:
        return True
    return bool(_forms(joined) & vocabulary) or all(_forms(piece) & vocabulary for piece in pieces)


def _by_nation(spoken: Sequence[str]) -> Iterator[str]:
    """Other words for the nations that are named: "Dutch" for the Netherlands."""
    spoken_text = f" {' '.join(spoken)} "
    for nation in _NATIONS:
        if any(f" {name} " in spoken_text for name in nation):
            yield from (word for name in nation for word in name.split())


def _forms(word: str) -> set[str]:
    forms = {word, word + "s", word.removesuffix("s"), word.removesuffix("es")}
    return forms | {
        word.removesuffix("ies") + "y" if word.endswith("ies") else word.removesuffix("y") + "ies"
    }


def _plain_words(text: str) -> list[str]:
    """The words of a text without case, accents and hyphens."""
    return _SPOKEN.findall(_MARKS.sub("", unicodedata.normalize("NFKD", text).casefold()))
