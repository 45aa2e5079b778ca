"""Why a command ends without a result; the message is one line for a person."""


class Failed(Exception):
    """Something that was needed did not work: exit status 1."""


class Misused(Exception):
    """The command was given what it cannot work with: exit status 2."""
