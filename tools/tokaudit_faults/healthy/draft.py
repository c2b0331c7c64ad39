"""A small checkpoint in memory that an operator may change in place before it is written."""

from __future__ import annotations

import copy
import hashlib
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tokaudit_folders.example_folders import safetensors
from tokaudit_folders.folder import Folder
from tokaudit_folders.gguf_files import Tensor, Value, gguf

Json = dict[str, Any]
Rows = list[tuple[float, ...]]
WIDTH = 8  # columns of each matrix
GGUF = "model.gguf"
F32_IN_GGUF = 0
INPUT, OUTPUT = "model.embed_tokens.weight", "lm_head.weight"


@dataclass
class Draft:
    """A tokenizer.json or the keys of a GGUF file, files of settings and matrices.

    `matrices` are written into the GGUF file if there are keys, else into a safetensors file.
    """

    tokenizer: Json = field(default_factory=dict)
    keys: dict[str, Value] = field(default_factory=dict)
    settings: dict[str, Json] = field(default_factory=dict)
    matrices: dict[str, Rows] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def copied(self) -> Draft:
        """A copy that shares nothing with this one; rows are never changed in place."""
        matrices = {name: list(rows) for name, rows in self.matrices.items()}
        plain = copy.deepcopy((self.tokenizer, self.keys, self.settings, self.texts))
        tokenizer, keys, settings, texts = plain
        return Draft(tokenizer, keys, settings, matrices, texts)

    def folder(self) -> Folder:
        """The files."""
        made = Folder(self.tokenizer)
        for name, content in {**self.settings, **self.texts}.items():
            made = made.file(name, content)
        if self.keys:
            return made.file(GGUF, _gguf(self.keys, self.matrices))
        if self.matrices:
            return made.file("model.safetensors", safetensors(self.matrices))
        return made

    def digest(self) -> str:
        """A digest of what the draft is written as."""
        folder = self.folder()
        whole = hashlib.sha256(folder.text().encode())
        for name, data in sorted(folder.files.items()):
            whole.update(name.encode() + b"\0" + data)
        return whole.hexdigest()


def rows(count: int, seed: int) -> Rows:
    """A matrix of so many distinct rows, the same for the same seed."""
    draw = Random(seed)
    return [tuple(draw.gauss(0, 0.5) for _ in range(WIDTH)) for _ in range(count)]


def _packed(matrix: Rows) -> bytes:
    return b"".join(struct.pack(f"<{len(row)}f", *row) for row in matrix)


def _gguf(keys: Mapping[str, Value], matrices: Mapping[str, Rows]) -> bytes:
    tensors, data = list[Tensor](), b""
    for name, matrix in matrices.items():
        tensors.append((name, (len(matrix[0]), len(matrix)), F32_IN_GGUF, len(data)))
        block = _packed(matrix)
        data += block + bytes(-len(block) % 32)
    head = gguf(keys, tensors)
    return head + data
