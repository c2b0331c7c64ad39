"""Writes the files of a small tokenizer and reads them back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_reference.spec import TokenizerSpec


def read(folder: Path, files: Mapping[str, str | bytes]) -> tuple[TokenizerSpec | None, str]:
    """The spec of the one tokenizer in some files, or the error."""
    for name, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        (folder / name).write_bytes(data)
    [found] = parse_all(open_subject(str(folder))).all
    return found.spec, found.error


def spec_of(folder: Path, files: Mapping[str, str | bytes]) -> TokenizerSpec:
    """The spec of the one tokenizer in some files."""
    spec, error = read(folder, files)
    assert spec is not None, error
    return spec


def vocab(tokens: list[str]) -> str:
    """A vocabulary whose ids count from 0."""
    return json.dumps({token: id for id, token in enumerate(tokens)}, ensure_ascii=False)


def config(**values: Any) -> str:
    """A configuration file."""
    return json.dumps(values)
