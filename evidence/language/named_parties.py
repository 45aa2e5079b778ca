"""The parties and places that tell one document from its like: "the lease between A and B", "… of the Berlin office".

Only what stands beside the kind of document counts: words in its title may be worded differently.
"""

import re
from dataclasses import dataclass

from evidence.language.rules import every
from evidence.language.scripts import has_cjk
from evidence.language.tables import LANGUAGES

UNITS = tuple(
    """office branch site plant factory subsidiary division department team campus warehouse store shop school hospital
    headquarters""".split()
)
_NAME = r"(?:[^\W\da-z_][\w&'’.-]*)(?: (?:(?:of|de|la|van|von|der) )?[^\W\da-z_][\w&'’.-]*){0,9}"
_PARTIES = re.compile(
    rf"\b(?:between|among|with) (?:the )?(?P<names>{_NAME}(?:(?:,? and|,| ?&) (?:the )?{_NAME}){{0,9}})"
)
_PLACE = re.compile(
    rf"(?<!\w)(?P<kind>\w++) (?P<by>of|for|in|at|from) (?:the )?(?P<name>{_NAME})"
    rf"(?P<unit> (?:{'|'.join(UNITS)}))?(?:['’]s)?$"
)
_UNIT = re.compile(rf" (?:{'|'.join(UNITS)})$", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s?$")
_FORM = re.compile(  # words that any firm may bear
    r"(?:inc|llc|ltd|corp|co|llp|plc|gmbh|limited|corporation|group|holdings?|labs?|international)",
    re.IGNORECASE,
)
_AND = re.compile(r",? and |, ?| & ")
_MONTHS = (month.partition("/")[0] for table in LANGUAGES.values() for month in table.months.split())
PARTY_WORDS = frozenset(word for table in LANGUAGES.values() for word in table.party_words.split())
_VAGUE = re.compile("|".join((*sorted(PARTY_WORDS), *_MONTHS, r"\d+\w*")), re.IGNORECASE)
_OF = "".join(table.rules["of"] for table in LANGUAGES.values() if not table.spaced)
_OWNER_CJK = re.compile(
    rf"^(?P<name>[^{_OF}]{{2,10}}?)(?P<unit>{every('owner_unit', spaced=False)})?[{_OF}](?=.)"
)


@dataclass(frozen=True, slots=True)
class Anchor:
    """`words` are a name; a `place` tells siblings apart, and says nothing where a document has none."""

    words: tuple[str, ...]
    place: bool


def anchors(subject: str) -> tuple[Anchor, ...]:
    """The parties or the place that a subject names; names in capitals alone may abbreviate anything, and are none."""
    if has_cjk(subject):
        owner = _OWNER_CJK.match(subject)
        return (Anchor((owner["name"],), place=True),) if owner and owner["unit"] else ()
    subject = " ".join(subject.split())
    named = [
        Anchor(_words(name), False)
        for match in _PARTIES.finditer(subject)
        for name in _AND.split(match["names"])
    ]
    place = _PLACE.search(subject)
    if place:
        name = _UNIT.sub("", place["name"])
        unit = place["unit"] or name != place["name"]
        if unit or place["kind"].islower():
            named.append(Anchor(_words(name), place=True))
    return tuple(anchor for anchor in named if anchor.words)


def unowned(subject: str) -> str:
    """A Chinese or Japanese subject without the name that owns it: "the policy of the office" is "the policy"."""
    return _OWNER_CJK.sub("", subject)


def _words(name: str) -> tuple[str, ...]:
    """The words of a name; none where one of them is an abbreviation or could be anybody."""
    words = tuple(_POSSESSIVE.sub("", word).strip(".") for word in name.split())
    vague = any(_VAGUE.fullmatch(word) or (word.isupper() and len(word) < 6) for word in words)
    telling = tuple(word for word in words if not _FORM.fullmatch(word))
    return () if vague else telling or words
