"""Decodes ids as llama.cpp does: token by token, and then a clean-up of the whole.

An added token is its content; an unused one is nothing; of the others U+2581 is a space where the
model writes spaces so, and a byte is a byte.  One space goes from the front of the first token
where a prefix was put before the text.  The clean-up takes the space before `?`, `!`, `.` and `,`,
both around a lone apostrophe, and that before `'s`, `'m`, `'re` and `'ve`; no call switches it off.

Source: `token_to_piece` and `detokenize` in `llama-vocab.cpp`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from tokaudit_reference.spec import ModelType, Piece, TokenizerSpec, TokenType
from tokaudit_reference.steps.decoders.byte_fallback import byte_of
from tokaudit_reference.steps.decoders.stage import DecoderStep, Make, Setting
from tokaudit_reference.steps.decoders.utf8 import Utf8, to_bytes
from tokaudit_reference.steps.marked_spaces import SPACE as MARK
from tokaudit_reference.steps.step import Effects, unchanged

STOPS = "?!.,"
OF_TWO, OF_THREE = ("'s", "'m"), ("'re", "'ve")


@dataclass(frozen=True)
class LlamaCpp(DecoderStep):
    """The step, with the engine's three switches as they are for the file."""

    type = "LlamaCpp"
    refuses_unknown_ids = True
    counts_skipped = True
    fuses = True
    reads_alphabet = False
    add_space_prefix: bool = False
    escape_whitespaces: bool = True
    clean_spaces: bool = False

    def build(self, setting: Setting) -> Make:
        """Return a maker of stages that decode a whole text at the end."""
        written = _written(setting.spec, self.escape_whitespaces)
        clean = cleaned if self.clean_spaces else str
        return partial(Text, written, self.add_space_prefix, clean, setting.exact)

    @property
    def effects(self) -> Effects:
        """State that the step joins bytes, and reads marks and byte pieces if there are any."""
        mark = MARK if self.escape_whitespaces else ""
        return Effects(
            joins_bytes=True,
            cleans_joined=self.add_space_prefix or self.clean_spaces,
            keeps=cleaned if self.clean_spaces else unchanged,
            mark=mark,
            reads_byte_pieces=self.escape_whitespaces,
        )


class Text:
    """Collects a whole text, because the clean-up looks at all of it."""

    def __init__(
        self, written: Callable[[str], str], prefix: bool, clean: Callable[[str], str], exact: bool
    ) -> None:
        self._written, self._prefix, self._clean, self._exact = written, prefix, clean, exact
        self._parts: list[str] = []

    def feed(self, tokens: list[str]) -> list[str]:
        """Return no tokens: all are held back."""
        self._parts += map(self._written, tokens)
        return []

    def finish(self) -> list[str]:
        """Return the whole text."""
        parts, self._parts = self._parts, []
        if parts and self._prefix:
            parts[0] = parts[0].removeprefix(" ")
        text, last = "".join(parts), Utf8(self._exact)
        joined = to_bytes(text).decode("utf-8", "surrogateescape")  # bytes become characters
        return [last.feed(to_bytes(self._clean(joined))) + last.finish()]


def _written(spec: TokenizerSpec, escapes: bool) -> Callable[[str], str]:
    """Return a function from a token's string to the text that is written."""
    fixed = _fixed(spec)
    prefix = spec.continuing_subword_prefix
    if spec.model_type is ModelType.WORDPIECE and prefix:
        return lambda token: fixed[token] if token in fixed else _of_word(token, prefix)
    if not escapes:
        return lambda token: fixed.get(token, token)
    return lambda token: fixed[token] if token in fixed else token.replace(MARK, " ")


def _of_word(token: str, prefix: str) -> str:
    inner = token.removeprefix(prefix)
    return (inner if inner != token else " " + token).replace(MARK, " ")


def _fixed(spec: TokenizerSpec) -> Mapping[str, str]:
    """Map the special tokens to their text; added tokens override the vocabulary."""
    found = {"": ""}
    for piece in spec.every_piece():
        text, byte = _text(piece), byte_of(_text(piece))
        if piece.token_type is TokenType.BYTE and byte is not None:
            found[text] = bytes([byte]).decode("utf-8", "surrogateescape")
        elif piece.token_type is TokenType.UNUSED:
            found[text] = ""
    return found | {token.content: token.content for token in spec.added_tokens}


def _text(piece: Piece) -> str:
    value = piece.value
    return value if isinstance(value, str) else value.decode("utf-8", "surrogateescape")


def cleaned(text: str) -> str:
    """Apply the three passes of the clean-up to a text.

    >>> cleaned("a ? b ' c 's 't 're"), cleaned(" ?")
    ("a? b'c's 't're", '?')
    """
    return _contracted(_joined_at_apostrophes(_without_space_before_stops(text)))


def _without_space_before_stops(text: str) -> str:
    for stop in STOPS:
        text = text.replace(" " + stop, stop)
    return text


def _joined_at_apostrophes(text: str) -> str:
    """Join at apostrophes: of two that share a space the first one takes it."""
    return text.replace(" ' ", "'")


def _contracted(text: str) -> str:
    for ending in (*OF_TWO, *OF_THREE):
        text = text.replace(" " + ending, ending)
    return text
