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
    "obliges",
    "defines",
    "asks_meaning",
    "takes_back",
    "succeeds",
    "leans_back",
    "compare_frame",
    # small words that carry the meaning of a sentence
    "at_least",  # before a figure, as the next five
    "at_most",
    "by",  # at most, but at least where "before" follows the figure
    "or_more",  # behind a figure
    "or_less",
    "ahead",  # behind a figure: so long before something
    "until",  # behind "ahead": no later
    "range",  # between two figures
    "since",  # before what a period begins with
    "thence",  # behind it
    "starts",
    "about",  # before a figure that is rounded
    "twice",  # two times as much
    "reckons",  # says that a number is calculated
    "per",  # before a unit: a rate
    "denies",
    "denies_nothing",  # looks as if it did
    "clause_break",  # a word that begins another clause
    "all",
    "each",  # may stand for all
    "only",
    "provided",  # before a condition or an exception
    "otherwise",  # stands for a condition that was said before
    "unless",  # of these, before what must not be
    "or",  # before what is said besides
    "because",  # before a reason
    "partly",  # some, most, usually
    "boilerplate",  # conditions that say nothing
    "narrows",  # begins what narrows a noun down
    "regardless",  # says that there is no condition
    "duty",
    "leave",
    # how a text is laid out
    "clause_kind",  # the word before a clause number: "Section 4"
    "clause_number",  # a number with its word around it
    "list_number",
    "goes_on",  # after a closing quotation mark
    # numbers
    "share",
    "share_before",
    "currency_after",
    "tenths",
    "and_half",
    "clock",  # h, n for hour and minute, late for what is not in the morning
    "counted",  # what one character of a number stands before
    "of_rank",  # characters before a number that only ranks
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
    time by what they are worth, `measures` those for other quantities, `spoken_figures` phrases for a figure ("_" is
    a blank in a phrase); `currencies` words by codes; `dates` are patterns with the groups y, m and d by a
    sign that is in each, where a language writes dates in characters of its own.

    `never_last` are abbreviations after which a sentence goes on, `before_number` those that only a number follows,
    `seldom_last` those that may also end a sentence. `openings` are "yes", "no" and "not_stated" as a model begins an
    answer. `nations` are the names of each; `events` are patterns of what a period may begin with, by names that all
    languages share. `actors` are parties by their roles, those who deal with each other between semicolons. `alike`
    are words that may stand for each other, a group of them between semicolons, the first for all; `opposites` words,
    "/" and those that mean the opposite ("=" before a word: in no other form). `phrases` are our own sentences, of
    the same names everywhere.
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
    measures: Mapping[tuple[str, str], str] = field(default_factory=dict)
    spoken_figures: Mapping[tuple[str, str], str] = field(default_factory=dict)
    currencies: Mapping[str, str] = field(default_factory=dict)
    dates: Mapping[str, str] = field(default_factory=dict)
    party_words: str = ""
    never_last: str = ""
    before_number: str = ""
    seldom_last: str = ""
    sentence_openers: str = ""
    sentence_ends: str = ""
    openings: Mapping[str, str]
    events: Mapping[str, str] = field(default_factory=dict)
    nations: str = ""
    actors: str = ""
    alike: str = ""
    opposites: str = ""
    rules: Mapping[Rule, str] = field(default_factory=dict)
    phrases: Mapping[str, str]
