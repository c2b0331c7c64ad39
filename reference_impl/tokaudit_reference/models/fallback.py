"""Turns the parts of a pre-token into ids, with what stands for a part that is not a piece.

That is the bytes of the part, where the tokenizer has byte fallback, or the unknown token, one for
neighbours.  It decides no boundaries, but for a vocabulary that knows more than the model: what the
model does not know is one part then, and that is looked up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tokaudit_reference.models.symbols import Placed, byte_ids, utf8
from tokaudit_reference.spec import Dialect, TokenizerSpec, TokenType


class Fallback:
    """Parts -> ids with their places; `ids` says which parts are pieces."""

    def __init__(self, spec: TokenizerSpec, ids: Mapping[str, int]) -> None:
        self._ids, self._unknown = ids, spec.unk_id
        self._bytes = byte_ids(spec) if spec.byte_fallback else {}
        self._last_byte_has_all = not spec.control_from_text  # SentencePiece's own offsets
        self._looked_up = _of_type(spec, TokenType.LOOKED_UP)
        self._unlisted = spec.unlisted.keys()
        self._in_runs = bool(self._looked_up or self._unlisted)
        never = _of_type(spec, TokenType.UNUSED) if spec.dialect is Dialect.PUBLISHED else set()
        if self._in_runs or not spec.control_from_text:
            never |= _of_type(spec, TokenType.CONTROL)
        if never:  # what is never taken from text is not looked up either
            self._ids = {text: id for text, id in ids.items() if text not in never}

    def place(self, parts: Iterable[str]) -> list[Placed]:
        """The ids of parts that follow one another."""
        found: list[Placed] = []
        at = 0
        for part in self._runs(parts) if self._in_runs else parts:
            end = at + len(part)
            id = self._ids.get(part, self._unknown)
            if id == self._unknown:
                self._replace(part, at, found)
            elif id is not None:
                found.append((id, at, end))
            at = end
        return found

    def _runs(self, parts: Iterable[str]) -> Iterator[str]:
        """Yield the parts, with neighbouring unknown ones joined."""
        run = ""
        for part in parts:
            if part not in self._unlisted and self._is_unknown(part):
                run += part
                continue
            if run:
                yield run
            run = ""
            yield part
        if run:
            yield run

    def _is_unknown(self, part: str) -> bool:
        """Return whether the model has no such piece; the vocabulary may."""
        return part in self._looked_up or self._ids.get(part, self._unknown) == self._unknown

    def _replace(self, part: str, at: int, found: list[Placed]) -> None:
        end = at + len(part)
        ids = [self._bytes.get(byte) for byte in utf8(part)]
        if None not in ids:
            start = at if self._last_byte_has_all else end
            found += [(id, at, start) for id in ids[:-1] if id is not None]
            found += [(id, at, end) for id in ids[-1:] if id is not None]
        elif self._fuses(found):
            found[-1] = found[-1][0], found[-1][1], end
        elif self._unknown is not None:
            found.append((self._unknown, at, end))

    def _fuses(self, found: list[Placed]) -> bool:
        """Return whether an unknown part joins the token before; runs are one part already."""
        return not self._in_runs and bool(found) and found[-1][0] == self._unknown


def _of_type(spec: TokenizerSpec, kind: TokenType) -> set[str]:
    return {str(piece.value) for _, piece in spec.each_entry() if piece.token_type is kind}
