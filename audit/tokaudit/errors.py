"""The errors a user can meet, each with the exit code of the command line."""

from __future__ import annotations


class TokauditError(Exception):
    """Base of every error that tokaudit raises on purpose."""

    exit_code = 4


class UsageError(TokauditError):
    """The command, an option or a setting is wrong."""

    exit_code = 2


class UnreadableError(TokauditError):
    """A subject, manifest or pinned file cannot be read; says which, where and what to do."""

    exit_code = 3


class NotWrittenError(TokauditError):
    """A result could not be written: the disk is full, the stream is closed, and the like."""

    exit_code = 5


class VendorTrouble(Exception):
    """A vendor library broke while it was asked; in a check this is a finding, not a crash."""


class Skip(Exception):
    """Raised by a check or a need: the question has meaning here, but something is missing."""


class NotApplicable(Exception):
    """Raised by a check or a need: the question has no meaning for this subject."""
