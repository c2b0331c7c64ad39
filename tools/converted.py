"""A tokenizer.json that is made of a rank file, as converters make them."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders.folder import Folder
from tokaudit_reference.models.bpe.effective import effective_merges
from tokaudit_reference.text.bytes_alphabet import to_characters


def converted(ranks: Path, folder: Path, pattern: str) -> Path:
    """The same entries, merges and special tokens, and a pattern in the spelling of such files."""
    ((representation, _),) = parse_all(open_subject(str(ranks))).parsed
    spec = representation.spec
    names = {id: to_characters(bytes(piece.value)) for id, piece in spec.pieces.items()}
    merges = [f"{names[left]} {names[right]}" for left, right, _ in effective_merges(spec).merges]
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"}
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    level["use_regex"] = False
    steps = [{**split, "invert": False}, level]
    vocab = {name: id for id, name in names.items()}
    vocab |= {token.content: token.id for token in spec.added_tokens}  # else they get new ids
    whole = {
        "version": "1.0",
        "added_tokens": [asdict(token) for token in spec.added_tokens],
        "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": steps},
        "post_processor": None,
        "decoder": level,
        "model": Folder.bpe(vocab, merges, ignore_merges=True).tokenizer["model"],
    }
    folder.mkdir()
    return Folder(whole).write(folder)
