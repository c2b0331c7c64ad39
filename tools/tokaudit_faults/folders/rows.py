"""Defects of single rows of the embedding, whose values show them."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from random import Random

from tokaudit_faults.healthy.folders import small
from tokaudit_faults.healthy.written import breaks
from tokaudit_folders.folder import tensors

NAME, COLUMNS = "model.embed_tokens.weight", 8
ROWS = 380
END = 376  # the first special token of the small folder, which ends its turns
NOT_A_NUMBER, ZERO = float("nan"), 0.0


def trained(folder: Path) -> None:
    """The small folder with weights as a training leaves them: every row another."""
    small(folder)
    random = Random(0)
    write(folder, [[random.gauss(0, 1) for _ in range(COLUMNS)] for _ in range(ROWS)])


def write(folder: Path, rows: Sequence[Sequence[float]]) -> None:
    """Write embedding and head with these rows."""
    block = b"".join(struct.pack(f"<{COLUMNS}e", *row) for row in rows)
    matrix = (len(rows), COLUMNS), block
    data = tensors("F16", {NAME: matrix, "lm_head.weight": matrix})
    (folder / "model.safetensors").write_bytes(data)


def fill(folder: Path, id: int, value: float) -> None:
    """Write one value over a row of the embedding."""
    path = folder / "model.safetensors"
    data = bytearray(path.read_bytes())
    begin = 8 + struct.unpack("<Q", data[:8])[0] + id * COLUMNS * 2
    data[begin : begin + COLUMNS * 2] = struct.pack(f"<{COLUMNS}e", *[value] * COLUMNS)
    path.write_bytes(data)


@breaks(trained, "embeddings/row-values", entry="D63", severity="error")
def row_that_a_merge_tool_averaged_to_no_number(folder: Path) -> None:
    fill(folder, 100, NOT_A_NUMBER)


@breaks(trained, "embeddings/row-values", entry="D64", severity="error")
def zero_row_of_the_end_of_turn(folder: Path) -> None:
    fill(folder, END, ZERO)


@breaks(trained, "embeddings/row-values", entry="D64")
def zero_row_of_an_ordinary_token(folder: Path) -> None:
    fill(folder, 100, ZERO)
