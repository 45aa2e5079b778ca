"""The rules of all languages as patterns: of each language by itself, or of all at once."""

import re
from collections.abc import Mapping

from evidence.language.table import Rule
from evidence.language.tables import LANGUAGES

_NEVER = r"(?!)"


def every(rule: Rule, *, spaced: bool | None = None) -> str:
    """The rule of all languages, as alternatives without a group around them; of one kind of script, where told."""
    tables = (table for table in LANGUAGES.values() if spaced in (None, table.spaced))
    return "|".join(filter(None, (table.rules.get(rule, "") for table in tables))) or _NEVER


def by_language(rule: Rule, around: str = "{}") -> Mapping[str, re.Pattern[str]]:
    """A rule by the code of the language of a text; `around` is what stands around its alternatives.

    Where words have no blanks between them, languages are mixed: each of them is asked, and English.
    """
    mixed = [code for code, table in LANGUAGES.items() if not table.spaced or code == "en"]
    asked = {code: [code] if table.spaced else mixed for code, table in LANGUAGES.items()}
    written = {
        code: "|".join(filter(None, (_rule(rule, each) for each in among))) for code, among in asked.items()
    }
    return {
        code: re.compile(around.replace("{}", f"(?:{each or _NEVER})"), re.IGNORECASE)
        for code, each in written.items()
    }


def _rule(rule: Rule, code: str) -> str:
    return LANGUAGES[code].rules.get(rule, "")
