"""What kind of answer a question wants, by its form, in the language of the question.

Order of precedence, first match wins, after a polite opening ("could you please") is cut off:

1. compare    words of comparison, or two and more documents named
2. summarise  an order to summarise, or "give me an overview of"
3. list_all   an order to list, "which documents"
4. define     "what does X mean", "what is X" with a bare X
5. yes_no     begins with an auxiliary verb, or "whether"; in Chinese and Japanese, ends with a particle that asks
6. lookup     everything else
"""

from evidence.language.detect import language_of
from evidence.language.rules import by_language, patterns_by_language
from evidence.model import Intent

_POLITE = by_language("polite")
_COMPARE, _SUMMARISE, _LIST, _DEFINE = (
    by_language("compare"),
    by_language("summarise"),
    by_language("list_all"),
    by_language("define"),
)
_WHETHER = by_language("whether")
_YES_NO, _ASKS = patterns_by_language("yes_no"), patterns_by_language("asks")


def _opened(text: str, language: str) -> str:
    """The question without its polite opening; the auxiliary of "can you list …" asks nothing."""
    for _ in range(3):
        text, before = _POLITE[language].sub("", text.strip()), text.strip()
        if text == before:
            break
    return text.strip()


def _yes_no(text: str, language: str) -> bool:
    """Whether a language has it that the question is yes or no, and no question word of that language is in it."""
    return any(
        yes_no.search(text) and not asks.search(text)
        for yes_no, asks in zip(_YES_NO[language], _ASKS[language], strict=True)
    )


def _wants(text: str, language: str) -> Intent:
    if not _WHETHER[language].search(text):
        if _SUMMARISE[language].search(text):
            return "summarise"
        if _LIST[language].search(text):
            return "list_all"
        if _DEFINE[language].search(text):
            return "define"
    return "yes_no" if _yes_no(text, language) else "lookup"


def intent_of(text: str, topic: str = "", documents: int = 0) -> Intent:
    """The intent of a question; `topic` is the question without the words that name its `documents`."""
    language = language_of(text)
    opened = _opened(text, language)
    if _COMPARE[language].search(opened):
        return "compare"
    first = _wants(opened, language)
    if first == "lookup" and topic:
        first = _wants(_opened(topic, language), language)
    if documents > 1 and first in {"lookup", "yes_no"}:
        return "compare"
    return first
