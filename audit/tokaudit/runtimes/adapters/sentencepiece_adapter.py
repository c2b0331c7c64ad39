"""Adapter for Google's `sentencepiece`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tokaudit.foundation.installed_version import version
from tokaudit.runtimes.protocol import (
    DecodeOptions,
    EncodeOptions,
    Encoding,
    Tokenizer,
    TokenizerInfo,
)
from tokaudit.runtimes.registry import Adapter
from tokaudit.runtimes.request import AsLoaded, LoadRequest
from tokaudit.runtimes.thread_pool import in_threads

CAPABILITIES = frozenset({"encode", "decode", "offsets", "vocab", "batch", "threads", "reload"})
Ends = tuple[tuple[int, ...], tuple[int, ...]]
NO_ENDS: Ends = ((), ())
PREFIX = {on: bytes((0x1A, 2, 0x18, on)) for on in (False, True)}
"""The field `normalizer_spec.add_dummy_prefix` by itself: at the end of a message it counts."""
SPACE_MARK = "\u2581"
PIECE, ID, BEGIN, END = 1, 2, 4, 5  # fields of a piece in the library's message, in bytes


class SentencePieceTokenizer:
    """A `SentencePieceProcessor`; control symbols are never parsed in text.

    `ids` are those of a class that moves the pieces; the library's own are their places.  `named`
    are those that a class gives to text which the library knows no piece for.
    """

    capabilities = CAPABILITIES

    def __init__(
        self,
        processor: Any,
        ids: Sequence[int] = (),
        named: Mapping[str, int] | None = None,
        loaded: AsLoaded = AsLoaded(),
    ) -> None:
        self._processor, self._named, self._loaded = processor, named or {}, loaded
        self._unknown: int = processor.unk_id()
        self._ids = ids or range(processor.get_piece_size())
        self._places = {id: at for at, id in reversed(list(enumerate(self._ids)))}
        self._texts = {id: text for text, id in self._named.items()}
        self.info = TokenizerInfo("sentencepiece", "sentencepiece", version("sentencepiece"))

    def vocab(self) -> dict[int, bytes | str]:
        """Map ids to pieces."""
        return {id: self._processor.id_to_piece(at) for id, at in self._places.items()}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """Encode each text, with the class's tokens around it, or the library's bos.

        One thread, because the library otherwise takes all there are and cannot be timed.
        """
        if options.reloaded:
            return self._again().encode(texts, replace(options, reloaded=False))
        ends = self._ends() if options.add_special_tokens else NO_ENDS
        if options.offsets or self._named:
            return in_threads(texts, options.threads, lambda text: self._with_offsets(text, ends))
        if options.alone or options.threads > 1:
            return in_threads(texts, options.threads, lambda text: self._one(text, ends))
        found = self._processor.encode(list(texts), out_type=int, num_threads=1)
        return [self._between(ends, places) for places in found]

    def _one(self, text: str, ends: Ends) -> Encoding:
        """Encode a text by the library's call for one."""
        return self._between(ends, self._processor.encode(text, out_type=int))

    def _between(self, ends: Ends, places: Sequence[int]) -> Encoding:
        before, after = ends
        return Encoding(ids=(*before, *(self._ids[at] for at in places), *after))

    def _again(self) -> SentencePieceTokenizer:
        """Return the same from the model that the library saves itself."""
        processor = type(self._processor)()
        processor.LoadFromSerializedProto(self._processor.serialized_model_proto())
        return SentencePieceTokenizer(processor, self._ids, self._named, self._loaded)

    def _ends(self) -> Ends:
        """Return tokens to add ourselves: the library's answer with offsets omits them."""
        if self._loaded.before is not None:
            return self._loaded.before, self._loaded.after or ()
        place: int = self._processor.bos_id()
        return ((self._ids[place],) if place >= 0 else ()), ()

    def _with_offsets(self, text: str, ends: Ends) -> Encoding:
        from tokaudit.subject.formats.common.protobuf import fields

        message = self._processor.encode(text, out_type="serialized_proto")
        before, after = ends
        ids, places = [*before], [(0, 0)] * len(before)
        for number, piece in fields(message, "the library's answer"):
            if number == 2 and isinstance(piece, bytes):
                values = dict(fields(piece, "the library's answer"))
                ids.append(self._id(int(values[ID]), values[PIECE]))
                places.append((int(values.get(BEGIN, 0)), int(values.get(END, 0))))
        characters = _characters(text)
        offsets = [(characters[start], characters[end]) for start, end in places]
        return Encoding(ids=(*ids, *after), offsets=(*offsets, *[(0, 0)] * len(after)))

    def _id(self, place: int, piece: int | bytes) -> int:
        """Return the id of a piece; for an unknown one the library returned text."""
        id = self._ids[place]
        if place != self._unknown or not isinstance(piece, bytes):
            return id
        return self._named.get(piece.decode("utf-8", "replace"), id)

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Decode each list of ids; a token of the class is no piece and has no text.

        The library leaves a piece of another model as it is, and classes put a space for its mark.
        """
        return [self._decoded(self._parts(one)) for one in ids]

    def _decoded(self, parts: list[int] | list[str]) -> str:
        text: str = self._processor.decode(parts)
        if not any(part in self._named for part in parts):
            return text
        spaced = text.replace(SPACE_MARK, " ")
        return spaced.removeprefix(" ") if parts[0] in self._named else spaced

    def _parts(self, ids: Sequence[int]) -> list[int] | list[str]:
        """Return ids in the library's form, or its pieces if a text is among them."""
        if self._texts.keys().isdisjoint(ids):
            return [self._places[id] for id in ids if id in self._places]
        return [text for id in ids if (text := self._text(id)) is not None]

    def _text(self, id: int) -> str | None:
        place = self._places.get(id)
        piece: str | None = None if place is None else self._processor.id_to_piece(place)
        return piece or self._texts.get(id)


def _characters(text: str) -> list[int]:
    """Return the number of characters before each byte of a text, and at its end.

    >>> _characters("é!")
    [0, 1, 1, 2]
    """
    found = [0]
    for place, character in enumerate(text, 1):
        found += [place] * len(character.encode("utf-8", "replace"))
    return found


def load(request: LoadRequest) -> Tokenizer:
    """Load a `.model` file."""
    from sentencepiece import SentencePieceProcessor

    processor, loaded = SentencePieceProcessor(), request.as_loaded
    if loaded.prefix is None:
        processor.Load(request.path)
    else:
        processor.LoadFromSerializedProto(Path(request.path).read_bytes() + PREFIX[loaded.prefix])
    return SentencePieceTokenizer(processor, request.piece_ids, request.looked_up, loaded)


ADAPTER = Adapter("sentencepiece", "sentencepiece", load, minimum="0.2.0")
