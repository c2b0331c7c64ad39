"""The reference implementation, running the subject's own spec; in a worker, as any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from tokaudit.adapters.registry import Adapter
from tokaudit.errors import UsageError
from tokaudit.protocol import DecodeOptions, EncodeOptions, Encoding, Tokenizer, TokenizerInfo

CAPABILITIES = frozenset({"encode", "special", "vocab"})


class Reference:
    """A `ReferenceTokenizer` behind the protocol."""

    capabilities = CAPABILITIES

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self.info = TokenizerInfo("reference", "tokaudit", version("tokaudit"))

    def vocab(self) -> dict[int, bytes | str]:
        """Id -> the value of the piece."""
        return {id: piece.value for id, piece in self._tokenizer.spec.pieces.items()}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """One encoding for each text; refuses to add special tokens, rather than not to say so."""
        if options.add_special_tokens:
            raise UsageError("the reference adds no special tokens yet")
        return [self._encode(text, options) for text in texts]

    def _encode(self, text: str, options: EncodeOptions) -> Encoding:
        found = self._tokenizer.encode(text, parse_special=options.parse_special)
        return Encoding(ids=tuple(found.ids))

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Refused: the reference does not decode yet."""
        raise UsageError("the reference does not decode yet")


def load(path: str, settings: Mapping[str, Any]) -> Tokenizer:
    """Open the subject again inside the worker, parse the named file and run it."""
    from tokaudit.formats import all_formats
    from tokaudit.opening import open_subject
    from tokaudit_reference.tokenizer import ReferenceTokenizer

    subject = open_subject(path, settings=settings.get("subject_settings"))
    file = subject.file(settings["file"])
    if file is None:
        raise FileNotFoundError(settings["file"])
    format = next(f for f in all_formats() if f.name == settings["format"])
    return Reference(ReferenceTokenizer(format.parse(subject, file)))


ADAPTER = Adapter("reference", "", load)
