"""Google's `sentencepiece`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
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
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.thread_pool import in_threads

CAPABILITIES = frozenset({"encode", "decode", "offsets", "vocab", "batch", "threads", "reload"})
PIECE, ID, BEGIN, END = 1, 2, 4, 5  # fields of a piece in the library's message, in bytes


class SentencePieceTokenizer:
    """A `SentencePieceProcessor`; control symbols are never taken from text.

    `ids` are those of a class that moves the pieces; the library's own are their places.  `named`
    are those that a class gives to text which the library knows no piece for.
    """

    capabilities = CAPABILITIES

    def __init__(
        self, processor: Any, ids: Sequence[int] = (), named: Mapping[str, int] | None = None
    ) -> None:
        self._processor, self._named = processor, named or {}
        self._unknown: int = processor.unk_id()
        self._ids = ids or range(processor.get_piece_size())
        self._places = {id: at for at, id in reversed(list(enumerate(self._ids)))}
        self._texts = {id: text for text, id in self._named.items()}
        self.info = TokenizerInfo("sentencepiece", "sentencepiece", version("sentencepiece"))

    def vocab(self) -> dict[int, bytes | str]:
        """Id -> piece."""
        return {id: self._processor.id_to_piece(at) for id, at in self._places.items()}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """One encoding for each text, with bos when special tokens are to be added.

        One thread, because the library otherwise takes all there are and cannot be timed.
        """
        first = self._begin() if options.add_special_tokens else []
        if options.reloaded:
            return self._again().encode(texts, replace(options, reloaded=False))
        if options.offsets or self._named:
            return in_threads(texts, options.threads, lambda text: self._with_offsets(text, first))
        if options.alone or options.threads > 1:
            return in_threads(texts, options.threads, lambda text: self._one(text, first))
        found = self._processor.encode(list(texts), out_type=int, num_threads=1)
        return [Encoding(ids=tuple(self._ids[at] for at in (*first, *places))) for places in found]

    def _one(self, text: str, first: list[int]) -> Encoding:
        """A text by the library's call for one."""
        places = self._processor.encode(text, out_type=int)
        return Encoding(ids=tuple(self._ids[at] for at in (*first, *places)))

    def _again(self) -> SentencePieceTokenizer:
        """The same from the model that the library writes of itself."""
        processor = type(self._processor)()
        processor.LoadFromSerializedProto(self._processor.serialized_model_proto())
        return SentencePieceTokenizer(processor, self._ids, self._named)

    def _begin(self) -> list[int]:
        """Put there by us: the library's answer with offsets cannot have it."""
        id: int = self._processor.bos_id()
        return [id] if id >= 0 else []

    def _with_offsets(self, text: str, first: list[int]) -> Encoding:
        from tokaudit.subject.formats.common.protobuf import fields

        message = self._processor.encode(text, out_type="serialized_proto")
        ids, places = [self._ids[at] for at in first], [(0, 0)] * len(first)
        for number, piece in fields(message, "the library's answer"):
            if number == 2 and isinstance(piece, bytes):
                values = dict(fields(piece, "the library's answer"))
                ids.append(self._id(int(values[ID]), values[PIECE]))
                places.append((int(values.get(BEGIN, 0)), int(values.get(END, 0))))
        characters = _characters(text)
        offsets = tuple((characters[start], characters[end]) for start, end in places)
        return Encoding(ids=tuple(ids), offsets=offsets)

    def _id(self, place: int, piece: int | bytes) -> int:
        """The id of a piece; for an unknown one the library has put its text there."""
        id = self._ids[place]
        if place != self._unknown or not isinstance(piece, bytes):
            return id
        return self._named.get(piece.decode("utf-8", "replace"), id)

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Text for each list of ids; a token of the class is no piece and has none."""
        return [self._processor.decode(self._parts(one)) for one in ids]

    def _parts(self, ids: Sequence[int]) -> list[int] | list[str]:
        """Ids as the library has them, or its pieces, where a text is among them."""
        if self._texts.keys().isdisjoint(ids):
            return [self._places[id] for id in ids if id in self._places]
        return [text for id in ids if (text := self._text(id)) is not None]

    def _text(self, id: int) -> str | None:
        place = self._places.get(id)
        piece: str | None = None if place is None else self._processor.id_to_piece(place)
        return piece or self._texts.get(id)


def _characters(text: str) -> list[int]:
    """For each byte of a text, and its end, how many characters come before it.

    >>> _characters("é!")
    [0, 1, 1, 2]
    """
    found = [0]
    for place, character in enumerate(text, 1):
        found += [place] * len(character.encode("utf-8", "replace"))
    return found


def load(request: LoadRequest) -> Tokenizer:
    """From a `.model` file."""
    from sentencepiece import SentencePieceProcessor

    processor = SentencePieceProcessor()
    processor.Load(request.path)
    return SentencePieceTokenizer(processor, request.piece_ids, request.looked_up)


ADAPTER = Adapter("sentencepiece", "sentencepiece", load, minimum="0.2.0")
