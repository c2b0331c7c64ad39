"""A library with one made-up tokenizer class and one model type, laid out as transformers is."""

from __future__ import annotations

import sys
from pathlib import Path

NAME = "AcornTokenizer"
LIBRARY = """\
class TokenizersBackend:
    vocab_files_names = {}


class AcornTokenizer(TokenizersBackend):
    vocab_files_names = {"vocab_file": "vocab.txt"}

    def __init__(self, do_lower_case=False, sep_token="<cup>", cls_token="<nut>", pad_token=None):
        pass


AcornTokenizer.__module__ = "transformers.models.acorn.tokenization_acorn"
"""
CONFIGS = """\
class AcornConfig:
    def to_dict(self):
        return {"vocab_size": 7, "eos_token_id": 3}


CONFIG_MAPPING = {"acorn": AcornConfig}
"""
MAPPING = 'TOKENIZER_MAPPING_NAMES = {"acorn": "AcornTokenizer"}\n'


def written(root: Path) -> Path:
    """The library below a folder, which is where Python then finds it."""
    auto = root / "transformers" / "models" / "auto"
    auto.mkdir(parents=True)
    for package in (auto, auto.parent):
        (package / "__init__.py").write_text("")
    (auto / "tokenization_auto.py").write_text(MAPPING)
    (auto / "configuration_auto.py").write_text(CONFIGS)
    (auto.parents[1] / "__init__.py").write_text(LIBRARY)
    return root


def changed(root: Path, module: str, old: str, new: str) -> None:
    """The library with another text in one of its modules."""
    path = root / "transformers" / module
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def python_with(library: Path) -> Path:
    """A Python that finds the library, as that of an environment does."""
    python = library / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{library}" exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    return python
