"""A table of a TOML file, read key by key, with errors that name the key path.

A key that nobody asked for is an error that names the nearest one, so that a typo cannot weaken a
gate.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar

from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.nearest import meant

T = TypeVar("T")


class Table:
    """One table and its location: the file, and the path of keys to it."""

    def __init__(self, file: str, values: Mapping[str, Any], path: str = "") -> None:
        self.file = file
        self.path = path
        self._values = values
        self._asked: dict[str, None] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def at(self, key: str) -> str:
        """Return the file and the path to a key, as errors begin with it."""
        return f"{self.file}: {self.path}.{key}" if self.path else f"{self.file}: {key}"

    def text(self, key: str, default: str | None = None) -> str | None:
        """Read a string."""
        found: str | None = self._typed(key, str, "a string", default)
        return found

    def required(self, key: str, why: str) -> str:
        """Read a required, non-empty string."""
        found = self.text(key)
        if found is None or not found.strip():
            self.refuse_misspelled(key)
            raise UsageError(f"{self.at(key)}: is missing; {why}")
        return found

    def refuse_misspelled(self, *keys: str) -> None:
        """Raise `UsageError` for an unknown key that resembles a missing one."""
        strangers = [each for each in self._values if each not in self._asked]
        for key in keys:
            for near in get_close_matches(key, strangers, n=1):
                raise UsageError(f"{self.at(near)}: is not a known key; did you mean {key}?")

    def number(self, key: str) -> float | None:
        """Read a finite, positive number."""
        found = self._typed(key, (int, float), "a number", None)
        if found is not None and (isinstance(found, bool) or not 0 < found < math.inf):
            raise UsageError(f"{self.at(key)}: {found!r} is not a number above 0")
        return None if found is None else float(found)

    def flag(self, key: str) -> bool | None:
        """Read true or false."""
        found: bool | None = self._typed(key, bool, "true or false", None)
        return found

    def whole(self, key: str) -> int | None:
        """Read a whole number."""
        found: int | None = self._typed(key, int, "a whole number", None)
        if isinstance(found, bool):
            raise UsageError(f"{self.at(key)}: {found!r} is not a whole number")
        return found

    def date(self, key: str) -> dt.date | None:
        """Read a date, as a TOML date or as a string of that form."""
        found = self._ask(key)
        if isinstance(found, str):
            try:
                found = dt.date.fromisoformat(found)
            except ValueError as error:
                raise UsageError(f"{self.at(key)}: {found!r} is not a day like 2027-01-31") from (
                    error
                )
        if isinstance(found, dt.datetime):
            found = found.date()
        if found is not None and not isinstance(found, dt.date):
            raise UsageError(f"{self.at(key)}: {found!r} is not a day like 2027-01-31")
        return found

    def texts(self, key: str, default: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Read a list of strings; a single string is a list of one."""
        found = self._ask(key)
        if found is None:
            return default
        listed = [found] if isinstance(found, str) else found
        if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
            raise UsageError(f"{self.at(key)}: {found!r} is not a list of strings")
        return tuple(listed)

    def choice(self, key: str, known: Iterable[str], default: T) -> str | T:
        """Read one of the known words."""
        found = self._ask(key)
        return default if found is None else self.known(key, found, tuple(known))

    def known(self, key: str, given: object, known: Iterable[str]) -> str:
        """Return a known word; otherwise raise an error that names the nearest."""
        words = tuple(known)
        if given not in words:
            offer = f"; known values: {', '.join(words)}" if len(words) <= 8 else ""
            raise UsageError(
                f"{self.at(key)}: {given!r} is not a known value{meant(given, words) or offer}"
            )
        return str(given)

    def table(self, key: str) -> Table:
        """Return a nested table, empty if it is missing."""
        found = self._typed(key, dict, "a table", {})
        return Table(self.file, found, f"{self.path}.{key}" if self.path else key)

    def items(self) -> Iterator[tuple[str, Any]]:
        """Yield every key of a table with free keys."""
        for key in self._values:
            yield key, self._ask(key)

    def tables(self, key: str, short: str = "") -> tuple[Table, ...]:
        """Read a list of tables; with `short`, a string means a table with that key alone."""
        words = f"a list; write [[{key}]] above each entry"
        if short:
            words = f'a list; write {key} = ["{short}/to/it"], or [[{key}]] above each entry'
        found = self._typed(key, list, words, [])
        path = f"{self.path}.{key}" if self.path else key
        made = []
        for at, each in enumerate(found):
            value = {short: each} if short and isinstance(each, str) else each
            if not isinstance(value, dict):
                raise UsageError(f"{self.at(key)}[{at}]: {each!r} is not a table")
            made.append(Table(self.file, value, f"{path}[{at}]"))
        return tuple(made)

    def refuse_unknown(self, known: Iterable[str]) -> None:
        """Raise `UsageError` for an unknown key, before any value is checked."""
        names = tuple(known)
        for key in self._values:
            if key not in names:
                near = meant(key, names) or f"; known keys: {', '.join(names)}"
                raise UsageError(f"{self.at(key)}: is not a known key{near}")

    def refuse_rest(self) -> None:
        """Raise `UsageError` for a key that was never read."""
        for key in self._values:
            if key not in self._asked:
                near = meant(key, self._asked) or f"; known keys: {', '.join(self._asked)}"
                raise UsageError(f"{self.at(key)}: is not a known key{near}")

    def read(self, reading: Callable[[Table], T]) -> T:
        """Read this table with a function, after which no key may be left."""
        found = reading(self)
        self.refuse_rest()
        return found

    def _ask(self, key: str) -> Any:
        self._asked[key] = None
        return self._values.get(key)

    def _typed(self, key: str, kind: Any, words: str, default: Any) -> Any:
        found = self._ask(key)
        if found is None:
            return default
        if not isinstance(found, kind):
            raise UsageError(f"{self.at(key)}: {found!r} is not {words}")
        return found
