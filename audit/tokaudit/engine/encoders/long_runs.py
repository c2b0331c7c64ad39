"""Long runs of one character, which encoders get before all other texts.

An encoder that goes back and forth over such a text may use up the time that it has; asked first,
what it does with them is known even then.
"""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit.engine.needs import Answers

LENGTH = 20_000


@dataclass(frozen=True, slots=True)
class LongRun:
    """A long run of one character, and a different last one that forces backtracking."""

    character: str
    name: str
    end: str

    @property
    def text(self) -> str:
        """Return the whole text."""
        return self.character * LENGTH + self.end


LONG_RUNS = (
    LongRun(" ", "spaces", "x"),
    LongRun("a", "letters", "!"),
    LongRun("\n", "newlines", "x"),
    LongRun(".", "full stops", "x"),
    LongRun("\u4e00", "ideographs", "!"),
)


class UpstreamRuns(Answers):
    """The upstream library's encodings of the long runs."""
