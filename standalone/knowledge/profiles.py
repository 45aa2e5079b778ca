"""How the servers differ: two that were recorded, and 1.18 as its source and documentation tell."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

type ProfileName = Literal["1.10.1", "1.13.3", "1.18"]


@dataclass(frozen=True, slots=True)
class Profile:
    """One version's habits.

    typed: bodies and list parameters are validated, which also drops metadata filters silently.
    key_first: the key is checked before the dataset is looked up.
    keyword_score: the score of a keyword search, which has none.
    agents: agent knowledge bases are served beside the datasets; filters are kept, and end in status 500 where they
    match nothing; API access is told apart; lists refuse pages below 1.
    """

    typed: bool
    key_first: bool
    summaries: bool
    keyword_score: float | None
    agents: bool = False


PROFILES: Mapping[str, Profile] = {
    "1.10.1": Profile(typed=False, key_first=False, summaries=False, keyword_score=None),
    "1.13.3": Profile(typed=True, key_first=True, summaries=True, keyword_score=0.0),
    "1.18": Profile(typed=True, key_first=True, summaries=True, keyword_score=0.0, agents=True),
}
