"""Adapter for the reference implementation, running the subject's own spec."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any

from tokaudit.foundation.installed_version import own_version
from tokaudit.runtimes.packed_spec import unpacked
from tokaudit.runtimes.protocol import (
    Continuation,
    DecodeOptions,
    EncodeOptions,
    Encoding,
    Tokenizer,
    TokenizerInfo,
)
from tokaudit.runtimes.registry import Adapter
from tokaudit.runtimes.request import LoadRequest

if TYPE_CHECKING:
    from tokaudit_reference.trace import TracedSegment

CAPABILITIES = frozenset({"encode", "offsets", "type_ids", "special", "pairs", "piece", "vocab"})
HIGHEST_TYPE = 2**32 - 1  # what tokenizer.json can state


class Reference:
    """A `ReferenceTokenizer` with the members of the protocol."""

    def __init__(self, tokenizer: Any, other: Callable[[], Any] | None = None) -> None:
        self._tokenizer, self._other = tokenizer, other
        self._mixed: dict[tuple[str, ...], Any] = {(): tokenizer}
        self.capabilities = CAPABILITIES | ({"decode"} if _decodes(tokenizer) else set())
        self.info = TokenizerInfo("reference", "tokaudit", own_version())

    def vocab(self) -> dict[int, bytes | str]:
        """Map ids to piece values."""
        return {id: piece.value for id, piece in self._tokenizer.spec.pieces.items()}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """Encode each text."""
        special = options.parse_special
        if options == EncodeOptions(parse_special=special):  # nothing but the ids is asked for
            ids = self._tokenizer.ids
            return [Encoding(tuple(ids(text, parse_special=special))) for text in texts]
        return [self._encode(text, options) for text in texts]

    def pre_tokens(self, text: str) -> list[str]:
        """Return the pieces of a text for the model, without the added tokens."""
        pipeline = self._tokenizer.pipeline
        segments = [each for each in self._tokenizer.segments(text) if each.id is None]
        return [
            piece
            for segment in segments
            for piece in map(pipeline.model_input, pipeline.aligned(segment.text))
        ]

    def first_difference(self, asked: Continuation) -> int:
        """Return the index of a text's first id unlike its parts'; -1 if all are equal.

        Where the joints are proved, nothing is encoded.
        """
        if self._joined(asked):
            return -1
        found = self._remembered(asked.text)
        expected = [
            id
            for part in asked.spelled()
            for id in (self._remembered(part) if isinstance(part, str) else part)
        ]
        pairs = enumerate(zip(found, expected, strict=False))
        shortest = min(len(found), len(expected))
        same = next((at for at, (one, other) in pairs if one != other), shortest)
        all_of_them = same == len(expected) and not (asked.whole and len(found) > same)
        return -1 if all_of_them else same

    def _joined(self, asked: Continuation) -> bool:
        """Return whether the text is its parts, and each joint is proved."""
        rest = asked.text
        for part in asked.parts:
            if isinstance(part, tuple) or (isinstance(part, str) and not rest.startswith(part)):
                return False
            size = part if isinstance(part, int) else len(part)
            if size < len(rest) and not self._holds(rest, size):
                return False
            rest = rest[size:]
        return not (asked.whole and rest)

    @cached_property
    def _holds(self) -> Callable[[str, int], bool]:
        """Return a cached test for proved joints, as several laws test the same."""
        from tokaudit_reference.joints import Joints

        return lru_cache(maxsize=64)(Joints(self._tokenizer).hold)

    @cached_property
    def _remembered(self) -> Callable[[str], list[int]]:
        """Return a cached encoder: a conversation is encoded several times at once."""
        return lru_cache(maxsize=16)(self._tokenizer.ids)

    def normal_forms(self, codes: range) -> dict[int, str]:
        """Map scalars to their normal forms, if these differ."""
        apply = self._tokenizer.pipeline.normalize
        scalars = (c for c in codes if not 0xD800 <= c < 0xE000)
        return {code: new for code in scalars if (new := apply(chr(code))) != chr(code)}

    def _taking(self, fields: tuple[str, ...]) -> Any:
        """Return the tokenizer with some fields of the other spec, built once."""
        if fields not in self._mixed:
            from tokaudit.runtimes.mixed import mixed
            from tokaudit_reference.tokenizer import ReferenceTokenizer

            if self._other is None:
                raise RuntimeError("no other subject was named")
            spec = mixed(self._tokenizer.spec, self._other(), fields)
            same_model = {*fields} <= {"added_tokens", "control_from_text"}
            alike = self._tokenizer if same_model else None
            self._mixed[fields] = ReferenceTokenizer(spec, alike=alike)
        return self._mixed[fields]

    def trace(self, text: str, parse_special: bool) -> list[TracedSegment]:
        """Return the stages of one text."""
        from tokaudit_reference.trace import trace

        return trace(self._tokenizer, text, parse_special=parse_special)

    def _encode(self, text: str, options: EncodeOptions) -> Encoding:
        if options.piece:
            return Encoding(ids=tuple(self._tokenizer.model.encode(text)))
        if options.second is not None:
            return self._of_pair(text, options.second, options)
        tokenizer = self._taking(options.taken)
        found = tokenizer.encode(
            text,
            parse_special=options.parse_special,
            add_special_tokens=options.add_special_tokens,
            offsets=options.offsets,
        )
        offsets = None if found.offsets is None else tuple(found.offsets)
        types = self._types(tokenizer, options, text)
        return Encoding(ids=tuple(found.ids), offsets=offsets, type_ids=types)

    def _of_pair(self, text: str, second: str, options: EncodeOptions) -> Encoding:
        tokenizer = self._taking(options.taken)
        first, other = (
            tokenizer.encode(each, parse_special=options.parse_special).ids
            for each in (text, second)
        )
        add = options.add_special_tokens
        ids = tokenizer.post_process(first, None, add, pair=(other, None))[0]
        return Encoding(ids=tuple(ids), type_ids=self._types(tokenizer, options, text))

    def _types(self, tokenizer: Any, options: EncodeOptions, text: str) -> tuple[int, ...] | None:
        """Return the type ids, if requested and stated in the file."""
        if not options.type_ids:
            return None
        sizes = [
            len(tokenizer.encode(each, parse_special=options.parse_special).ids)
            for each in (text, options.second)
            if each is not None
        ]
        add = options.add_special_tokens
        types = tokenizer.post_process.type_ids(sizes[0], [*sizes, None][1], add)
        possible = all(type(each) is int and 0 <= each <= HIGHEST_TYPE for each in types)
        return tuple(types) if possible else None

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Decode each list of ids as the format's library does; or return bytes."""
        skip = options.skip_special_tokens
        if options.as_bytes:
            return [self._tokenizer.decode_bytes(one, skip_special_tokens=skip) for one in ids]
        return [self._tokenizer.decode(one, skip_special_tokens=skip) for one in ids]


def _decodes(tokenizer: Any) -> bool:
    from tokaudit_reference.spec import Unsupported

    try:
        return tokenizer.decoder is not None
    except Unsupported:
        return False


def load(request: LoadRequest) -> Tokenizer:
    """Run the spec that the audit has parsed."""
    from tokaudit_reference.tokenizer import ReferenceTokenizer

    other = cache(partial(unpacked, request.other)) if request.other else None
    return Reference(ReferenceTokenizer(unpacked(request.spec)), other)


ADAPTER = Adapter("reference", "", load)
