"""What a judge doubts, said beside the sentence that it doubts: an answer is not shown as if nobody had."""

import re
from dataclasses import replace

from evidence.answer.phrases import opening, phrase, verdict_line
from evidence.language.markdown import safe
from evidence.model import Answer, Understanding, Verdict

_MARKERS = re.compile(r"(?: (?:\[\d{1,4}\])++)?+")


def doubted(understanding: Understanding, answer: Answer, verdict: Verdict) -> Answer:
    """The answer with a mark behind each doubted sentence; a yes or no that leans on one is withdrawn."""
    if not verdict.doubted:
        return answer
    question, text = understanding.text, answer.text
    for sentence in verdict.doubted:
        text = _marked(text, sentence, phrase("doubted", question))
    shown = [claim for claim in answer.claims if claim.shown]
    stands = any(claim.supported and claim.text not in verdict.doubted for claim in shown)
    if stands and shown[0].text not in verdict.doubted:
        return replace(answer, text=text)
    for answered in ("yes", "no"):
        line = verdict_line(answered, question)
        if understanding.intent == "yes_no" and text.startswith(line):
            rest = text.removeprefix(line)
            return replace(answer, text=verdict_line("open", question) + rest, status="partial")
    return replace(answer, text=text)


def _marked(text: str, sentence: str, mark: str) -> str:
    """The text with the mark behind the sentence and its markers; below a yes or no it stands without its opening."""
    for words in (safe(sentence), safe(opening(sentence)[1])):
        start = text.find(words)
        if words and start >= 0:
            markers = _MARKERS.match(text, start + len(words))
            end = markers.end() if markers else start + len(words)
            return f"{text[:end]} ({mark}){text[end:]}"
    return text
