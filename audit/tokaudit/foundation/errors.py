"""Errors that end work early, each with the command line's exit code.

In addition the deadline of an audit, and what is to be removed when a signal ends it.
"""

from __future__ import annotations


class TokauditError(Exception):
    """Base of every error that tokaudit raises on purpose."""

    exit_code = 4


class UsageError(TokauditError):
    """Raised for a wrong command, option or setting."""

    exit_code = 2


class UnreadableError(TokauditError):
    """Raised for an unreadable subject, manifest or pinned file, with what to do."""

    exit_code = 3


class NotWrittenError(TokauditError):
    """Raised if a result cannot be written: the disk is full, the stream is closed."""

    exit_code = 5


class UpstreamTrouble(Exception):
    """Raised if an upstream library fails while it runs; in a check this is a finding."""


class Skip(Exception):
    """Raised by a check or a need that is applicable, but lacks something."""


class NotGiven(Skip):
    """Raised if no option names the other side of a comparison, such as a base."""


class OutOfTime(Skip):
    """Raised when time is up: the rest is skipped, and nobody is blamed."""

    def __init__(self, whose: str = "") -> None:
        super().__init__(f"out of time: {whose}" if whose else "out of time")


class EncoderOutOfTime(OutOfTime):
    """Raised when one encoder has used up its processor time in an audit."""


class OutOfMemory(OutOfTime):
    """Raised when an audit has used up its memory: the rest is skipped, as with time."""

    def __init__(self, how: str = "out of memory") -> None:
        Skip.__init__(self, how)


class EndedAtRest(OutOfMemory):
    """Raised when an idle worker was ended because others needed its memory."""


class PipeRefused(OutOfTime):
    """Raised if the system refuses to write to a worker, or to read from one.

    Nothing is known about what the worker would have answered, so it is skipped as with time.
    """

    def __init__(self, how: str) -> None:
        Skip.__init__(self, how)


class WorkerLost(OutOfTime):
    """Raised if something outside ended a worker, or none could be confined.

    What it would have answered is not known, so it is skipped as with time.
    """

    def __init__(self, how: str, of: str = "") -> None:
        whose = f"the worker of {of}" if of else "the worker"
        Skip.__init__(self, f"{whose} ended, and not by its own task: {how}")


class NotApplicable(Exception):
    """Raised by a check or a need whose question has no meaning for this subject."""
