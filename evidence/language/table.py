"""What a language is made of, as far as a rule of ours needs to know: `tables/` holds one such table a language."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

type Rule = Literal[
    # what a question asks for
    "polite",  # an opening that asks nothing: "could you please"
    "compare",
    "summarise",
    "list_all",
    "define",
    "yes_no",
    "whether",  # a question that is yes or no whatever else is in it
    "asks",  # a question word: a yes-or-no question has none
    # which kind of figure a question asks for
    "asks_figure",
    "asks_time",
    "asks_money",
    "asks_limit",
    "asks_count",
    "asks_share",
    # the parts of a question
    "facet_break",
    "facet_asks",
    "facet_list",
    "facet_separator",
    # what leans on an earlier question
    "opener",
    "closer",
    "points_back",
    "around_name",
    "pronoun",
    "user_label",
    "other_label",
    # which documents are meant
    "firm",
    "owner_unit",
    "document_kind",
    "after_kind",
    "lead_in",
    "asks_which",
    "any_document",
    "conjunction",
    "of",  # characters that join an owner and what is owned
    "before_name",
    "after_name",
    "stipulates",
    "scope_before",
    "scope_after",
    # editions of a document
    "edition",
    "edition_in_name",
    "edition_join",
    "edition_number",
    "newest",
    "oldest",
    "previous",
    "dated_field",
    # what a sentence says
    "forbids",
    "must",  # in a form that looks like a negation
    "grants",
    "excepts",
    "obliges",
    "defines",
    "asks_meaning",
    "takes_back",
    "succeeds",
    "leans_back",
    "compare_frame",
    # how a text is laid out
    "clause_kind",  # the word before a clause number: "Section 4"
    "clause_number",  # a number with its word around it
    "list_number",
    "goes_on",  # after a closing quotation mark
    # numbers
    "share",
    "share_before",
    "currency_after",
    "half_year",
    "after_unit",
    "counter",  # between a number and its unit
    # what a model or a text should not say
    "injection",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language; word lists are words between blanks, rules are patterns in any case.

    `code` is of ISO 639-1, `name` is what a model is told, `stemmer` one of Snowball's. `letters` is a class of
    characters that no other language of the same script needs. A language that is not `spaced` puts no blanks between
    words: its function words are cut out of a text as phrases, its `particles` (a pattern) too.

    `months` and `ordinals` are in order, the spellings of a month joined by "/". `units` are words for a length of
    time by what they are worth; `currencies` words by codes; `dates` are patterns with the groups y, m and d by a
    sign that is in each, where a language writes dates in characters of its own.

    `never_last` are abbreviations after which a sentence goes on, `before_number` those that only a number follows,
    `seldom_last` those that may also end a sentence. `openings` are "yes",
    "no" and "not_stated" as a model begins an answer. `phrases` are our own sentences, of the same names everywhere.
    """

    code: str
    name: str
    stemmer: str = ""
    letters: str = ""
    spaced: bool = True
    function_words: str
    framing_words: str = ""
    function_characters: str = ""
    particles: str = ""
    light_words: str = ""
    nothing: str = ""
    irregular: str = ""
    months: str = ""
    ordinals: str = ""
    number_words: Mapping[str, int] = field(default_factory=dict)
    scale_words: Mapping[str, int] = field(default_factory=dict)
    units: Mapping[tuple[str, int], str] = field(default_factory=dict)
    currencies: Mapping[str, str] = field(default_factory=dict)
    dates: Mapping[str, str] = field(default_factory=dict)
    party_words: str = ""
    never_last: str = ""
    before_number: str = ""
    seldom_last: str = ""
    sentence_openers: str = ""
    sentence_ends: str = ""
    openings: Mapping[str, str]
    rules: Mapping[Rule, str] = field(default_factory=dict)
    phrases: Mapping[str, str]
