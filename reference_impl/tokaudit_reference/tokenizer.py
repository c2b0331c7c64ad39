"""Runs a spec: added tokens, normalizer, pre-tokenizer, model, in the order of the pipeline.

Ids alone take the quick way, from strings to strings.  With offsets, every stage keeps where its
characters came from: offsets are half-open intervals of the original text, in code points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random

from tokaudit_reference.added_tokens import LongestFirst, Scanner
from tokaudit_reference.models import model
from tokaudit_reference.models.bpe.merge_steps import MergeSteps
from tokaudit_reference.models.piece_cache import LIMIT, PieceCache
from tokaudit_reference.models.symbols import Model
from tokaudit_reference.spec import AddedToken, Dialect, TokenizerSpec, Unsupported
from tokaudit_reference.steps.decoders import Decoder
from tokaudit_reference.steps.pipeline import Pipeline
from tokaudit_reference.steps.post_processors import PostProcessor
from tokaudit_reference.text.alignment import AlignedText, Span


@dataclass(frozen=True, slots=True)
class Encoded:
    """The ids of one text, and their offsets if requested."""

    ids: list[int]
    offsets: list[Span] | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """A normalized part of a text between added tokens, or an added token by its id."""

    text: AlignedText
    id: int | None = None


class ReferenceTokenizer:
    """The reference encoder of one spec; raises `Unsupported` for what it does not cover.

    >>> from tokaudit_reference.spec import Component, ModelType, Piece, TokenType, Standing
    >>> pieces = {i: Piece(TokenType.ORDINARY, v) for i, v in enumerate(["a", "b", "ab"])}
    >>> none = Component(None, Standing.STATED)
    >>> spec = TokenizerSpec(
    ...     ModelType.BPE, pieces, merges=(("a", "b"),), normalizer=none, pre_tokenizer=none
    ... )
    >>> ReferenceTokenizer(spec).encode("abba").ids
    [2, 1, 0]
    """

    def __init__(
        self,
        spec: TokenizerSpec,
        *,
        random: Random | None = None,
        alike: ReferenceTokenizer | None = None,
    ) -> None:
        """`random` is for dropout, without which that is refused; `alike` lends its model's tables.

        The tables of the model are those of `alike`, where its spec states the same model.
        """
        _refuse_unstated(spec)
        self.spec = spec
        self.pipeline = Pipeline(spec)
        self.model: Model = alike.model if alike is not None else model(spec, random=random)
        # With dropout the ids depend on more than the piece, so none are remembered.
        self._cache = PieceCache(self.model.encode, 0 if spec.dropout else LIMIT)
        self._scanners = {True: self._passes(True), False: self._passes(False)}

    def encode(
        self,
        text: str,
        *,
        parse_special: bool = True,
        add_special_tokens: bool = False,
        offsets: bool = False,
    ) -> Encoded:
        """The ids of a text; `parse_special=False` reads special tokens in it as plain text."""
        places: list[Span] | None = None
        if offsets:
            ids, places = self._with_places(text, parse_special)
        else:
            ids = self.ids(text, parse_special=parse_special)
        if offsets or add_special_tokens:
            reported = places if offsets else None
            return Encoded(*self.post_process(ids, reported, add_special_tokens, text))
        return Encoded(ids)

    def ids(self, text: str, *, parse_special: bool = True) -> list[int]:
        """Return the ids alone, as `encode` gives them; quick for many texts."""
        if self.pipeline.needs_places:
            return self._with_places(text, parse_special)[0]
        return self._ids(text, parse_special)

    def decode(
        self, ids: Iterable[int], *, skip_special_tokens: bool = False, errors: str = "replace"
    ) -> str:
        """The text of ids; `errors` as in `Decoder.decode`."""
        return self.decoder.decode(ids, skip_special_tokens=skip_special_tokens, errors=errors)

    def decode_bytes(self, ids: Iterable[int], *, skip_special_tokens: bool = False) -> bytes:
        """The bytes of ids, whether they are UTF-8 or not."""
        return self.decoder.decode_bytes(ids, skip_special_tokens=skip_special_tokens)

    @cached_property
    def post_process(self) -> PostProcessor:
        """The post-processor; raises `Unsupported` when it is first needed, not before."""
        return PostProcessor(self.spec)

    @cached_property
    def decoder(self) -> Decoder:
        """The decoder; raises `Unsupported` when it is first needed, not before."""
        return Decoder(self.spec)

    @cached_property
    def merge_steps(self) -> MergeSteps:
        """Return the merges of a piece one by one; encoding does without."""
        return MergeSteps(self.spec)

    def segments(self, text: str, *, parse_special: bool = True) -> Iterator[Segment]:
        """The added tokens of a text and the normalized text between them."""
        raw, normalized = self._scanners[parse_special]
        original = AlignedText.of(text)
        for outer in raw.split(text):
            part = original.slice(outer.start, outer.end)
            if outer.id is not None:
                yield Segment(part, outer.id)
                continue
            part = self.pipeline.normalize.aligned(part)
            for inner in normalized.split(part.text):
                yield Segment(part.slice(inner.start, inner.end), inner.id)

    def spans(self, piece: AlignedText) -> list[tuple[int, int, int]]:
        """The ids of a pre-token, each with its half-open range of the pre-token's characters."""
        return self.model.spans(self.pipeline.model_input(piece))

    def _with_places(self, text: str, parse_special: bool) -> tuple[list[int], list[Span]]:
        ids: list[int] = []
        places: list[Span] = []
        for segment in self.segments(text, parse_special=parse_special):
            if segment.id is not None:
                ids.append(segment.id)
                places.append(segment.text.interval(0, len(segment.text.text)))
                continue
            for piece in self.pipeline.aligned(segment.text):
                for id, start, end in self.spans(piece):
                    ids.append(id)
                    places.append(piece.interval(start, end))
        return ids, places

    def _ids(self, text: str, parse_special: bool) -> list[int]:
        raw, normalized = self._scanners[parse_special]
        normalize, pieces, cache = self.pipeline.normalize, self.pipeline.pieces, self._cache
        ids: list[int] = []
        if text and not raw.sees(text):  # nearly every text: nothing is cut out of it
            part = normalize(text)
            if not normalized.sees(part):
                for piece in pieces(part, True):
                    ids += cache[piece]
                return ids
        for outer in raw.split(text):
            if outer.id is not None:
                ids.append(outer.id)
                continue
            part = normalize(text[outer.start : outer.end])
            for inner in normalized.split(part):
                if inner.id is not None:
                    ids.append(inner.id)
                    continue
                first = outer.start == inner.start == 0
                for piece in pieces(part[inner.start : inner.end], first):
                    ids += cache[piece]
        return ids

    def _passes(self, parse_special: bool) -> tuple[Scanner | LongestFirst, Scanner]:
        """The scanner of the raw text, and the one of the normalized remainder."""
        tokens = self.spec.added_tokens
        if not self.spec.control_from_text:
            tokens = tuple(token for token in tokens if not token.special)

        def as_text(token: AddedToken) -> bool:
            return token.special and not parse_special

        if self.spec.dialect is Dialect.LLAMA_CPP:
            return LongestFirst(tokens, as_text), Scanner([])
        raw = Scanner([t for t in tokens if not t.normalized], as_text=as_text)
        rest = [t for t in tokens if t.normalized]
        return raw, Scanner(rest, self.pipeline.normalize, as_text)


def _refuse_unstated(spec: TokenizerSpec) -> None:
    """Refuse a component that nobody states: to guess it would prove nothing."""
    if spec.pre_tokenizer.standing == "unstated":
        raise Unsupported("the split pattern is not stated; give it with --pattern")
