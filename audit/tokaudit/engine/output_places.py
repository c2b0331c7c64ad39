"""Refuse outputs that would overwrite their input, or change an audited folder."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.foundation.paths import is_file, is_folder
from tokaudit.subject.naming.locate import locate


def refuse_inputs(paths: Sequence[Path], inputs: Sequence[str | None]) -> None:
    """Refuse a report that would replace its input, or change an audited folder."""
    for name, root in _located(inputs):
        for path in paths:
            if path.resolve() == root:
                raise UsageError(f"{path}: is {name} itself; write the output elsewhere")
            if is_folder(root) and path.resolve().is_relative_to(root):
                raise UsageError(f"{path}: lies inside {name}; write the output elsewhere")
            if _is_of(root, path):
                raise UsageError(f"{path}: is a file of {name}; write the output elsewhere")


def _is_of(root: Path, path: Path) -> bool:
    """Return whether a file is linked from the folder, as in caches."""
    if not is_folder(root) or not is_file(path):
        return False
    return any(each.samefile(path) for each in root.rglob("*") if each.is_file())


def _located(names: Sequence[str | None]) -> Iterator[tuple[str, Path]]:
    for name in names:
        if name is not None:
            with contextlib.suppress(UnreadableError):  # it is refused when it is opened
                yield name, locate(name).path.resolve()
