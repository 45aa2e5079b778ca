"""What a language model is told, and what it answers."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prompt:
    name: str
    fingerprint: str
    system: str
    user: str


@dataclass(frozen=True, slots=True)
class Completion:
    text: str
    input_tokens: int = 0
    output_tokens: int = 0
