"""The reference implementation, running the subject's own spec; in a worker, as any other."""

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
        """Id -> the value of the piece."""
        return {id: piece.value for id, piece in self._tokenizer.spec.pieces.items()}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """One encoding for each text."""
        special = options.parse_special
        if options == EncodeOptions(parse_special=special):  # nothing but the ids is asked for
            ids = self._tokenizer.ids
            return [Encoding(tuple(ids(text, parse_special=special))) for text in texts]
        return [self._encode(text, options) for text in texts]

    def pre_tokens(self, text: str) -> list[str]:
        """Return the pieces of a text that the model is given, without the added tokens."""
        pipeline = self._tokenizer.pipeline
        segments = [each for each in self._tokenizer.segments(text) if each.id is None]
        return [
            piece
            for segment in segments
            for piece in map(pipeline.model_input, pipeline.aligned(segment.text))
        ]

    def first_difference(self, asked: Continuation) -> int:
        """The place of the first id of a text that is not that of its parts; -1 if all are.

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
        """Whether a joint is proved; the last few are kept, as several laws ask about one."""
        from tokaudit_reference.joints import Joints

        return lru_cache(maxsize=64)(Joints(self._tokenizer).hold)

    @cached_property
    def _remembered(self) -> Callable[[str], list[int]]:
        """The ids of a text; the last few are kept, as a conversation is asked about at once."""
        return lru_cache(maxsize=16)(self._tokenizer.ids)

    def normal_forms(self, codes: range) -> dict[int, str]:
        """Return the normal form of each scalar by itself, where that is not the scalar."""
        apply = self._tokenizer.pipeline.normalize
        scalars = (c for c in codes if not 0xD800 <= c < 0xE000)
        return {code: new for code in scalars if (new := apply(chr(code))) != chr(code)}

    def _taking(self, fields: tuple[str, ...]) -> Any:
        """The tokenizer with some fields of the other spec; made once."""
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
        """The stages of one text."""
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
        """The type ids, where they are asked for and the file states such as can be."""
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
        """Text for each list of ids, as the library of the format gives it; or its bytes."""
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
