"""Representations in a folder that are copies of one tokenizer, and their ids by spelling."""

from __future__ import annotations

from collections.abc import Mapping

from tokaudit.plugin import Representation, Representations, all_formats
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.learned_order import LearnedOrder
from tokaudit_suites.shared.vocab_entries import spelled

Pair = tuple[Representation, TokenizerSpec]
MOSTLY = 2  # a copy shares at least one entry of so many; converters may leave some out


def copies(representations: Representations) -> list[Pair]:
    """Return the representations of one tokenizer that loaders use, the preferred one first.

    Those are files of different formats side by side; a second file of the same format, or one
    in another folder, is another tokenizer.  So is one under a name that no loader looks for, which
    lists hardly an entry of the first.
    """
    found: dict[str, Pair] = {}
    for item, spec in representations.parsed:
        folder = item.files[0].rpartition("/")[0]
        first = next(iter(found.values())) if found else (item, spec)
        if folder == first[0].files[0].rpartition("/")[0] and not _is_another(first, (item, spec)):
            found.setdefault(item.format, (item, spec))
    return list(found.values())


def _is_another(first: Pair, other: Pair) -> bool:
    """Return whether a file's name and entries show another tokenizer."""
    base = other[0].files[0].rpartition("/")[2]
    if any(f.takes_name(base) for f in all_formats() if f.name == other[0].format):
        return False
    known = spelled_ids(first[1]).keys()
    entries = {text for text in spelled_ids(other[1]) if len(text) > 1}  # everybody has letters
    return len(entries & known) * MOSTLY < len(entries)


def is_its_byte(one: str, other: str) -> bool:
    """Return whether one copy has a character where the other has its byte.

    Gemma's first models have `<0x09>` and no tab, and their conversion writes a tab there
    (`GemmaConverter.vocab` in transformers).

    >>> is_its_byte(chr(9), "<0x09>"), is_its_byte("<0x09>", chr(9)), is_its_byte("a", "<0x09>")
    (True, True, False)
    """
    short, long = sorted((one, other), key=len)
    return len(short) == 1 and long == f"<0x{ord(short):02X}>" and short.isascii()


def spelled_ids(spec: TokenizerSpec) -> Mapping[str, int]:
    """Map entries to ids, in a spelling common to copies in other formats."""
    ids = LearnedOrder(spec).ids
    if set(map(type, ids)) == {str}:  # entries of text are spelled as they are
        return ids  # type: ignore[return-value]
    return {spelled(value): id for value, id in ids.items()}
