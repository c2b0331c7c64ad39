"""Limit a tree of tokenizers to what one audit takes, and name the rest.

Folders with the same bytes are counted once.  Of the others, so many different tokenizers are taken
with the copies of them next to other configs or weights, of which only files are read.  What is
left out is listed with the reason, and no verdict passes over it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tokaudit.subject.formats import all_formats
from tokaudit.subject.material import LARGEST_READ, SourceFile
from tokaudit.subject.repository.tree import MODELS, READ, Part, Tree

MOST_PARTS = 24  # different tokenizers
MOST_COPIES = 4 * MOST_PARTS  # all parts together
SAME_FOLDER = "the same files as {}"
BEYOND = f"not examined: at most {MOST_PARTS} tokenizers are at once; name its folder to audit it"
TOP = "."

Digest = tuple[tuple[str, str], ...]


def bounded(tree: Tree) -> Tree:
    """Return a tree with as many parts as one audit takes; a small one unchanged."""
    if len(tree.parts) <= MOST_PARTS:
        return tree
    same: dict[str, str] = {}
    apart = _folded(tree.parts, same)
    kept = _kept(apart)
    labels = {part.label for part in kept}
    beyond = tuple(part.label for part in apart if part.label not in labels)
    reasons = {label: SAME_FOLDER.format(other or TOP) for label, other in same.items()}
    reasons |= dict.fromkeys(beyond, BEYOND)
    taken = {file.name for part in kept for file in part.files}
    left = [
        _unread(file, reasons[part.label])
        for part in tree.parts
        if part.label in reasons
        for file in part.files
        if file.name not in taken
    ]
    others = {file.name: file for file in (*tree.others, *left)}
    return replace(tree, parts=tuple(kept), others=tuple(others.values()), beyond=beyond)


def _folded(parts: Sequence[Part], same: dict[str, str]) -> list[Part]:
    """Return the parts without duplicates of earlier ones, which `same` records."""
    first: dict[Digest, Part] = {}
    for part in parts:
        weighs = any(file.role in MODELS for file in part.files)
        key = _digest(part, READ) if not weighs else (("", part.label),)
        if key in first:
            same[part.label] = first[key].label
        first.setdefault(key, part)
    return list(first.values())


def _kept(parts: Sequence[Part]) -> list[Part]:
    """Return the first different tokenizers, and their copies."""
    known: set[Digest] = set()
    kept: list[Part] = []
    for part in parts:
        digest = _digest(part, ())
        if digest in known or len(known) < MOST_PARTS:
            known.add(digest)
            kept.append(part)
    return kept[:MOST_COPIES]


def _digest(part: Part, more: Sequence[str]) -> Digest:
    """Return the names and digests of a part's tokenizer files, and of some other roles."""
    roles = {*(format.name for format in all_formats()), *more}
    home = f"{part.label}/" if part.label else ""
    return tuple(
        (file.known.removeprefix(home), _bytes_of(file))
        for file in part.files
        if file.role in roles or file.impostor
    )


def _bytes_of(file: SourceFile) -> str:
    """Return the digest of a file; a file that is too large is unlike all others."""
    return file.content.digest_of_all() if file.size <= LARGEST_READ else file.name


def _unread(file: SourceFile, reason: str) -> SourceFile:
    """Mark a file as unread, with the reason, if it belongs to the tokenizer."""
    formats = {format.name for format in all_formats()}
    return replace(file, role=reason) if file.role in formats or file.role in READ else file
