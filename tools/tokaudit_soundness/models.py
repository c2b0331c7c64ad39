"""Draws models of every kind: a few entries over a sparse alphabet, and any settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tokaudit_folders.folder import Folder
from tokaudit_reference.text.bytes_alphabet import to_characters
from tokaudit_soundness.drawing import Characters, Draw, Drawn

Model = dict[str, Any]
UNK = "<unk>"
PREFIX, SUFFIX = "##", "</w>"
SCORES = (-1.0, -1.5, -2.0, -2.5, -4.0)
MOST_MERGES = 7
LONGEST = 5  # characters of an entry


def bpe(draw: Draw, of: Characters) -> Model:
    """A BPE model over characters; its marks, where it has any, are on the entries."""
    mark = draw.evenly("mark", (*[""] * 6, "prefix", "suffix"))
    symbols = [*of.known]
    if mark == "prefix":
        symbols += [PREFIX + each for each in of.known]
    elif mark == "suffix":
        symbols += [each + SUFFIX for each in of.known]
    settings = {
        "continuing_subword_prefix": PREFIX if mark == "prefix" else None,
        "end_of_word_suffix": SUFFIX if mark == "suffix" else None,
    }
    return _bpe(draw, of, symbols, settings)


def byte_level(draw: Draw, of: Characters) -> Model:
    """A BPE model over the bytes of its characters, of which one may be missing."""
    written = [character for each in of.known for character in to_characters(each.encode())]
    symbols = list(dict.fromkeys(written))
    if draw.chance(0.3):
        symbols.remove(draw.one(symbols))
    return _bpe(draw, of, symbols or ["a"], {})


def _bpe(draw: Draw, of: Characters, symbols: list[str], marks: Model) -> Model:
    merges, tokens = [], list(symbols)
    for _ in range(draw.number(3, MOST_MERGES)):
        left, right = draw.one(tokens), draw.one(tokens)
        product = joined(left, right, marks)
        if product is not None and [left, right] not in merges:
            merges.append([left, right])
            tokens.append(product)
    unknown = draw.evenly("unk_token", (None, None, None, UNK, UNK, UNK, "missing"))
    fallback = draw.evenly("byte_fallback", (False, False, True))
    entries = [*tokens, *([UNK] if unknown else []), *(byte_tokens(draw, of) if fallback else [])]
    built = Folder.bpe(
        numbered(entries),
        merges,
        dropout=None,
        unk_token="<none>" if unknown == "missing" else unknown,
        **{"continuing_subword_prefix": None, "end_of_word_suffix": None, **marks},
        fuse_unk=bool(unknown) == draw.evenly("fuse_unk", (False, True, True)),
        byte_fallback=fallback,
        ignore_merges=draw.evenly("ignore_merges", (False, False, False, True)),
    )
    return dict(built.tokenizer["model"])


def joined(left: str, right: str, marks: Mapping[str, Any]) -> str | None:
    """What a merge makes; None where its parts do not go together, or it becomes too long."""
    prefix, suffix = marks.get("continuing_subword_prefix"), marks.get("end_of_word_suffix")
    if suffix and left.endswith(suffix):
        return None
    if prefix:
        if not right.startswith(prefix):
            return None
        right = right.removeprefix(prefix)
    bare = (left + right).removeprefix(prefix or "").removesuffix(suffix or "")
    return left + right if len(bare) <= LONGEST else None


def byte_tokens(draw: Draw, of: Characters) -> list[str]:
    """The tokens of bytes: all, those of some characters, or too few for any."""
    kind = draw.evenly("byte tokens", ("all", "some", "some", "few"))
    if kind == "all":
        return [f"<0x{byte:02X}>" for byte in range(256)]
    whole = [c for c in (*of.unknown, *of.known) if kind == "some" and draw.chance(0.4)]
    found = {byte for character in whole for byte in character.encode()}
    found.add(draw.one(of.unknown).encode()[0])
    return [f"<0x{byte:02X}>" for byte in sorted(found)]


def unigram(draw: Draw, of: Characters) -> Model:
    """A Unigram model; scores come from a few values, so that some are equal."""
    fallback = draw.evenly("unigram/byte_fallback", (False, True))
    unknown = draw.evenly("unk_id", (0, 0, None))
    own = [*of.known, *longer(draw, of.known)]
    entries = list(dict.fromkeys([UNK, *own, *(byte_tokens(draw, of) if fallback else [])]))
    return {
        "type": "Unigram",
        "unk_id": unknown,
        "vocab": [[entry, draw.one(SCORES) if at else 0.0] for at, entry in enumerate(entries)],
        "byte_fallback": fallback,
    }


def word_piece(draw: Draw, of: Characters) -> Model:
    """A WordPiece model; not every character goes on within a word."""
    prefix = draw.evenly("continuing_subword_prefix", (PREFIX, PREFIX, ""))
    words = [*of.known, *longer(draw, of.known)]
    inside = [prefix + each for each in words if draw.chance(0.7)]
    unknown = draw.evenly("word_piece/unk_token", (UNK, UNK, "<none>"))
    return {
        "type": "WordPiece",
        "unk_token": unknown,
        "continuing_subword_prefix": prefix,
        "max_input_chars_per_word": draw.evenly("max_input_chars_per_word", (2, 3, 100)),
        "vocab": numbered(dict.fromkeys([UNK, *words, *inside])),
    }


def word_level(draw: Draw, of: Characters) -> Model:
    """A WordLevel model, with an entry for the unknown token or without."""
    unknown = draw.evenly("word_level/unk_token", (UNK, UNK, "<none>"))
    words = [UNK, *of.known, *longer(draw, of.known)]
    return {"type": "WordLevel", "vocab": numbered(dict.fromkeys(words)), "unk_token": unknown}


def longer(draw: Draw, known: tuple[str, ...]) -> list[str]:
    """Some entries of two or three characters."""
    lengths = [draw.number(2, 3) for _ in range(draw.number(1, 4))]
    return ["".join(draw.one(known) for _ in range(length)) for length in lengths]


def numbered(entries: Iterable[str]) -> dict[str, int]:
    """The entries at the ids of their order."""
    return {entry: id for id, entry in enumerate(dict.fromkeys(entries))}


MODELS: Mapping[str, Drawn] = {
    "BPE": bpe,
    "BPE of bytes": byte_level,
    "Unigram": unigram,
    "WordPiece": word_piece,
    "WordLevel": word_level,
}
