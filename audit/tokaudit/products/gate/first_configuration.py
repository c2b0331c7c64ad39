"""Write a first gate configuration for the tokenizers in a folder."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from tokaudit.foundation.errors import UsageError
from tokaudit.products.gate.schema import ADDRESS
from tokaudit.products.gate.sources import OWN, SHARED, is_configured
from tokaudit.report.saving import refuse_unwritable, save
from tokaudit.subject.files import PASSED_OVER, holds_a_tokenizer

DEEPEST = 4  # folders below the working one
MOST = 200  # subjects
HEAD = f"""\
#:schema {ADDRESS}
# What tokaudit gate checks: https://tokaudit.dev/gate
tier = "quick"
fail_on = "error"
"""


def first_configuration(folder: Path) -> tuple[Path, tuple[str, ...]]:
    """Write a configuration naming every tokenizer below a folder, and return both.

    Raises `UsageError` where there is one already, and where there is nothing to name.
    """
    target = folder / OWN
    if is_configured(folder):
        raise UsageError(
            f"{folder}: has a {OWN} already, or [tool.tokaudit] in its {SHARED}; edit "
            "that configuration"
        )
    if held := holds_a_tokenizer(folder):
        raise UsageError(
            f"{folder}: contains {held}, and a configuration must not lie in the folder that it "
            "audits; run the command in the parent folder"
        )
    found = tuple(each.relative_to(folder).as_posix() for each in _homes(folder, 0))[:MOST]
    if not found:
        raise UsageError(
            f"{folder}: no subfolder contains a tokenizer; run the command in the parent folder "
            "of the checkpoints"
        )
    refuse_unwritable(target)
    save(target, _text(found))
    return target, found


def _homes(folder: Path, depth: int) -> Iterator[Path]:
    """Yield the uppermost folders with a tokenizer."""
    with os.scandir(folder) as entries:
        below = sorted(entry.path for entry in entries if entry.is_dir(follow_symlinks=False))
    for path in map(Path, below):
        if path.name in PASSED_OVER or path.name.startswith("."):
            continue
        if holds_a_tokenizer(path):
            yield path
        elif depth < DEEPEST:
            yield from _homes(path, depth + 1)


def _text(names: Sequence[str]) -> str:
    return HEAD + "".join(
        f"\n[[subjects]]\npath = {json.dumps(name, ensure_ascii=False)}\n"
        f"manifest = {json.dumps(_manifest(name), ensure_ascii=False)}\n"
        for name in names
    )


def _manifest(name: str) -> str:
    return f"{name.replace('/', '-')}.manifest.json"
