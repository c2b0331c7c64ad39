"""A step of decoding: a stage that takes tokens and gives back what they have settled.

A stage holds back what the next token could still change, and gives that at `finish`.  So the same
stages decode a whole list of ids at once and a stream of them one at a time.

After a step that makes one token of all (Fuse, ByteLevel), the next stages see that token in parts
as it grows: they are `fused`.  A step for which that makes a difference is given when it is built.

A step is built once for a decoder; what that gives makes a stage for each text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.decoders.options import checked
from tokaudit_reference.steps.step import Options, Step


@dataclass(frozen=True, slots=True)
class Setting:
    """The settings in which a stage runs.

    `exact` keeps bytes that are not UTF-8 as lone surrogates (Python's `surrogateescape`); without
    it they become U+FFFD, as many as the library's own step makes of them.
    """

    spec: TokenizerSpec
    fused: bool = False
    exact: bool = False


class Stage(Protocol):
    """One step at work on one text."""

    def feed(self, tokens: list[str]) -> list[str]:
        """Return what is settled now that these tokens have come."""

    def finish(self) -> list[str]:
        """Return what was held back, now that no token comes any more."""


Make = Callable[[], Stage]


class DecoderStep(Step):
    """The base of every step of decoding."""

    fuses: ClassVar[bool] = False  # it makes one token of all
    refuses_unknown_ids: ClassVar[bool] = False  # as libraries other than tokenizers do
    counts_skipped: ClassVar[bool] = False  # a special token that is skipped is an empty one
    reads_alphabet: ClassVar[bool] = True  # tokens of bytes come in GPT-2's alphabet

    @classmethod
    def option(cls, options: Options, name: str, default: Any) -> Any:
        """One option, which must have the type of its default."""
        return checked(options, name, default)

    def build(self, setting: Setting) -> Make:
        """Return a maker of stages, one for each text."""
        raise NotImplementedError

    @property
    def bytes_of(self) -> Callable[[str], bytes] | None:
        """Return a function from a token to its bytes, if joining these decodes; else None.

        Bytes alone are held back by nothing: what is not UTF-8 stays as it is.
        """
        return None


class Each:
    """Changes each token by itself, and holds nothing back."""

    def __init__(self, of: Callable[[str], str]) -> None:
        self._of = of

    def feed(self, tokens: list[str]) -> list[str]:
        """Return each token changed.

        >>> Each(str.upper).feed(["a", "b"])
        ['A', 'B']
        """
        return [self._of(token) for token in tokens]

    def finish(self) -> list[str]:
        """Return no tokens: none is held back."""
        return []


class Whole:
    """Collects a fused token for a step that must see it whole."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._parts: list[str] = []

    def feed(self, tokens: list[str]) -> list[str]:
        """Return no tokens: all are held back."""
        self._parts += tokens
        return []

    def finish(self) -> list[str]:
        """Return what the step makes of the whole token."""
        token, self._parts = "".join(self._parts), []
        return [*self._stage.feed([token]), *self._stage.finish()]


class Chain:
    """Runs stages one after the other, as one."""

    def __init__(self, stages: list[Stage]) -> None:
        self._stages = stages

    def feed(self, tokens: list[str]) -> list[str]:
        """Return what is settled after the last stage."""
        for stage in self._stages:
            tokens = stage.feed(tokens)
        return tokens

    def finish(self) -> list[str]:
        """Return what the stages held back, each passed through those after it."""
        held: list[str] = []
        for stage in self._stages:
            held = [*stage.feed(held), *stage.finish()]
        return held


def whole_if_fused(make: Make, setting: Setting) -> Make:
    """Return the stages of a step, with a fused token collected before them."""
    return (lambda: Whole(make())) if setting.fused else make
