"""One of two tokenizers that are compared, and what a facet is before it is decided."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tokaudit.engine.evidence import token_names, token_values
from tokaudit.report.comparison import Facet
from tokaudit.report.model import Place
from tokaudit.report.wording import located
from tokaudit.subject.material import Subject
from tokaudit.subject.origins import origin_of, origin_of_added
from tokaudit_reference.spec import Origin, TokenizerSpec


@dataclass(frozen=True)
class Side:
    """A tokenizer by the name that its user gave it; `subject` is None for a spec by itself."""

    name: str
    spec: TokenizerSpec
    subject: Subject | None = None

    @cached_property
    def names(self) -> dict[int, str]:
        """Id -> the token as its own vocabulary names it."""
        return token_names(self.spec)

    @cached_property
    def values(self) -> dict[int, bytes]:
        """Id -> what the token is, by which it is found on the other side."""
        return token_values(self.spec)

    @cached_property
    def every_value(self) -> frozenset[bytes]:
        """The values of all its tokens."""
        return frozenset(self.values.values())

    @property
    def file(self) -> str:
        """The file that states the vocabulary."""
        return self.spec.files[0] if self.spec.files else ""

    def place(self, component: str, part: str, value: Any = None) -> Place:
        """A component in the file of this side that states that part, with its folder."""
        return self._place(component, origin_of(self.spec, part), value)

    def added(self, content: str, value: Any = None) -> Place:
        """An added token in the file of this side that states it, with its folder."""
        return self._place("added_tokens", origin_of_added(self.spec, content), value)

    def _place(self, component: str, at: Origin, value: Any) -> Place:
        file = located(self.name, at.file)
        return Place(component, file, at.pointer, value, implied_by=at.implied_by, outside=True)

    def stated(
        self, component: str, file: str, pointer: str, value: Any, implied_by: str = ""
    ) -> Place:
        """Return a place in some other file of this side, with the value that it states."""
        at = located(self.name, file)
        return Place(component, at, pointer, value, implied_by=implied_by, outside=True)


@dataclass(frozen=True)
class Open:
    """A facet that no proof closes: why, and on which texts a difference of it would show.

    `fields` are those of a spec that make up the facet.  With them exchanged, the first side does
    what the second does, as far as this facet goes; that is how a text is blamed on a facet.
    """

    name: str
    why: str
    places: tuple[Place, ...] = ()
    texts: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()


State = Facet | Open
