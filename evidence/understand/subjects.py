"""A first guess, by syntax alone, of the words of a question that name documents, and of what is left.

Questions name documents by marked names (《…》, file names, quotations with a word for a kind of document), by
noun phrases around such a word, and by bare names in a place where a document is named ("Compare A and B",
"According to A, …"). Whether such a document exists is not known here: the catalogue decides later.
"""

import re
from dataclasses import dataclass
from itertools import pairwise

from evidence.language.editions import with_editions
from evidence.language.function_words import content_words
from evidence.language.named_parties import PARTY_WORDS
from evidence.language.rules import every
from evidence.language.scripts import has_cjk
from evidence.language.terms import terms
from evidence.model import Span
from evidence.understand.noun_phrases import cjk_phrases, english_phrases, name_run, words_of

_ENDINGS = r"(?:txt|pdf|docx?|md|rtf|odt|xlsx?|pptx?|html?|csv|json)"
_PATH = r"\s,;:!?\"'“”‘’《》「」()（），。；：？！、"  # what stands in no file name
_FILE = re.compile(rf"(?<![^{_PATH}])[^{_PATH}]+\.{_ENDINGS}\b", re.IGNORECASE)
_TITLE = re.compile(r"《[^《》]{1,120}》|『[^『』]{1,120}』")
_QUOTED = re.compile(r"\"[^\"]{2,120}\"|“[^“”]{2,120}”|「[^「」]{2,120}」")
_OWNED = re.compile(
    r"['’]s\b| (?P<word>[a-z]+)"
)  # after a quoted name: what it owns, or the kind that it names
_MARKS = re.compile(r"[;:；：,.–—-]")
_ASKING = (
    r"(?:what|which|who|whom|when|where|why|how|does|do|did|is|are|was|were|can|could|may|might|must|shall|should"
    r"|will|would|has|have|had|list|name|find|show|give|tell|explain|describe|summari[sz]e|please|state|specify"
    r"|whether|if|under|identify)\b"
)
_CUE = (
    r"(?P<cue>please consider|consider(?:ing)?|in|according to|as per|per|under|based on|regarding|concerning"
    r"|with (?:regard|respect|reference) to|as for|about|for(?: both| each of)?|across|between|within"
    r"|looking at|look at"
    r"|given|referring to|refer to|from|compare|contrast|on|take|see|in both|as regards) "
)
_PREFIX = re.compile(
    rf"^(?:{_CUE})?(?P<names>.{{2,400}}?)(?P<mark> ?[;:；：] ?|, ?(?={_ASKING})| [-–—] |\. (?={_ASKING}))"
    r"(?P<rest>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)
_PREFIXES = 8  # "Lease: Annex B: …" has two
_PLACES = frozenset("in on within from between given take see about".split())  # "In Germany, …"
_COMPARES = re.compile(
    r"\bdifferences? between\b|\bcompar(?:e|ison of|ison between)\b|^contrast\b|\bdiffers?\b"
    r"|\bsimilarities between\b|\b(?:versus|vs\.?)(?!\w)|\bdo(?:es)? both\b|\bfor both\b",
    re.IGNORECASE,
)
_AND = re.compile(rf"^ ?(?:,|&|{every('conjunction')}) ?(?:the|both)? ?$", re.IGNORECASE)
_BEFORE = re.compile(
    r"(?:\b(?:according to|as per|based on|across|between|under|in|of|from|by|per|within|for|on|at|with|to"
    r"|both) ){1,6}$",
    re.IGNORECASE,
)
_BEFORE_CJK = re.compile(rf"(?:{every('before_name', spaced=False)})$")
_AFTER_CJK = re.compile(rf"^(?:{every('after_name', spaced=False)})?")
_STIPULATED = re.compile(  # beside a name, what it says of something; by itself perhaps a name
    rf"(?:{every('stipulates', spaced=False)})$"
)
_FIRM = re.compile(rf"{every('firm', spaced=False)}|[A-Z]")
_TWO = re.compile(r"(?<![\w-])(?:the )?(?P<a>[A-Z][\w-]*) and (?P<b>[A-Z][\w-]*) [a-z]+s")
_ARTICLE = re.compile(r"^(?:the|our|my|both) ", re.IGNORECASE)
_LAST_ARTICLE = re.compile(r"\b(?:the|our|my|both|an?) $", re.IGNORECASE)
_OWNS = re.compile(r"['’]s?\s")
_SPACED_MARK = re.compile(r" ([?.,;:!])")
_SENTENCE = re.compile(r"[^?？!！。]+[?？!！。]?")


@dataclass(frozen=True, slots=True)
class Split:
    """`subjects` one entry a document; `topic` is the rest; `sure` when every subject names a kind or is marked."""

    subjects: tuple[str, ...]
    topic: str
    sure: bool = True


def split(text: str, prefixes: int = _PREFIXES) -> Split:
    """What a question names and what it asks; never raises; the topic is empty only for a blank question.

    At most so many `prefixes` are taken off its beginning.
    """
    text = " ".join(text.split())
    prefix = _PREFIX.match(_veiled(text)) if prefixes else None
    if prefix and (before := _before_the_question(text, prefix, prefixes)):
        return before
    spans, sure = _named(text), True
    if not spans:
        spans = _compared(text)
        sure = not spans
    editions = with_editions(text, spans)
    names = [name for named in editions for name in named.names]
    return Split(_unique(names), _left_over(text, [named.span for named in editions]), sure)


def _before_the_question(text: str, prefix: re.Match[str], prefixes: int) -> Split | None:
    """What is named in front of a question: "Consider the lease; who pays?"."""
    names, rest = (text[slice(*prefix.span(group))] for group in ("names", "rest"))
    spans, sure = _named(names), True
    if not spans:
        spans, sure = _bare_prefix(prefix, names), False
    if not spans or not content_words(rest):
        return None
    inner = split(rest, prefixes - 1)
    more = inner.subjects if inner.sure else ()
    subjects = [name for named in with_editions(names, spans) for name in named.names]
    return Split(_unique([*subjects, *more]), (inner.topic if more else rest).strip(), sure)


def _unique(names: list[str]) -> tuple[str, ...]:
    clean = (_ARTICLE.sub("", name.strip(' "“”「」《》『』,;:')) for name in names)
    return tuple({name.casefold(): name for name in clean if name}.values())


def _named(text: str) -> list[Span]:
    """Marked names first; a noun phrase or a Chinese name counts only outside of them."""
    marked = [Span(*match.span()) for pattern in (_TITLE, _FILE) for match in pattern.finditer(text)]
    marked += [Span(*match.span()) for match in _QUOTED.finditer(text) if _names_a_document(text, match)]
    phrases = [part for phrase in english_phrases(text) for part in _halves(text, phrase)]
    if has_cjk(text):
        phrases += cjk_phrases(text)
    spans: list[Span] = []
    for span in [*marked, *phrases]:
        if all(span.end <= other.start or span.start >= other.end for other in spans):
            spans.append(span)
    proper = [span for span in spans if not _STIPULATED.search(text[span.start : span.end])]
    return sorted(proper or spans, key=lambda span: span.start)


def _names_a_document(text: str, quoted: re.Match[str]) -> bool:
    """Whether what stands in quotation marks, or what follows it, is of a kind of document."""
    inside, after = quoted[0][1:-1], _OWNED.match(text, quoted.end())
    owns = after is not None and (not after["word"] or bool(english_phrases(f"the X {after['word']}")))
    return owns or bool(english_phrases(f"the {inside}") or cjk_phrases(inside) or _FILE.search(inside))


def _halves(text: str, span: Span) -> list[Span]:
    """ "the Acme and Globex contracts" names two documents."""
    match = _TWO.fullmatch(text, span.start, span.end)
    return [Span(*match.span("a")), Span(match.start("b"), span.end)] if match else [span]


def _veiled(text: str) -> str:
    """The text, as long, without marks inside of quotation marks: "Keep - Home Trainer" is one name."""
    return _QUOTED.sub(lambda quoted: _MARKS.sub("·", quoted[0]), text)


def _bare_prefix(prefix: re.Match[str], names: str) -> list[Span]:
    """Names without a kind before the question; "In Germany, …" is a place, "For Acme, …" may be a document."""
    cue, mark = (prefix["cue"] or "").casefold(), prefix["mark"].strip()
    if (cue in _PLACES and mark == ",") or (not cue and (len(names.split()) > 6 or mark not in ";:；：")):
        return []
    if has_cjk(names) and _FIRM.search(names) and len(names) <= 20:
        return [Span(0, len(names))]
    words = words_of(names)
    return _names(names) if words and (words[0].capital or words[0].low in {"the", "both"}) else []


def _names(text: str) -> list[Span]:
    """Runs of capitalised words, "and" and commas between them."""
    words, spans, at = words_of(text), list[Span](), 0
    while at < len(words):
        end = name_run(text, words, at, ("of", "the", "de", "&"))
        run = words[at:end]
        bare = len(run) == 1 and run[0].text.isdigit()
        if run and not bare and not any(word.low in PARTY_WORDS for word in run):
            spans.append(Span(run[0].start, run[-1].end))
        at = max(end, at + 1)
    return spans


def _compared(text: str) -> list[Span]:
    """The sides of a comparison that has names without a kind: "How do Acme and Globex differ?"."""
    if not _COMPARES.search(text):
        return []
    names = [span for span in _names(text) if span.start or not _COMPARES.match(text[: span.end])]
    sides = {side for a, b in pairwise(names) if _AND.match(text[a.end : b.start]) for side in (a, b)}
    return sorted(sides, key=lambda span: span.start)


def _left_over(text: str, spans: list[Span]) -> str:
    """The question with names cut out: after a preposition with it, elsewhere "the document" stands in."""
    if not spans:
        return text.strip()
    groups: list[Span] = []
    for span in spans:
        if groups and _AND.match(text[groups[-1].end : span.start]):
            groups[-1] = Span(groups[-1].start, span.end)
        else:
            groups.append(span)
    rest = text
    for span in reversed(groups):
        rest = _without(rest, span)
    asking = _asking(rest)
    return asking if terms(asking) else text.strip()


def _without(text: str, span: Span) -> str:
    before, after = text[: span.start], text[span.end :]
    if has_cjk(before[-1:] + text[span.start : span.end] + after[:1]):
        return _BEFORE_CJK.sub("", before) + _AFTER_CJK.sub("", after, count=1)
    before = _LAST_ARTICLE.sub("", before)
    owner = _OWNS.match(after)
    if owner:
        return f"{before}the {after[owner.end() :]}"
    cut = _BEFORE.sub("", before)
    return cut + after if cut != before else f"{before}the document{after}"


def _asking(rest: str) -> str:
    """Without the sentences that ask nothing any more ("How does the document differ on this point?")."""
    clean = _SPACED_MARK.sub(r"\1", " ".join(rest.split())).strip(" ,;:，；：、")
    asking = [part.strip() for part in _SENTENCE.findall(clean) if content_words(part)]
    return " ".join(asking) if asking else clean
