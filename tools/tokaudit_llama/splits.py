"""Every name of a split, on a vocabulary in which any two neighbouring bytes of a piece merge.

So the ids show where a text was cut, whatever its characters are.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tokaudit.subject.upstream.llama_cpp.gguf_splits import rules
from tokaudit_folders import gguf_files as g
from tokaudit_llama.vocabularies import Vocabulary
from tokaudit_reference.text.bytes_alphabet import BYTE_OF

Keys = dict[str, g.Value]
LETTERS = sorted(BYTE_OF, key=BYTE_OF.__getitem__)
SPECIAL = "<|acorn|>"
SPLIT = "split"  # the kind of these vocabularies


def pairs_of_bytes(pre: str) -> Keys:
    """All bytes, all pairs of them, and a token of its own."""
    merges = [(one, other) for one in LETTERS for other in LETTERS]
    tokens = [*LETTERS, *(one + other for one, other in merges), SPECIAL]
    keys: Keys = g.tokenizer(
        "gpt2",
        tokens,
        pre=(g.TEXT, pre),
        merges=(g.TEXT, [f"{one} {other}" for one, other in merges]),
        token_type=(g.I32, [*[g.NORMAL] * (len(tokens) - 1), g.CONTROL]),
        bos_token_id=(g.U32, len(tokens) - 1),
        eos_token_id=(g.U32, len(tokens) - 1),
    )
    return keys


def named_splits(folder: Path, only: str = "") -> Iterator[Vocabulary]:
    """A file for each name, or for those of which `only` is a part."""
    for name in rules():
        if only not in f"pairs, {name}":
            continue
        path = folder / "split.gguf"
        path.write_bytes(
            g.gguf({"general.architecture": (g.TEXT, "llama"), **pairs_of_bytes(name)})
        )
        yield Vocabulary(f"pairs, {name}", SPLIT, path)
