"""The parts that an answer must cover, each a question that can be asked alone.

Rules after what people write: several sentences, "… and how long …", and "… about A, B and C". What cannot be
parted safely stays whole; more than five parts are not made.
"""

import re

from evidence.language.function_words import content_words
from evidence.language.scripts import has_cjk

MOST = 5
_SENTENCE = re.compile(r"(?<=[?？!！。；;])\s*|(?<=\w\w\w\w\.)\s+(?=[A-Z])|\n+")
_SOMEBODY = r"(?=(?:the|an?|any|all|it|they|he|she|we|you|i|there|this|that|these|those|each)\b|(?-i:[A-Z]))"
_ASK = (
    r"(?:(?:what|which|who|whom|whose|when|where|why|how|under (?:what|which)|for how|at what|by when|by whom"
    rf"|to whom|if so)\b|(?:does|do|did|is|are|was|were|can|could|may|must|shall|should|will|would|has|have"
    rf"|had) {_SOMEBODY})"
)
_AND_ASK = re.compile(
    rf" ?[,;]? (?:and|as well as|and also|or|but) (?:also )?(?={_ASK})", re.IGNORECASE
)  # single blanks stand between words
_AND_CJK = re.compile(r"[，,、]\s*(?:以及|并且|还有|另外|同时|また|そして)?|(?:以及|并且)")
_ASKING_CJK = re.compile(
    r"是否|什么|多少|多久|多长|几|哪|谁|如何|怎|何|吗|能否|可否|有没有|どの|どう|いつ|いくら|どこ|だれ|誰"
    r"|ですか|ますか"
)
_LIST = re.compile(
    r"^(?P<stem>.*\b(?P<over>about|on|regarding|concerning|covering|of|for) (?:the |its )?)"
    r"(?P<items>[^?]{2,200}? and [^?]{2,60}?)(?P<end> ?[?.]?)$",
    re.IGNORECASE,
)
_PAIRS_TOO = re.compile(
    r"\b(?:about|regarding|concerning)$|^(?:compare|contrast)\b|\bdiffer\b", re.IGNORECASE
)
_NO_ITEM = re.compile(rf"(?:{_ASK}|(?:by|in|to|with|at|from|if|a|an)\b|\d)", re.IGNORECASE)
_LIST_CJK = re.compile(
    r"^(?P<stem>.*?(?:关于|对于|[的の]|は))?(?P<items>[^，。？?、的]{2,10}(?:、[^，。？?、]{2,10}?){1,8}"
    r"(?:(?:和|与|及|以及)[^，。？?、]{2,10}?)?)"
    r"(?P<end>(?:分别|各自|方面|的(?:规定|约定|要求|条款)|を|は|について|有什么|是什么|是多少|怎么|如何).*)$"
)


_COMMA, _COMMA_CJK = re.compile(r", ?(?:and )?| and "), re.compile(r"、|以及|[和与及]")


def facets(topic: str) -> tuple[str, ...]:
    """One to five questions that together ask what the topic asks; none for a blank topic."""
    parts = [part for sentence in _SENTENCE.split(topic) for part in _asked(" ".join(sentence.split()))]
    listed = [facet for part in parts for facet in _listed(part)]
    unique = {facet.casefold(): facet for facet in map(_tidy, listed) if content_words(facet)}
    if not 1 < len(unique) <= MOST:
        whole = _tidy(topic)
        return tuple(unique.values())[:1] if len(unique) == 1 else ((whole,) if whole else ())
    return tuple(unique.values())


def _tidy(text: str) -> str:
    return text.strip().strip(" ,;，；、").strip()


def _asked(sentence: str) -> list[str]:
    """A sentence parted where a new question begins; too little left of the cut keeps it whole."""
    if has_cjk(sentence):
        parts = _AND_CJK.split(sentence)
        return parts if all(map(_ASKING_CJK.search, parts)) and all(map(content_words, parts)) else [sentence]
    parts = _AND_ASK.split(sentence)
    return parts if all(map(content_words, parts)) else [sentence]


def _listed(question: str) -> list[str]:
    """ "… about A, B and C" asked of each; a pair is parted only where it is clearly a list of subjects."""
    match, separator, fewest = _LIST.match(question), _COMMA, 3
    if match is None:
        match, separator, fewest = _LIST_CJK.match(question), _COMMA_CJK, 2
    elif _PAIRS_TOO.search(match["over"]) or _PAIRS_TOO.search(question):
        fewest = 2
    if match is None:
        return [question]
    items = [item.strip() for item in separator.split(match["items"])]
    odd = any(len(item.split()) > 4 or _NO_ITEM.match(item) or not content_words(item) for item in items)
    if odd or not fewest <= len(items) <= MOST:
        return [question]
    return [f"{match['stem'] or ''}{item}{match['end']}" for item in items]
