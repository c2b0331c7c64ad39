"""The tokenizer's keys of a GGUF file, each with the type that it must have.

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
    """The values by key, without the prefix; every way in raises `SpecError` naming the key."""

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
        """The error that names the file and the key."""
        remedy = "Convert the model again with the llama.cpp that is to run it."
        return SpecError(what, file=self.file, pointer=PREFIX + key, remedy=remedy)

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def entries(self, key: str, *kinds: type, as_many: bool = False) -> list[Any]:
        """A list of one type, empty where the key is absent; one for each token if asked."""
        found = self._keys.get(key, [])
        if not isinstance(found, list) or not all(type(entry) in kinds for entry in found):
            raise self.error(key, f"is not a list of {kinds[0].__name__}")
        if as_many and key in self and len(found) != len(self.tokens):
            raise self.error(key, f"has {len(found):,} entries for {len(self.tokens):,} tokens")
        return found

    def raw(self, key: str) -> bytes:
        """An array of bytes, empty where the key is absent."""
        found = self._keys.get(key, b"")
        if not isinstance(found, bytes):
            raise self.error(key, "is not an array of bytes")
        return found

    def flag(self, key: str, default: bool) -> bool:
        """A setting that is on or off."""
        found = self._keys.get(key, default)
        if not isinstance(found, bool):
            raise self.error(key, f"is {str(found)[:40]!r}; expected true or false")
        return found

    def text(self, key: str) -> str:
        """A name, or nothing."""
        found = self._keys.get(key, "")
        if not isinstance(found, str):
            raise self.error(key, "is not text")
        return found

    def id(self, key: str, default: int | None = None) -> int | None:
        """The id of a token, if it is named; else the default, if there is such a token."""
        found = self._keys.get(key, default)
        if found is None or (key not in self and found >= len(self.tokens)):
            return None
        if type(found) is not int or not 0 <= found < len(self.tokens):
            text = str(found)[:40]
            raise self.error(key, f"is {text}; expected an id from 0 to {len(self.tokens) - 1}")
        return found

    def piece(self, id: int) -> Piece:
        """The token as a piece of a model that is written in text."""
        token, kind = self.tokens[id], self.kinds[id]
        if kind is TokenType.BYTE and byte_piece(token) is None:
            raise self.error("tokens", f"token {id} is a byte named {token[:40]!r}")
        return Piece(kind, token)

    def given_twice(self) -> tuple[str, ...]:
        """Tokens that have an id already; llama.cpp refuses such a file, or takes the later."""
        last = {token: id for id, token in enumerate(self.tokens)}
        return tuple(token for id, token in enumerate(self.tokens) if last[token] != id)

    def _kinds(self) -> list[TokenType]:
        types = self.entries("token_type", int, as_many=True) or [1] * len(self.tokens)
        for index, type in enumerate(types):
            if type not in PIECE_TYPES:
                raise self.error("token_type", f"has the type {type} for token {index}")
        return [PIECE_TYPES[type] for type in types]
