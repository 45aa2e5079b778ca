"""
Text as it may be shown: a document, a name or a model must not steer a terminal, nor hide or reorder what is read.

The stored text stays as it is: a quote in JSON is verbatim. This is for what a person or an agent reads.
"""

import re

# Sequences that a terminal obeys (ECMA-48): one that draws, and one that carries a string, as a title or a link.
_SEQUENCES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]{0,64}+[ -/]{0,8}+[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x80-\x9f]{0,4096}+(?:\x07|\x1b\\|\x9c)"
)
_BREAKS = re.compile(r"\r\n?|[\x85\u2028\u2029]")
_BLANKS = re.compile(r"[\x0b\x0c\x1c-\x1f]")
# Controls; marks that turn the direction of writing; signs that are invisible and carry tags or notes.
_HIDDEN = (
    r"\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"
    r"\u180e\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
)
_UNSEEN = re.compile(f"[{_HIDDEN}]")
_ODD = re.compile(rf"[\r\x85\u2028\u2029\x0b\x0c\x1c-\x1f{_HIDDEN}]")


def printable(text: str) -> str:
    """The text without escape sequences, control characters and invisible marks; line breaks are `\\n`, tabs stay.

    What joins letters or emoji and the marks of right-to-left scripts stay, since they carry meaning.
    """
    if not _ODD.search(text):
        return text
    return _UNSEEN.sub("", _BLANKS.sub(" ", _BREAKS.sub("\n", _SEQUENCES.sub("", text))))
