"""Incremental decoding: the text that each id settles, as soon as nothing can change it.

All that was given, joined, is `Decoder.decode` of all ids, for every decoder.  What is held back
meanwhile: an unfinished UTF-8 character (ByteLevel, Bytes, SentencePiece); a run of byte tokens, as
one bad byte makes U+FFFD of them all (ByteFallback); the last token (BPEDecoder); what an end could
take off (Strip after Fuse) or a match could need (a literal Replace after Fuse).  Everything, to
the end, only where a step that looks at its whole token comes after one that fuses all tokens:
a regular Replace, WordPiece, BPEDecoder, CTC, ByteFallback or ByteLevel after Fuse.

Source: its counterpart is `DecodeStream` in Hugging Face's tokenizers, which decodes again from
some ids back, and gives nothing while the text ends in U+FFFD.
"""

from __future__ import annotations

import codecs

from tokaudit_reference.steps.decoders import Decoder
from tokaudit_reference.steps.decoders.utf8 import to_bytes


class StreamingDecoder:
    """Decodes one id at a time; after `finish` it is ready for the next text.

    >>> from tokaudit_reference.spec import Component, ModelType, Piece, TokenType, TokenizerSpec
    >>> data = ["漢".encode()[:2], "漢".encode()[2:], b"!"]
    >>> pieces = {i: Piece(TokenType.ORDINARY, value) for i, value in enumerate(data)}
    >>> stream = StreamingDecoder(Decoder(TokenizerSpec(ModelType.TRIE, pieces, byte_level=True)))
    >>> stream.feed(0), stream.feed(1), stream.feed(2), stream.feed(0), stream.finish()
    ('', '漢', '!', '', '�')
    """

    def __init__(
        self, decoder: Decoder, *, skip_special_tokens: bool = False, errors: str = "replace"
    ) -> None:
        self._decoder, self._skip, self._errors = decoder, skip_special_tokens, errors
        self._begin()

    def feed(self, id: int) -> str:
        """The text that is settled now."""
        tokens = self._decoder.tokens.of([id], self._skip)
        return self._shown(self._chain.feed(tokens))

    def finish(self) -> str:
        """The text that was held back."""
        try:
            return self._shown(self._chain.finish(), final=True)
        finally:
            self._begin()

    def _begin(self) -> None:
        replaces = self._errors == "replace"
        self._chain = self._decoder.chain(exact=not replaces)
        policy = codecs.getincrementaldecoder("utf-8")(self._errors)
        self._codec = None if replaces else policy

    def _shown(self, tokens: list[str], final: bool = False) -> str:
        text = "".join(tokens)
        return text if self._codec is None else self._codec.decode(to_bytes(text), final)
