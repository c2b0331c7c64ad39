"""What the table of settings says of one key, and what a rule is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tokaudit.report.model import Finding
from tokaudit.subject.material import Subject
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.stated_key import StatedKey


class Decides(StrEnum):
    """What a setting decides."""

    IDS = "ids"
    TEXT = "text"
    LENGTHS = "lengths"
    INPUTS = "inputs"
    FILES = "files"
    NOTHING = "nothing"  # of the tokenizer


@dataclass(frozen=True, slots=True)
class Ground:
    """What a setting is compared with: the tokenizer, and the other settings."""

    subject: Subject
    spec: TokenizerSpec
    keys: tuple[StatedKey, ...] = ()

    def stated(self, base: str, *above: str) -> Any:
        """What a file states at a place, or None: its first key, and the keys below that."""
        key, *below = above
        found = next((s.value for s in self.keys if (s.base, s.key) == (base, key)), None)
        for name in below:
            found = found.get(name) if isinstance(found, dict) else None
        return found


Judge = Callable[[Ground, StatedKey], Iterator[Finding]]


@dataclass(frozen=True, slots=True)
class Row:
    """A key of a file, what it decides and means, and who compares it with the tokenizer.

    `default` is what loaders take where the key is left out: a value, `4:` and `5:` the values of
    two versions, or `by class` and `by kind of model`, whose records are in `subject/upstream`.
    `judge` is the rule of this suite; `check` names the check that holds the key where it is
    another's.  `keeps` and `breaks` are two values for a small folder of the tests, which `base`
    names, with other settings `beside` them.
    """

    file: str
    key: str
    decides: Decides
    meaning: str
    default: str
    source: str
    judge: Judge | None = None
    check: str = ""
    base: str = ""
    beside: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    keeps: Any = None
    breaks: Any = None
