"""Run texts on both sides, so that every claimed difference has been seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeVar

from tokaudit.engine.evidence import TokenRow, two_rows
from tokaudit.engine.sides.side import Side
from tokaudit.engine.vocabularies.relation import Relation, VocabularyRelation, compare_vocabularies
from tokaudit.engine.vocabularies.written import as_written, both_written
from tokaudit.foundation.errors import OutOfTime
from tokaudit.report.model import Evidence
from tokaudit.runtimes.protocol import DecodeOptions, EncodeOptions, Encoding
from tokaudit_reference.spec import TokenizerSpec

if TYPE_CHECKING:  # a trial runs texts, whatever is proved
    from tokaudit.runtimes.protocol import Cut

AT_ONCE = 8_192  # texts that are run before the clock is looked at
Entries = tuple[VocabularyRelation, bool]
NormalForms = Callable[[range], Mapping[int, str]]
_Built = TypeVar("_Built")


class Encoder(Protocol):
    """An encoder for the texts of one side."""

    @property
    def capabilities(self) -> frozenset[str]:
        """Return the capabilities of the encoder, as in the protocol of tokenizers."""
        ...

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """Encode each text, in order."""
        ...

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Decode each list of ids, in order."""
        ...


@dataclass(frozen=True)
class Mixed:
    """Extra abilities of a comparison's references, beyond encoding.

    `encoder` is the first side's, which can also run with fields of the second side's spec; `cut`
    gives the pre-tokens of texts by the first side's steps; `normal_forms` give what either
    normalizer makes of each of some scalars by itself, where that is not the scalar.  `of_spec`
    runs any other spec, such as one with an option that a loader sets.
    """

    encoder: Encoder
    cut: Cut
    normal_forms: tuple[NormalForms, NormalForms]
    of_spec: Callable[[TokenizerSpec], Encoder] | None = None


@dataclass(frozen=True)
class EncoderPair:
    """Encoders of both sides, and their names."""

    who: str
    left: Encoder
    right: Encoder
    reference: bool = False


def libraries_first(pairs: Sequence[EncoderPair]) -> Sequence[EncoderPair]:
    """Return the library pairs, or the reference if no library runs both sides.

    What the reference alone makes otherwise, and a library was asked, is no difference of the two.
    """
    return [pair for pair in pairs if not pair.reference] or pairs


@dataclass(frozen=True)
class Seen:
    """A text with different ids, the ids of both sides, and the encoders that differ.

    The ids are those of the first pair of encoders that differed; `asked` are all that gave ids.
    """

    text: str
    left: tuple[int, ...]
    right: tuple[int, ...]
    who: tuple[str, ...]
    asked: tuple[str, ...] = ()
    minimal: bool = False

    @property
    def unconfirmed(self) -> int:
        """Count the encoder pairs that ran the text and saw no difference."""
        return len({*self.asked} - {*self.who})


class Trial:
    """Both sides with all pairs of encoders; each text is run once.

    What only the reference makes other ids of, though a library gave ids and they are the same, is
    a difference of the reference and not of the two sides: it is kept in `of_reference`.
    """

    def __init__(
        self, left: Side, right: Side, pairs: Sequence[EncoderPair], mixed: Mixed | None = None
    ) -> None:
        self.left, self.right, self.pairs, self.mixed = left, right, tuple(pairs), mixed
        self.seen: dict[str, Seen] = {}
        self.of_reference: dict[str, Seen] = {}
        self._ran: set[str] = set()
        self._failed: set[str] = set()
        self.stopped = False  # whether the time was over before all texts were run
        self._built: dict[tuple[Callable[..., object], int], object] = {}

    @property
    def compared(self) -> int:
        """Count the texts that some pair encoded on both sides."""
        return len(self._ran) - len(self._failed)

    @cached_property
    def entries(self) -> Entries:
        """Return the relation of the vocabularies, and whether entries are compared as written."""
        first, second = self.left.spec, self.right.spec
        found = compare_vocabularies(first, second)
        if found.relation is Relation.IDENTICAL or not both_written(first, second):
            return found, False
        return compare_vocabularies(as_written(first), as_written(second)), True

    def built(self, build: Callable[[TokenizerSpec], _Built], side: Side) -> _Built:
        """Build a value of a side's spec, once for all facets."""
        key = build, id(side)
        if key not in self._built:
            self._built[key] = build(side.spec)
        return self._built[key]  # type: ignore[return-value]

    @property
    def cut(self) -> Cut | None:
        """Return the function for pre-tokens of texts, if a reference runs."""
        return self.mixed.cut if self.mixed else None

    @property
    def method(self) -> str:
        """Describe the trial in words: the number of texts, and the encoders."""
        who = " and ".join(pair.who for pair in self.pairs)
        stopped = ", until the time was over" if self.stopped else ""
        tried = f"{self.compared:,} texts, run by {who}{stopped}{self._doubted()}"
        return tried if self.pairs else "nothing could be run"

    def _doubted(self) -> str:
        """Describe texts on which only the reference differs; empty without any."""
        if not self.of_reference:
            return ""
        shown = min(self.of_reference.values(), key=lambda seen: (len(seen.text), seen.text))
        silent = " and ".join(who for who in shown.asked if who not in shown.who)
        many = f"{len(self.of_reference):,} texts, such as {shown.text!r},"
        return f" (of {many} the reference alone makes other ids; {silent} does not confirm it)"

    def run(self, texts: Iterable[str], *, by_libraries: bool = False) -> list[Seen]:
        """Return the texts whose ids differ.

        `by_libraries` leaves out the reference where there are libraries: what is proved is proved
        of the reference.
        """
        asked = list(dict.fromkeys(texts))
        new = [text for text in asked if text not in self._ran]
        pairs = (by_libraries and [pair for pair in self.pairs if not pair.reference]) or self.pairs
        for at in range(0, len(new), AT_ONCE):
            if self.stopped:
                break
            self._run(new[at : at + AT_ONCE], pairs)
        return [self.seen[text] for text in asked if text in self.seen]

    def _run(self, new: Sequence[str], pairs: Sequence[EncoderPair]) -> None:
        asked: dict[str, list[EncoderPair]] = {}
        found: dict[str, Seen] = {}
        try:
            for pair in pairs:
                answers = zip(new, pair.left.encode(new), pair.right.encode(new), strict=True)
                for text, one, other in answers:
                    if one.error is None and other.error is None:
                        asked.setdefault(text, []).append(pair)
                        if one.ids != other.ids:
                            before = found.get(text) or Seen(text, one.ids, other.ids, ())
                            found[text] = replace(before, who=(*before.who, pair.who))
        except OutOfTime:
            self.stopped = True
        else:
            self._ran.update(new)
            self._failed.update(text for text in new if text not in asked)
        for text, seen in found.items():
            self._note(replace(seen, asked=tuple(pair.who for pair in asked[text])), asked[text])

    def _note(self, seen: Seen, asked: Sequence[EncoderPair]) -> None:
        libraries = {pair.who for pair in asked if not pair.reference}
        confirmed = not libraries or not libraries.isdisjoint(seen.who)
        (self.seen if confirmed else self.of_reference)[seen.text] = seen

    def differs(self, text: str) -> bool:
        """Return whether the ids of a text differ."""
        return bool(self.run([text]))

    def evidence(self, seen: Seen) -> Evidence:
        """Return a text with the tokens of both sides, named by their own vocabularies."""
        left, right = self.left, self.right
        silent = [who for who in seen.asked if who not in seen.who]
        doubt = f"; not confirmed by {' and '.join(silent)}" if silent else ""
        return two_rows(
            seen.text,
            TokenRow(left.name, seen.left, left.names),
            TokenRow(right.name, seen.right, right.names),
            f"run by {' and '.join(seen.who)}{doubt}",
            minimal=seen.minimal,
        )

    def pieces(self, seen: Seen) -> tuple[list[bytes | None], list[bytes | None]]:
        """Return the values of the tokens of both sides."""
        ours, theirs = self.left.values, self.right.values
        return [ours.get(id) for id in seen.left], [theirs.get(id) for id in seen.right]
