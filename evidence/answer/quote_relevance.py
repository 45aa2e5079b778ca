"""Does a quote speak of what the sentence says that leans on it? One word that stands somewhere proves nothing."""

import re
import unicodedata
from collections.abc import Sequence

from evidence.language.detect import language_of
from evidence.language.figures import agrees, figures, known
from evidence.language.function_words import SCAFFOLD, content_terms, significant_terms
from evidence.language.headings import is_heading
from evidence.language.normalise import is_cjk
from evidence.language.scripts import has_cjk
from evidence.language.sentences import sentences
from evidence.language.terms import terms
from evidence.model import Quote

_CLAUSE = 3  # content terms, or
_CJK_CLAUSE = 8  # characters, from which a quote is a clause
_SHARE = 1 / 3  # of a sentence's content terms that its quotes must hold
_NAME = re.compile(r"(?<=[\w,] )[A-Z][\w&-]{2,}")


def is_clause(quote: Quote, sentence: str) -> bool:
    """Whether the quote is long enough to prove the sentence.

    A shorter one still is when it is a whole sentence of its segment, a figure that the sentence states, or two
    words or more that are at least half of what the sentence says.
    """
    words = quote.text
    own = significant_terms(words)
    long = sum(map(is_cjk, words)) >= _CJK_CLAUSE if has_cjk(words) else len(own) >= _CLAUSE
    if long or not sentence or _is_sentence(quote):
        return True
    stated = known([sentence])
    if any(figure.kind != "number" and agrees(figure, stated) for figure in figures(words)):
        return True
    terms = significant_terms(sentence)
    return len(own) > 1 and 2 * len(terms & own) >= len(terms)


def _is_sentence(quote: Quote) -> bool:
    text, words = quote.segment.text, quote.text.strip(" .")
    return not is_heading(words) and any(
        text[span.start : span.end].strip(" .") == words and not is_heading(text[span.start : span.end])
        for span in sentences(text)
    )


def bears_on(quotes: Sequence[Quote], sentence: str) -> bool:
    """Whether quotes and sentence share a third of its content terms, a figure or a name.

    Not asked where they are written in different languages, and of a sentence without content, as "Yes.".
    """
    quoted = [f"{quote.text} {quote.segment.question}" for quote in quotes]
    sentence_terms = set(content_terms(sentence)) - SCAFFOLD
    sentence_terms = (
        sentence_terms - {term for quote in quotes for term in terms(quote.segment.document.name)}
        or sentence_terms
    )
    if not sentence_terms or any(_language(quote.segment.text) != _language(sentence) for quote in quotes):
        return True
    quoted_terms = {term for text in quoted for term in terms(text)}
    if len(sentence_terms & quoted_terms) >= _SHARE * len(sentence_terms):
        return True
    stated = known(quoted)
    if any(agrees(figure, stated) for figure in figures(sentence)):
        return True
    names = set(_NAME.findall(sentence))
    return any(names & set(_NAME.findall(text)) for text in quoted)


def _language(text: str) -> str:
    """The language of a text, or its script where that is none of the languages known here."""
    language = language_of(text)
    letter = next((char for char in text if char.isalpha()), "a")
    return language if language != "en" else unicodedata.name(letter, "LATIN").split()[0]
