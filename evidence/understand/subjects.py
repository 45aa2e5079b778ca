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
from evidence.language.rules import every
from evidence.language.scripts import has_cjk
from evidence.language.terms import terms
from evidence.model import Span
from evidence.understand.cjk_subjects import FIRM, cjk_compared, cjk_phrases
from evidence.understand.noun_phrases import Word, name_run, phrases, words_of

_ENDINGS = r"(?:txt|pdf|docx?|md|rtf|odt|xlsx?|pptx?|html?|csv|json)"
_PATH = r"\s,;:!?\"'“”‘’《》「」()（），。；：？！、"  # what stands in no file name
_FILE = re.compile(rf"(?<![^{_PATH}])[^{_PATH}]+\.{_ENDINGS}\b", re.IGNORECASE)
_TITLE = re.compile(r"《[^《》]{1,120}》|『[^『』]{1,120}』")
_AFTER = re.compile(
    r"['’]s\b| (?P<word>[a-z]+)"
)  # what a name in quotation marks owns, or the kind that it names
_MARKS = re.compile(r"[;:；：,.–—-]")
_QUOTED = re.compile(r"\"[^\"]{2,120}\"|“[^“”]{2,120}”|「[^「」]{2,120}」")
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
_PLACES = frozenset("in on within from between given take see about".split())
_DIFFER = re.compile(
    r"\bdifferences? between\b|\bcompar(?:e|ison of|ison between)\b|^contrast\b|\bhow (?:do|does|did)\b"
    r"|\bsimilarities between\b"
    r"|\b(?:versus|vs\.?)(?!\w)|\bdo(?:es)? both\b|\bfor both\b",
    re.IGNORECASE,
)
_DIFFER_CJK = re.compile(every("differs", spaced=False))
_AND = re.compile(rf"^ ?(?:,|&|{every('conjunction')}) ?(?:the|both)? ?$", re.IGNORECASE)
_BEFORE = re.compile(
    r"(?:\b(?:according to|as per|based on|across|between|under|in|of|from|by|per|within|for|on|at|with|to"
    r"|both) ){1,6}$",
    re.IGNORECASE,
)
_AFTER_CJK = re.compile(rf"^(?:{every('after_name', spaced=False)})?")
_BEFORE_CJK = re.compile(rf"(?:{every('before_name', spaced=False)})$")
_STIPULATED = re.compile(  # beside a name, what it says of something; by itself perhaps a name
    rf"(?:{every('stipulates', spaced=False)})$"
)
_TWO = re.compile(r"(?<![\w-])(?:the )?(?P<a>[A-Z][\w-]*) and (?P<b>[A-Z][\w-]*) [a-z]+s")
_PREFIXES = 8  # "Lease: Annex B: …" has two
_ARTICLE = re.compile(r"^(?:the|our|my|both) ", re.IGNORECASE)
_LAST_ARTICLE = re.compile(r"\b(?:the|our|my|both|an?) $", re.IGNORECASE)
_POSSESSIVE, _OWNS = re.compile(r"['’]s?$"), re.compile(r"['’]s?\s")
_LENIENT = re.compile(r" ([?.,;:!])")
_SENTENCE = re.compile(r"[^?？!！。]+[?？!！。]?")
_CONTRACTED = frozenset(
    "what's it's let's how's who's that's there's where's here's when's he's she's".split()
)
_ROLE = re.compile(
    r"\b(?:part(?:y|ies)|confidential|receiving|disclosing|employee|employer|company|supplier|tenant)",
    re.IGNORECASE,
)


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
    if prefix:
        named_first, rest = (text[slice(*prefix.span(group))] for group in ("names", "rest"))
        spans, sure = _named(named_first), True
        if not spans:
            spans, sure = _bare_prefix(prefix, named_first), False
        if spans and content_words(rest):
            inner = split(rest, prefixes - 1)
            more = inner.subjects if inner.sure else ()
            topic = inner.topic if more else rest
            names = [name for named in with_editions(named_first, spans) for name in named.names]
            return Split(_unique([*names, *more]), topic.strip(), sure)
    spans, sure = _named(text), True
    if not spans:
        spans = _bare(text)
        sure = not spans
    if not spans and (owner := _owner(text)):
        # "Tesla's patents" may mean a person: the guess is made, and the topic keeps the name.
        return Split(_unique([text[owner.start : owner.end]]), text.strip(), sure=False)
    named = with_editions(text, spans)
    names = [name for each in named for name in each.names]
    return Split(_unique(names), _left_over(text, [each.span for each in named]), sure)


def _unique(names: list[str]) -> tuple[str, ...]:
    clean = (_ARTICLE.sub("", name.strip(' "“”「」《》『』,;:')) for name in names)
    return tuple({name.casefold(): name for name in clean if name}.values())


def _named(text: str) -> list[Span]:
    """Marked names first; a noun phrase or a Chinese name counts only outside of them."""
    marked = [Span(*m.span()) for pattern in (_TITLE, _FILE) for m in pattern.finditer(text)]
    for match in _QUOTED.finditer(text):
        inside = match.group()[1:-1]
        after = _AFTER.match(text, match.end())
        owns = after is not None and (not after["word"] or bool(phrases(f"the X {after['word']}")))
        if owns or phrases(f"the {inside}") or cjk_phrases(inside) or _FILE.search(inside):
            marked.append(Span(*match.span()))
    found = [part for phrase in phrases(text) for part in _halves(text, phrase.span)]
    if has_cjk(text):
        found += cjk_phrases(text)
    kept: list[Span] = []
    for span in [*marked, *found]:
        if all(span.end <= other.start or span.start >= other.end for other in kept):
            kept.append(span)
    told = [span for span in kept if not _STIPULATED.search(text[span.start : span.end])]
    return sorted(told or kept, key=lambda span: span.start)


def _halves(text: str, span: Span) -> list[Span]:
    """ "the Acme and Globex contracts" names two documents."""
    words = text[span.start : span.end]
    match = _TWO.fullmatch(words)
    if match is None:
        return [span]
    return [
        Span(span.start + match.start("a"), span.start + match.end("a")),
        Span(span.start + match.start("b"), span.end),
    ]


def _veiled(text: str) -> str:
    """The text, as long, without marks inside of quotation marks: "Keep - Home Trainer" is one name."""
    return _QUOTED.sub(lambda found: _MARKS.sub("·", found[0]), text)


def _bare_prefix(prefix: re.Match[str], names: str) -> list[Span]:
    """Names without a kind before the question; "In Germany, …" is a place, "For Acme, …" may be a document."""
    cue = (prefix["cue"] or "").casefold()
    if not cue and (len(names.split()) > 6 or prefix["mark"].strip() not in {":", ";", "：", "；"}):
        return []
    if cue in _PLACES and prefix["mark"].strip() == ",":
        return []
    if has_cjk(names) and FIRM.search(names) and len(names) <= 20:
        return [Span(0, len(names))]
    found = words_of(names)
    return _names(names, found) if found and (found[0].capital or found[0].low in {"the", "both"}) else []


def _names(text: str, found: list[Word]) -> list[Span]:
    """Runs of capitalised words, "and" and commas between them."""
    spans, at = [], 0
    while at < len(found):
        end = name_run(text, found, at, "of the de &")
        run = found[at:end]
        if (
            run
            and not (len(run) == 1 and (run[0].stop or run[0].text.isdigit()))
            and not _ROLE.search(text[run[0].start : run[-1].end])
        ):
            spans.append(Span(run[0].start, run[-1].end))
        at = max(end, at + 1)
    return spans


def _bare(text: str) -> list[Span]:
    """The sides of a comparison that has names without a kind: "How do Acme and Globex differ?"."""
    if has_cjk(text) and _DIFFER_CJK.search(text):
        return cjk_compared(text)
    if not _DIFFER.search(text):
        return []
    named = [s for s in _names(text, words_of(text)) if s.start or not _DIFFER.match(text[s.start : s.end])]
    sides = {s for a, b in pairwise(named) if _AND.match(text[a.end : b.start]) for s in (a, b)}
    return sorted(sides, key=lambda s: s.start)


def _owner(text: str) -> Span | None:
    """ "What is Acme's notice period?" may mean a document of Acme's."""
    found = words_of(text)
    for at, word in enumerate(found):
        if not word.owner or not word.capital or word.low in _CONTRACTED:
            continue
        start = at
        while start and found[start - 1].capital and not found[start - 1].stop and not found[start - 1].first:
            start -= 1
        name = text[found[start].start : word.end]
        if not _ROLE.search(name):
            return Span(found[start].start, word.end - len(_POSSESSIVE.findall(name)[0]))
    return None


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
    clean = _LENIENT.sub(r"\1", " ".join(rest.split())).strip(" ,;:，；：、")
    parts = [part for part in _SENTENCE.findall(clean) if part.strip()]
    asking = [part.strip() for part in parts if content_words(part)]
    return " ".join(asking) if asking else clean
