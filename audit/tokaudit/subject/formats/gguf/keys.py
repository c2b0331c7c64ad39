"""Tokenizer keys of a GGUF file, with their required types.

Source: `gguf-py` and `llama-vocab.cpp` in llama.cpp for the names and the defaults.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tokaudit.subject.formats.common.pieces import MOST_PIECES, PIECE_TYPES, byte_piece, refuse_many
from tokaudit_reference.spec import Piece, SpecError, TokenType

PREFIX = "tokenizer.ggml."
ENGINE = "llama.cpp"  # implies what a file leaves out
MOST_EMPTY = 100_000  # tokens without text; a converter leaves a few hundred in holes
# The id of a role is under its own name; one is misspelt, and stays so.
ROLE_KEYS = {
    "bos": "bos_token_id",
    "eos": "eos_token_id",
    "unk": "unknown_token_id",
    "sep": "seperator_token_id",
    "pad": "padding_token_id",
    "cls": "cls_token_id",
    "mask": "mask_token_id",
}


class Keys:
    """Values by key without prefix; every accessor raises `SpecError` naming the key."""

    def __init__(self, found: Mapping[str, Any], file: str) -> None:
        self._keys, self.file = {k.removeprefix(PREFIX): v for k, v in found.items()}, file
        listed = self.entries("tokens", str)
        if not listed:
            raise self.error("tokens", "holds no tokens")
        refuse_many(len(listed), "tokens", MOST_PIECES, file, f"{PREFIX}tokens")
        refuse_many(listed.count(""), "tokens without text", MOST_EMPTY, file, f"{PREFIX}tokens")
        # llama.cpp names a token without text, and so do converters of vocabularies with holes.
        self.tokens: list[str] = [token or f"[EMPTY_{id}]" for id, token in enumerate(listed)]
        self.kinds = self._kinds()

    def error(self, key: str, what: str) -> SpecError:
        """Build an error that names the file and the key."""
        remedy = "Convert the model again with the llama.cpp that is to run it."
        return SpecError(what, file=self.file, pointer=PREFIX + key, remedy=remedy)

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def entries(self, key: str, *kinds: type, as_many: bool = False) -> list[Any]:
        """Return a list of one type, empty without the key; one item per token if required."""
        found = self._keys.get(key, [])
        if not isinstance(found, list) or not all(type(entry) in kinds for entry in found):
            raise self.error(key, f"is not a list of {kinds[0].__name__}")
        if as_many and key in self and len(found) != len(self.tokens):
            raise self.error(key, f"has {len(found):,} entries for {len(self.tokens):,} tokens")
        return found

    def raw(self, key: str) -> bytes:
        """Return an array of bytes, empty without the key."""
        found = self._keys.get(key, b"")
        if not isinstance(found, bytes):
            raise self.error(key, "is not an array of bytes")
        return found

    def flag(self, key: str, default: bool) -> bool:
        """Return a setting that is on or off."""
        found = self._keys.get(key, default)
        if not isinstance(found, bool):
            raise self.error(key, f"is {str(found)[:40]!r}; expected true or false")
        return found

    def text(self, key: str) -> str:
        """Return a name; empty without the key."""
        found = self._keys.get(key, "")
        if not isinstance(found, str):
            raise self.error(key, "is not text")
        return found

    def id(self, key: str, default: int | None = None) -> int | None:
        """Return a token's id if it is named, else the default if such a token exists."""
        found = self._keys.get(key, default)
        if found is None or (key not in self and found >= len(self.tokens)):
            return None
        if type(found) is not int or not 0 <= found < len(self.tokens):
            text = str(found)[:40]
            raise self.error(key, f"is {text}; expected an id from 0 to {len(self.tokens) - 1}")
        return found

    def piece(self, id: int) -> Piece:
        """Return the token as a piece of a model that is written in text."""
        token, kind = self.tokens[id], self.kinds[id]
        if kind is TokenType.BYTE and byte_piece(token) is None:
            raise self.error("tokens", f"token {id} is a byte named {token[:40]!r}")
        return Piece(kind, token)

    def given_twice(self) -> tuple[str, ...]:
        """Return tokens with a second id; llama.cpp refuses such a file, or uses the later."""
        last = {token: id for id, token in enumerate(self.tokens)}
        return tuple(token for id, token in enumerate(self.tokens) if last[token] != id)

    def _kinds(self) -> list[TokenType]:
        types = self.entries("token_type", int, as_many=True) or [1] * len(self.tokens)
        for index, type in enumerate(types):
            if type not in PIECE_TYPES:
                raise self.error("token_type", f"has the type {type} for token {index}")
        return [PIECE_TYPES[type] for type in types]
