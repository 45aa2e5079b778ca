"""Which documents that a question names exist nowhere: not by name, and not in any text that is known."""

from evidence.ranking.names import is_file_name
from evidence.ranking.pins import pinned
from evidence.reading.ground import Ground
from evidence.text.analysis import terms, words
from evidence.text.stopwords import SCAFFOLD, content_terms


def nowhere(subject: str, ground: Ground) -> bool:
    """Whether a named document is none of the known ones: its telling words stand in no name and in no text.

    A neighbour that shares the kind of document only ("the agreement with …") is not the named one. Where not all was
    read, the server must have ranked something for the question, and not this.
    """
    if not ground.documents or not _known_enough(ground):
        return False
    if is_file_name(subject):
        return bool(pinned((subject,), ground.documents)[1])
    proper = {term for word in words(subject) if not word[:1].islower() for term in terms(word)}
    telling = set(content_terms(subject)) - SCAFFOLD
    asked = dict.fromkeys((telling & proper) or telling, 1.0)
    fields, held = ground.collection.fields, ground.collection.lexical.postings
    weight = sum(fields.idf(term) for term in asked)
    if weight <= 0:
        return False
    absent = sum(fields.idf(term) for term in asked if not len(held(term)[0])) / weight
    named = float(fields.scores(asked).name.max(initial=0.0)) / weight
    return named < 0.3 and absent > (0.5 if telling & proper else 0.99)


def _known_enough(ground: Ground) -> bool:
    return ground.collection.whole or any(run.passages for run in ground.retrieved)
