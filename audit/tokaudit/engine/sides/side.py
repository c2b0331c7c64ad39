"""One of two compared tokenizers, and an undecided facet."""

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
    """A tokenizer with the user's name for it; `subject` is None for a bare spec."""

    name: str
    spec: TokenizerSpec
    subject: Subject | None = None

    @cached_property
    def names(self) -> dict[int, str]:
        """Map ids to tokens, as its own vocabulary names them."""
        return token_names(self.spec)

    @cached_property
    def values(self) -> dict[int, bytes]:
        """Map ids to the values by which tokens are matched with the other side."""
        return token_values(self.spec)

    @cached_property
    def every_value(self) -> frozenset[bytes]:
        """Return the values of all its tokens."""
        return frozenset(self.values.values())

    @property
    def file(self) -> str:
        """Return the file that states the vocabulary."""
        return self.spec.files[0] if self.spec.files else ""

    def place(self, component: str, part: str, value: Any = None) -> Place:
        """Return the place of a component in this side's file, with its folder."""
        return self._place(component, origin_of(self.spec, part), value)

    def added(self, content: str, value: Any = None) -> Place:
        """Return the place of an added token in this side's file, with its folder."""
        return self._place("added_tokens", origin_of_added(self.spec, content), value)

    def _place(self, component: str, at: Origin, value: Any) -> Place:
        file = located(self.name, at.file)
        return Place(component, file, at.pointer, value, implied_by=at.implied_by, outside=True)

    def stated(
        self, component: str, file: str, pointer: str, value: Any, implied_by: str = ""
    ) -> Place:
        """Return a place in another file of this side, with the value that it states."""
        at = located(self.name, file)
        return Place(component, at, pointer, value, implied_by=implied_by, outside=True)


@dataclass(frozen=True)
class Open:
    """A facet that no proof decides: the reason, and texts that would show a difference.

    `fields` are those of a spec that make up the facet.  With them exchanged, the first side does
    what the second does, as far as this facet goes; that is how a text is blamed on a facet.
    """

    name: str
    why: str
    places: tuple[Place, ...] = ()
    texts: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()


State = Facet | Open
