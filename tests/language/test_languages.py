"""Seven languages, a table each: told apart by their script or their function words, and spoken back."""

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence.answer import layout
from evidence.answer.phrases import is_ours, language_name, opening, phrase
from evidence.index.names import name_terms
from evidence.language.detect import language_of
from evidence.language.function_words import content_terms, content_words
from evidence.language.rules import by_language, every
from evidence.language.table import Rule
from evidence.language.tables import LANGUAGES
from evidence.language.terms import terms

QUESTIONS = {
    "en": [
        "What is the notice period?",
        "notice period",
        "Rio de Janeiro lease",
        "Die hard discount",
        "Acme's Non-Disclosure Agreement",
        "QR-2000",
        "",
    ],
    "zh": ["保密期限是多久？", "NDA 的期限"],
    "ja": ["購買には誰の承認が必要ですか。", "リースの期間"],
    "de": [
        "Wie lange ist die Kündigungsfrist?",
        "Was steht im Vertrag über die Kaution?",
        "Kündigungsfrist Mietvertrag",
    ],
    "pt": ["Qual é o prazo de aviso prévio?", "Quanto tempo tenho para devolver o produto?"],
    "es": ["¿Cuál es el plazo de preaviso?", "Cómo se cancela el contrato y quién paga los gastos"],
    "fr": ["Quel est le délai de préavis ?", "Combien de jours de congés sont accordés par an"],
}


@pytest.mark.parametrize(
    ("code", "question"), [(code, text) for code, texts in QUESTIONS.items() for text in texts]
)
def test_a_question_is_known_by_its_language(code: str, question: str) -> None:
    assert code == language_of(question)


@given(st.text(max_size=300))
def test_any_text_has_one_of_the_languages_of_the_tables(text: str) -> None:
    assert language_of(text) in LANGUAGES


@pytest.mark.parametrize(
    ("question", "passage", "shared"),
    [
        ("Wann endet das Mietverhältnis?", "Die Mietverhältnisse enden nach zwei Jahren.", "mietverhaltnis"),
        ("Quais são as garantias?", "A garantia não cobre os danos de transporte.", "garant"),
        ("¿Cuáles son los plazos de entrega?", "El plazo de entrega es de tres días.", "plaz"),
        (
            "Quelles sont les conditions générales ?",
            "La condition générale est la suivante pour nous.",
            "condit",
        ),
    ],
)
def test_inflected_words_meet_by_the_stems_of_their_language(
    question: str, passage: str, shared: str
) -> None:
    assert shared in set(content_terms(question)) & set(terms(passage))


def test_the_name_of_a_document_is_met_by_a_query_too_short_to_tell_its_language() -> None:
    assert set(terms("Formel kopieren")) <= name_terms("Kopieren einer Formel in der Tabelle.md")


def test_what_frames_a_german_question_is_no_content() -> None:
    assert ["Kündigungsfrist", "Mieter"] == content_words("Wie lange ist die Kündigungsfrist für den Mieter?")


def blanks(written: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(written) if name}


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_has_all_our_sentences_with_the_same_blanks(code: str) -> None:
    english = {name: blanks(written) for name, written in LANGUAGES["en"].phrases.items()}
    assert english == {name: blanks(written) for name, written in LANGUAGES[code].phrases.items()}


@pytest.mark.parametrize(("code", "question"), [(code, texts[0]) for code, texts in QUESTIONS.items()])
def test_our_own_sentences_come_in_the_language_of_the_question(code: str, question: str) -> None:
    said = phrase("missing", question, names="Acme")
    assert (LANGUAGES[code].phrases["missing"].format(names="Acme"), True) == (said, is_ours(said))


@pytest.mark.parametrize(("code", "question"), [(code, texts[0]) for code, texts in QUESTIONS.items()])
def test_the_lines_around_an_answer_come_in_its_language_and_claim_nothing(code: str, question: str) -> None:
    forms = [name for name in LANGUAGES[code].phrases if name.startswith(("title_", "label_", "foot_"))]
    lines = [layout.line_of(name, question, names="Acme", reason="12 of 40") for name in forms]
    assert len(forms) == sum(
        LANGUAGES[code].phrases[name].partition("{")[0] in line
        for name, line in zip(forms, lines, strict=True)
    )
    assert [] == list(layout.claimed("\n\n".join(lines), ()))


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_verdict_of_ours_is_read_back_as_one(code: str) -> None:
    said = [
        f"{LANGUAGES[code].phrases[name]}{LANGUAGES[code].phrases['stop']}Rest"
        for name in ("yes", "no", "not_stated")
    ]
    assert [("yes", "Rest"), ("no", "Rest"), ("not_stated", "Rest")] == [opening(each) for each in said]


def test_a_model_is_told_the_language_by_its_name() -> None:
    assert ["German", "the language of the question"] == [
        language_name(text) for text in ("Wie lange ist die Frist?", "How long?")
    ]


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_month_has_twelve_names_and_rules_are_patterns(code: str) -> None:
    table = LANGUAGES[code]
    assert len(table.months.split()) in (0, 12)
    assert all(re.compile(piece) for piece in (*table.rules.values(), *table.dates.values()))


def test_a_rule_is_asked_of_the_language_of_the_text_or_of_all() -> None:
    rule: Rule = "asks_time"
    assert ["en", "zh"] == [
        code
        for code, text in (("en", "when"), ("de", "when"), ("zh", "多久"))
        if by_language(rule)[code].search(text)
    ]
    assert re.search(every(rule), "bis wann")
