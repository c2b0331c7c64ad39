"""Settings that are numbers, or yes and no."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.setting import Argument, AsGiven
from tokaudit.foundation.settings.toml_table import Table

MOST_SECONDS = 7 * 24 * 3600
MOST_RATIO = 1_000_000


@dataclass(frozen=True)
class Whole(AsGiven):
    """A whole number, with an optional minimum and maximum."""

    metavar: str = "N"
    least: int | None = None
    most: int | None = None
    what: str = "a number"

    @property
    def argument(self) -> Argument:
        return Argument(self.metavar, type=int)

    def checked(self, name: str, given: object) -> int:
        if isinstance(given, bool) or not isinstance(given, int) or not self._within(given):
            limits = "a whole number"
            if self.least is not None and self.most is not None:
                limits = f"{self.what} from {self.least} to {self.most:,}"
            raise UsageError(f"{name} {given!r}: is not {limits}")
        return given

    def _within(self, given: int) -> bool:
        least, most = self.least, self.most
        return (least is None or least <= given) and (most is None or given <= most)

    def from_toml(self, table: Table, key: str, folder: Path) -> int | None:
        return table.whole(key)


@dataclass(frozen=True)
class Seconds(AsGiven):
    """A positive duration of at most a week."""

    argument = Argument("SECONDS", type=float)

    def checked(self, name: str, given: object) -> float:
        return _positive(name, given, "a number of seconds", MOST_SECONDS)

    def from_toml(self, table: Table, key: str, folder: Path) -> float | None:
        return table.number(key)


@dataclass(frozen=True)
class Ratio(AsGiven):
    """A positive ratio of two counts."""

    argument = Argument("RATIO", type=float)

    def checked(self, name: str, given: object) -> float:
        return _positive(name, given, "a ratio", MOST_RATIO)

    def from_toml(self, table: Table, key: str, folder: Path) -> float | None:
        return table.number(key)


@dataclass(frozen=True)
class Share(AsGiven):
    """A positive share of a whole."""

    argument = Argument("SHARE", type=float)

    def checked(self, name: str, given: object) -> float:
        return _positive(name, given, "a share", 1)

    def from_toml(self, table: Table, key: str, folder: Path) -> float | None:
        return table.number(key)


def _positive(name: str, given: object, what: str, most: int) -> float:
    number = isinstance(given, int | float) and not isinstance(given, bool)
    if not number or not 0 < given <= most:  # type: ignore[operator]
        raise UsageError(f"{name} {given!r}: is not {what} above 0 and at most {most:,}")
    return float(given)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Flag(AsGiven):
    """A truth value, and not a text that only looks like one."""

    argument = Argument(action="store_true")

    def checked(self, name: str, given: object) -> bool:
        if not isinstance(given, bool):
            raise UsageError(f"{name} {given!r}: is neither True nor False")
        return given

    def from_toml(self, table: Table, key: str, folder: Path) -> bool | None:
        return table.flag(key)
