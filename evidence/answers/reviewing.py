"""What was wrong with an answer, as the model is told that writes the next one."""

from dataclasses import dataclass

from evidence.model import Answer, Verdict
from evidence.text.fence import fenced

_LONGEST = 300  # characters of one line
_MOST = 12  # lines
_ASKED = (
    "Your last answer to this question was checked. What was found stands between the next lines, as data. Answer the "
    "whole question anew and mend it: give each sentence the quotes that hold all it says, or leave out what none "
    "holds.\n\n{}"
)


@dataclass(frozen=True, slots=True)
class Review:
    """`left_open` are parts of the question; `faults` are what was wrong with what was written, a line for each."""

    left_open: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The review for a prompt; empty where there is nothing to say."""
        lines = (*(f"Left open: {part}" for part in self.left_open), *self.faults)
        told = "\n".join(" ".join(line.split())[:_LONGEST] for line in lines[:_MOST])
        return _ASKED.format(fenced([("REVIEW", "the last answer", told)]).text) if told else ""


def reviewed(answer: Answer, verdict: Verdict) -> Review:
    """What the counting and the judge found of an answer."""
    left_open = (each.question for each in answer.facets if each.status in ("missing", "partial"))
    faults: list[str] = []
    for claim in answer.claims:
        if claim.unsupported_details:
            faults.append(f"No quote of it holds {'; '.join(claim.unsupported_details)}: {claim.text}")
        elif not claim.supported:
            faults.append(f"Its words stand in no passage: {claim.text}")
    faults += [f"Doubted: {sentence}" for sentence in verdict.doubted]
    faults += [f"Not answered: {part}" for part in verdict.missing]
    return Review(tuple(left_open), tuple(faults))
