"""Trains the yardstick of the throughput suite, and writes it where the suite ships it.

    .venv/bin/python benchmarks/train_yardstick.py

A byte-level BPE of 8,192 entries, trained by `tokenizers` on the project's own parallel sample and
the sources of the standard library, so that anyone can make it again.  Its hash is in the name of
every measurement taken against it: training it anew starts a new series.
"""

from __future__ import annotations

import sysconfig
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from tokaudit_suites.shared.sample_texts import load

ENTRIES = 8192
SAMPLE_WEIGHT = 20  # the sample is small next to the sources
MODULES = 120


def texts() -> Iterator[str]:
    """The sample, then the first modules of the standard library by name."""
    for _ in range(SAMPLE_WEIGHT):
        for sample in load():
            yield from sample.sentences
    library = Path(sysconfig.get_path("stdlib"))
    for path in sorted(library.glob("*.py"))[:MODULES]:
        yield from path.read_text(encoding="utf-8").splitlines(keepends=True)


def main() -> None:
    """Train and write."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=ENTRIES,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts(), trainer)
    target = Path(str(files("tokaudit_suites.throughput").joinpath("yardstick.json")))
    target.write_text(tokenizer.to_str(), encoding="utf-8")
    print(f"{target}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
