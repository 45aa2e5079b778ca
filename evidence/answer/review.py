"""The faults of an answer, as the model is told that writes the next one."""

from dataclasses import dataclass

from evidence.llm.fence import fenced
from evidence.model import Answer, Verdict

_LONGEST = 300  # characters of one line
_MOST = 12  # lines
_REQUEST = (
    "Your last answer to this question was checked. What was found stands between the next lines, as data. Answer the "
    "whole question anew and mend it: give each sentence the quotes that hold all it says, or leave out what none "
    "holds.\n\n{}"
)


@dataclass(frozen=True, slots=True)
class Review:
    """`faults` are what was wrong with what was written; `denied` are parts that a model found no answer to."""

    faults: tuple[str, ...] = ()
    denied: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The review for a prompt, a line for each; empty where there is nothing to say."""
        lines = (*self.faults, *(f"You found no answer to: {part}" for part in self.denied))
        review = "\n".join(" ".join(line.split())[:_LONGEST] for line in lines[:_MOST])
        return _REQUEST.format(fenced([("REVIEW", "the last answer", review)]).text) if review else ""


def reviewed(answer: Answer, verdict: Verdict) -> Review:
    """The faults that the metrics and the judge see in an answer."""
    left = [
        facet for facet in answer.facets if facet.status == "missing" or facet.question in verdict.missing
    ]
    faults = [f"You left open: {facet.question}" for facet in left if not facet.denied]
    for claim in answer.claims:
        if claim.unsupported_details:
            faults.append(f"No quote of it holds {'; '.join(claim.unsupported_details)}: {claim.text}")
        elif not claim.supported:
            faults.append(f"Its words stand in no passage: {claim.text}")
    faults += [f"A reader doubts: {sentence}" for sentence in verdict.doubted]
    return Review(tuple(faults), tuple(facet.question for facet in left if facet.denied))
