"""The vocabulary inside a GGUF file, which llama.cpp runs.

Two of its models are read: `gpt2`, byte-level BPE with merges, and `llama`, SentencePiece-style BPE
by scores.  The split pattern is not in the file, only a name for it (`tokenizer.ggml.pre`); a name
that is not known here leaves it unstated.  No vendor's library is at hand that would run the file.

Source: `llama-vocab.cpp` in llama.cpp; `gguf-py` for the keys.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from tokaudit.formats import Format, NothingToRead
from tokaudit.formats.gguf_metadata import MAGIC, metadata
from tokaudit.formats.pieces import byte_piece
from tokaudit.subject import SourceFile, Subject
from tokaudit_reference.bytes_alphabet import to_bytes
from tokaudit_reference.published_patterns import PATTERNS
from tokaudit_reference.spec import (
    AddedToken,
    Component,
    Family,
    Piece,
    PieceKind,
    Priority,
    SpecError,
    Standing,
    TokenizerSpec,
)

PREFIX = "tokenizer.ggml."
KINDS = {
    1: PieceKind.ORDINARY,
    2: PieceKind.UNKNOWN,
    3: PieceKind.CONTROL,
    4: PieceKind.USER_DEFINED,
    5: PieceKind.UNUSED,
    6: PieceKind.BYTE,
}
PATTERN_OF = {
    **dict.fromkeys(("gpt-2", "phi-2", "mpt", "olmo", "jais"), "gpt2"),
    **dict.fromkeys(("llama-bpe", "llama3", "llama-v3", "dbrx", "smaug-bpe"), "llama3"),
    "qwen2": "qwen2",
    **dict.fromkeys(("gpt-4o", "llama4"), "o200k"),
    "deepseek-v3": "deepseek",
}
WHOLE_FIRST = ("llama-bpe", "llama3", "llama-v3")  # a piece that is a token is taken unmerged


def recognise(name: str, head: bytes) -> bool:
    """By its first four bytes, or its suffix."""
    return head.startswith(MAGIC) or name.lower().endswith(".gguf")


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """The spec that the file's keys state."""
    found = metadata(file, lambda key: key.startswith(PREFIX))
    keys = {key.removeprefix(PREFIX): value for key, value in found.items()}
    model = keys.get("model")
    if model not in BUILDERS:
        covered = ", ".join(BUILDERS)
        what = "has no tokenizer" if model is None else f"has the model {str(model)[:40]!r}"
        text = f"{what}; read are: {covered}"
        raise NothingToRead(text, file=file.name, pointer=f"{PREFIX}model")
    return BUILDERS[model](_Keys(keys, file.name))


class _Keys:
    """The tokenizer's keys, each with the type that it must have."""

    def __init__(self, keys: Mapping[str, Any], file: str) -> None:
        self._keys, self.file = keys, file
        self.tokens: list[str] = self.entries("tokens", str)
        if not self.tokens:
            raise self.error("tokens", "holds no tokens")
        self.kinds = self._kinds()

    def error(self, key: str, what: str) -> SpecError:
        """The error that names the file and the key."""
        return SpecError(what, file=self.file, pointer=PREFIX + key)

    def entries(self, key: str, kind: type, *, as_many: bool = False) -> list[Any]:
        """A list of one type, empty where the key is absent; one for each token if asked."""
        found = self._keys.get(key, [])
        if not isinstance(found, list) or not all(type(entry) is kind for entry in found):
            raise self.error(key, f"is no list of {kind.__name__}")
        if as_many and found and len(found) != len(self.tokens):
            raise self.error(key, f"has {len(found):,} entries for {len(self.tokens):,} tokens")
        return found

    def flag(self, key: str, default: bool) -> bool:
        """A setting that is on or off."""
        return bool(self._keys.get(key, default))

    def text(self, key: str) -> str:
        """A name, or nothing."""
        found = self._keys.get(key, "")
        if not isinstance(found, str):
            raise self.error(key, "is no text")
        return found

    def id(self, key: str) -> int | None:
        """The id of a token, if it is named."""
        found = self._keys.get(key)
        if found is None:
            return None
        if type(found) is not int or not 0 <= found < len(self.tokens):
            raise self.error(key, f"is {found!r}; expected 0 to {len(self.tokens) - 1}")
        return found

    def added(self, *kinds: PieceKind) -> tuple[AddedToken, ...]:
        """The tokens of some kinds; those for control are special."""
        return tuple(
            AddedToken(id, token, special=kind is PieceKind.CONTROL, normalized=False)
            for id, (token, kind) in enumerate(zip(self.tokens, self.kinds, strict=True))
            if kind in kinds and token
        )

    def _kinds(self) -> list[PieceKind]:
        types = self.entries("token_type", int, as_many=True) or [1] * len(self.tokens)
        for index, type in enumerate(types):
            if type not in KINDS:
                raise self.error("token_type", f"has the type {type} for token {index}")
        return [KINDS[type] for type in types]


def _gpt2(keys: _Keys) -> TokenizerSpec:
    pre = keys.text("pre")
    pieces = {id: _byte_level_piece(keys, id) for id in range(len(keys.tokens))}
    return TokenizerSpec(
        family=Family.BPE,
        pieces={id: piece for id, piece in pieces.items() if piece is not None},
        byte_level=True,
        merges=tuple(_merge(keys, index, text) for index, text in enumerate(_merges(keys))),
        whole_piece_lookup=pre in WHOLE_FIRST,
        added_tokens=keys.added(PieceKind.CONTROL, PieceKind.USER_DEFINED),
        normalizer=Component(None, Standing.IMPLIED, "llama.cpp normalizes no byte-level text"),
        pre_tokenizer=_pattern(pre),
        decoder=Component({"type": "Bytes"}, Standing.IMPLIED, "llama.cpp joins bytes"),
        format=FORMAT.name,
        files=(keys.file,),
    )


def _byte_level_piece(keys: _Keys, id: int) -> Piece | None:
    """A token in the alphabet of bytes; a marked one may be written otherwise."""
    token, kind = keys.tokens[id], keys.kinds[id]
    data = to_bytes(token)
    if data is not None and token:
        control = kind is PieceKind.CONTROL
        return Piece(PieceKind.CONTROL if control else PieceKind.ORDINARY, data)
    if kind is PieceKind.ORDINARY:
        raise keys.error("tokens", f"token {id} is {token[:40]!r}, which stands for no bytes")
    return None


def _merges(keys: _Keys) -> list[str]:
    found: list[str] = keys.entries("merges", str)
    if not found:
        raise keys.error("merges", "holds no merges")
    return found


def _merge(keys: _Keys, index: int, text: str) -> tuple[bytes, bytes]:
    left, _, right = text.partition(" ")
    parts = to_bytes(left), to_bytes(right)
    if not left or not right or parts[0] is None or parts[1] is None:
        raise keys.error("merges", f"merge {index} is {text[:40]!r}; expected two tokens")
    return parts[0], parts[1]


def _pattern(pre: str) -> Component:
    if pre not in PATTERN_OF:
        return Component()
    steps = [
        {"type": "Split", "pattern": {"Regex": p}, "behavior": "Isolated", "invert": False}
        for p in PATTERNS[PATTERN_OF[pre]]
    ]
    rule = f"{PREFIX}pre is {pre}, which names the pattern of {PATTERN_OF[pre]}"
    return Component({"type": "Sequence", "pretokenizers": steps}, Standing.IMPLIED, rule)


def _llama(keys: _Keys) -> TokenizerSpec:
    scores = keys.entries("scores", float, as_many=True) or [0.0] * len(keys.tokens)
    pieces = {id: _scored_piece(keys, id) for id in range(len(keys.tokens))}
    if not all(map(math.isfinite, scores)):
        raise keys.error("scores", "holds a score that is no finite number")
    options = {
        "type": "SentencePiece",
        "add_dummy_prefix": keys.flag("add_space_prefix", True),
        "remove_extra_whitespaces": keys.flag("remove_extra_whitespaces", False),
        "escape_whitespaces": True,
    }
    implied = Component(options, Standing.IMPLIED, "llama.cpp reads the model llama so")
    return TokenizerSpec(
        family=Family.BPE,
        pieces=pieces,
        priority=Priority.PRODUCT,
        product_ranks={id: -score for id, score in enumerate(scores)},
        scores=dict(enumerate(scores)),
        unknown_id=keys.id("unknown_token_id"),
        byte_fallback=any(piece.kind is PieceKind.BYTE for piece in pieces.values()),
        added_tokens=keys.added(PieceKind.CONTROL),
        control_from_text=False,
        normalizer=implied,
        pre_tokenizer=Component(None, Standing.IMPLIED, "llama.cpp splits no such text"),
        decoder=implied,
        format=FORMAT.name,
        files=(keys.file,),
    )


def _scored_piece(keys: _Keys, id: int) -> Piece:
    token, kind = keys.tokens[id], keys.kinds[id]
    if kind is PieceKind.BYTE and byte_piece(token) is None:
        raise keys.error("tokens", f"token {id} is a byte named {token[:40]!r}")
    return Piece(kind, token)


BUILDERS: dict[str, Callable[[_Keys], TokenizerSpec]] = {"gpt2": _gpt2, "llama": _llama}
FORMAT = Format("gguf", 40, "", recognise, parse)
