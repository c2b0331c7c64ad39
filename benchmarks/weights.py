"""What `--read-embeddings` costs on a made matrix, as ratios within one run.

    python benchmarks/weights.py [--rows 131072] [--width 8192] [--rounds 3]

The matrix is of half-precision numbers, 2 GB by default, in a temporary folder, with a tokenizer of
as many words.  Printed are: the time for the lengths of the rows that an audit reads of it, with
and without numpy, to that of numpy alone reading, converting and measuring the same rows; and the
peak memory of an audit of all checks of the embedding, in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import resource
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median
from unittest import mock

import numpy as np

from tokaudit.subject.opening import open_subject
from tokaudit.subject.tensors import Tensor
from tokaudit.subject.weights import read_headers, vectors
from tokaudit.subject.weights.rows import WeightRows, most_rows

NAME = "model.embed_tokens.weight"
AUDIT = ["audit", "--select", "embeddings", "--read-embeddings"]


def written(folder: Path, rows: int, width: int) -> Path:
    """A tokenizer of so many words and their rows."""
    vocab = {f"word{id}": id for id in range(rows)}
    model = {"type": "WordLevel", "vocab": vocab, "unk_token": "word0"}
    text = json.dumps({"version": "1.0", "added_tokens": [], "model": model})
    (folder / "tokenizer.json").write_text(text)
    entry = {"dtype": "F16", "shape": [rows, width], "data_offsets": [0, 2 * rows * width]}
    header = json.dumps({NAME: entry}).encode()
    draw = np.random.default_rng(1)
    with (folder / "model.safetensors").open("wb") as file:
        file.write(struct.pack("<Q", len(header)) + header)
        for begin in range(0, rows, 1024):
            some = draw.standard_normal((min(1024, rows - begin), width), "f4")
            file.write(some.astype("<f2").tobytes())
    return folder


def by_numpy(path: Path, tensor: Tensor, ids: Iterable[int]) -> list[float]:
    """The lengths of these rows, by numpy alone."""
    size = tensor.nbytes // tensor.shape[0]
    found = []
    with path.open("rb") as file:
        for id in ids:
            file.seek((tensor.start or 0) + id * size)
            row = np.frombuffer(file.read(size), "<f2").astype("f8")
            found.append(float(np.linalg.norm(row)))
    return found


def seconds(rounds: int, *works: Callable[[], object]) -> list[float]:
    """The median of each, by turns."""
    found: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for work, times in zip(works, found, strict=True):
            start = time.perf_counter()
            work()
            times.append(time.perf_counter() - start)
    return [median(times) for times in found]


def ratios(folder: Path, rounds: int) -> dict[str, float]:
    """How much longer the lengths of the rows take than by numpy alone."""
    subject = open_subject(str(folder))
    tensor = read_headers(subject).tensors[NAME]
    ids = range(0, tensor.shape[0], -(-tensor.shape[0] // most_rows(tensor)))

    def ours() -> list[tuple[int, float]]:
        return list(WeightRows(subject.files).norms(tensor, ids))

    def without() -> list[tuple[int, float]]:
        with mock.patch.object(vectors, "find_spec", return_value=None):
            return ours()

    assert ours() == without()
    path = folder / "model.safetensors"
    alone, quick, plain = seconds(rounds, lambda: by_numpy(path, tensor, ids), ours, without)
    return {
        "rows": len(ids),
        "with numpy to numpy alone": quick / alone,
        "without numpy to numpy alone": plain / alone,
    }


def peak_of_audit(folder: Path) -> float:
    """The most memory of an audit, in megabytes."""
    command = [sys.executable, "-m", "tokaudit", *AUDIT, str(folder)]
    code = subprocess.run(command, check=False, stdout=subprocess.DEVNULL).returncode
    assert code in {0, 1}, code
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=131_072)
    parser.add_argument("--width", type=int, default=8_192)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = written(Path(name), given.rows, given.width)
        found = ratios(folder, given.rounds)
        found["peak of an audit, MB"] = peak_of_audit(folder)
    print(json.dumps({name: round(value, 3) for name, value in found.items()}, indent=2))


if __name__ == "__main__":
    main()
