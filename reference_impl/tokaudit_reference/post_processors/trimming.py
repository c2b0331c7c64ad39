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
        return lambda placed, add: placed
    ends = Ends(spec)
    prefixed = bool(options.get("add_prefix_space", True))

    def process(placed: list[Placed], add: bool) -> list[Placed]:
        return [
            (id, trimmed(span, *ends[id], prefixed and (index == 0 or span[0] == 0)))
            for index, (id, span) in enumerate(placed)
        ]

    return process


def roberta(spec: TokenizerSpec, options: Options) -> Process:
    """The same, and a token before and after the text."""
    trim, put = byte_level(spec, options), templates.around(spec, options)
    return lambda placed, add: put(trim(placed, add), add)


def trimmed(
    span: tuple[int, int], leading: int, trailing: int, prefixed: bool
) -> tuple[int, int]:
    """An interval without white space; `prefixed`: one of the leading spaces was put there.

    >>> trimmed((4, 9), 1, 0, False), trimmed((0, 5), 1, 0, True), trimmed((0, 1), 1, 1, False)
    ((5, 9), (0, 5), (1, 1))
    """
    start, end = span
    if leading:
        start = min(start + leading - prefixed, end)
    if trailing and end >= trailing:
        end = max(end - trailing, start)
    return start, end


class Ends(dict[int, tuple[int, int]]):
    """How many characters of white space a token begins and ends with."""

    def __init__(self, spec: TokenizerSpec) -> None:
        super().__init__()
        self._added = {token.id: token.content for token in spec.added_tokens}
        self._pieces = spec.pieces

    def __missing__(self, id: int) -> tuple[int, int]:
        value = self._added.get(id)
        if value is None and id in self._pieces:
            whole = self._pieces[id].value
            value = whole if isinstance(whole, str) else whole.decode("latin-1")
            spaces = " "  # other white space is no white space in the alphabet of bytes
        else:
            spaces = None
        value = value or ""
        found = self[id] = (
            len(value) - len(value.lstrip(spaces)),
            len(value) - len(value.rstrip(spaces)),
        )
        return found


BUILDERS = {"ByteLevel": byte_level, "RobertaProcessing": roberta}
