"""Processor time that one encoder's successive worker processes may use."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tokaudit.foundation.deadline import Deadline
from tokaudit.runtimes.worker.resources.budget import Budget

QUESTION_PROCESSOR = 10.0  # seconds for one question
START_PROCESSOR = 20.0  # seconds for a process to start, import a library and load
SLOWEST = 10_000  # characters a second of processor time; slow ones in Python make five times that
LEAST_JUDGED = 5.0  # seconds of processor time; below that the pace says little


@dataclass(frozen=True)
class WorkerLimits:
    """Limits of the workers of one audit: for a question, for an encoder, and in total.

    The wait for an answer is of the wall clock and generous, because the machine may be busy.  What
    a question may cost is of the processor's clock, so that a verdict does not depend on that.
    """

    question: float = 20.0  # seconds to wait for an answer
    processor: float = QUESTION_PROCESSOR
    encoder: float = math.inf  # seconds of processor time for all questions to one encoder
    deadline: Deadline = field(default_factory=Deadline)
    budget: Budget = field(default_factory=Budget)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Cut the block's cuttable threads when time or memory runs out."""
        with self.budget.of_parent(self.deadline.end), self.deadline.watched():
            yield


@dataclass
class Allowance:
    """Processor time that one encoder has used, including dead processes.

    >>> used = Allowance(10.0)
    >>> used.answered(4.0)
    >>> used.died(after=2.5)
    >>> used.left
    3.5
    """

    seconds: float
    _dead: float = 0.0
    _living: float = 0.0
    _until: float = math.inf  # what may be spent before others have their turn

    @property
    def spent(self) -> float:
        """Return the seconds of processor time used."""
        return self._dead + self._living

    @property
    def left(self) -> float:
        """Return the seconds left; negative if more was used."""
        return min(self.seconds, self._until) - self.spent

    @property
    def shared(self) -> bool:
        """Return whether others get their turn before all is spent."""
        return self._until < self.seconds

    def share(self, parts: int) -> None:
        """Allow the next of `parts` equal parts of the remaining time.

        >>> used = Allowance(10.0)
        >>> used.share(2)
        >>> used.left
        5.0
        """
        self._until = self.spent + max(0.0, self.seconds - self.spent) / max(1, parts)

    def answered(self, processor: float) -> None:
        """Record the processor time that the living process has used since it started."""
        self._living = processor

    def died(self, after: float) -> None:
        """Record that the living process died of a question that took this long."""
        self._dead, self._living = self.spent + after, 0.0


@dataclass
class Pace:
    """Characters that an encoder was given, and the processor time for them.

    It tells an encoder that no audit has time for from one that was given too little time.

    >>> pace = Pace()
    >>> pace.took(30_000, 12.0)
    >>> pace.too_slow
    True
    """

    characters: int = 0
    seconds: float = 0.0

    def took(self, characters: int, seconds: float) -> None:
        """Record characters that were encoded, or were being encoded when time ran out."""
        self.characters += characters
        self.seconds += seconds

    @property
    def too_slow(self) -> bool:
        """Return whether it is slower than any encoder in use."""
        return self.seconds >= LEAST_JUDGED and self.characters < SLOWEST * self.seconds
