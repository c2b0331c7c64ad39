"""Any bytes in a file of any format are parsed, or refused in one line.

The first byte of an input chooses the file by its name.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from tokaudit_fuzz.targets import parse, refused

NAMES = (
    "tokenizer.json", "vocab.json", "merges.txt", "vocab.txt", "spiece.model", "model.gguf",
    "ranks.tiktoken", "tekken.json", "rwkv_vocab.txt", "tokenizer_config.json",
    "model.safetensors", "config.json",
)  # fmt: skip


def TestOneInput(data: bytes) -> None:
    """Write the file and parse the folder."""
    if not data:
        return
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, NAMES[data[0] % len(NAMES)]).write_bytes(data[1:])
        refused(parse, Path(folder))


if __name__ == "__main__":
    from tokaudit_fuzz.oss_fuzz.running import fuzz

    fuzz(TestOneInput)
