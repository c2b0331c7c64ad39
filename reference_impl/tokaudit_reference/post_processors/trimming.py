"""The post-processors of byte-level tokenizers: they take white space out of the offsets.

What is taken off is counted in the characters of the token, whatever they stand for in the text.
"""

from __future__ import annotations

from tokaudit_reference.post_processors import templates
from tokaudit_reference.post_processors.step import Options, Placed, Process
from tokaudit_reference.spec import TokenizerSpec


def byte_level(spec: TokenizerSpec, options: Options) -> Process:
    """Offsets without the white space at the ends of tokens, where the options say so."""
    if not options.get("trim_offsets", True):
        return lambda placed, add, text: placed
    ends = Ends(spec)
    prefixed = bool(options.get("add_prefix_space", True))

    def process(placed: list[Placed], add: bool, text: str) -> list[Placed]:
        return [
            (
                id,
                trimmed(
                    span, *ends.of(id, text[slice(*span)]), prefixed and not (index and span[0])
                ),
            )
            for index, (id, span) in enumerate(placed)
        ]

    return process


def roberta(spec: TokenizerSpec, options: Options) -> Process:
    """The same, and a token before and after the text."""
    trim, put = byte_level(spec, options), templates.around(spec, options)
    return lambda placed, add, text: put(trim(placed, add, text), add, text)


def trimmed(span: tuple[int, int], leading: int, trailing: int, prefixed: bool) -> tuple[int, int]:
    """An interval without white space; `prefixed`: its one leading space was put there.

    >>> trimmed((4, 9), 1, 0, False), trimmed((0, 5), 1, 0, True), trimmed((0, 1), 1, 1, False)
    ((5, 9), (0, 5), (1, 1))
    """
    start, end = span
    if leading and not (prefixed and leading == 1):
        start = min(start + leading, end)
    if trailing and end >= trailing:
        end = max(end - trailing, start)
    return start, end


class Ends:
    """How many characters of white space tokens begin and end with."""

    def __init__(self, spec: TokenizerSpec) -> None:
        self._added = {token.id for token in spec.added_tokens}
        self._pieces = spec.pieces

    def of(self, id: int, text: str) -> tuple[int, int]:
        """Of an added token as it stands in the text; of others as the vocabulary writes them."""
        if id in self._added or id not in self._pieces:
            return len(text) - len(text.lstrip()), len(text) - len(text.rstrip())
        value = self._pieces[id].value
        space = " " if isinstance(value, str) else b" "
        return len(value) - len(value.lstrip(space)), len(value) - len(value.rstrip(space))  # type: ignore[arg-type]


BUILDERS = {"ByteLevel": byte_level, "RobertaProcessing": roberta}
