"""Find the gate's configuration: the named file, or one of two in the working folder."""

from __future__ import annotations

import contextlib
import os
import shlex
import tomllib
from pathlib import Path
from typing import Any

from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.foundation.paths import is_file
from tokaudit.foundation.settings.toml_table import Table
from tokaudit.products.gate.configuration import Configuration, read_configuration
from tokaudit.subject.files import holds_a_tokenizer
from tokaudit.subject.material import SourceFile, read_bytes
from tokaudit.subject.naming.locate import locate

OWN = "tokaudit.toml"
SHARED = "pyproject.toml"
LARGEST = 1024 * 1024  # bytes of a configuration


def configuration(named: str | os.PathLike[str] | None, folder: Path) -> Configuration:
    """Return the named or the folder's configuration; raise `UsageError` without one.

    What is found in the folder is not used where the folder holds a tokenizer or weights, nor where
    it is, or lies inside, a subject that it names: a checkpoint would say how it is to be judged.
    """
    if named is not None:
        path = Path(named)
        if not is_file(path):
            raise UsageError(f"--config {path}: is not a file")
        return _read(path, _table(path))
    for name in (OWN, SHARED):
        path = folder / name
        table = _table(path) if is_file(path) else None
        if table is not None and (name == OWN or table):
            _refuse_next_to_a_tokenizer(path, folder)
            found = _read(path, table)
            _refuse_inside(found, folder)
            return found
    raise UsageError(
        f"{folder}: has no {OWN}, and no [tool.tokaudit] in a {SHARED}; to write a "
        "configuration, run tokaudit gate --init; to name one, add --config FILE"
    )


def is_configured(folder: Path) -> bool:
    """Return whether a folder has a configuration, in either of two files."""
    own, shared = folder / OWN, folder / SHARED
    return own.exists() or (is_file(shared) and bool(_table(shared)))


def _read(path: Path, table: dict[str, Any]) -> Configuration:
    prefix = "tool.tokaudit" if path.name == SHARED else ""
    return read_configuration(Table(str(path), table, prefix), path.parent)


def _table(path: Path) -> dict[str, Any]:
    """Return the tables of a file that are for us; in `pyproject.toml`, below one key."""
    try:
        data = read_bytes(SourceFile(str(path), path, 0, "configuration"), LARGEST)
        found = tomllib.loads(data.decode("utf-8-sig"))  # editors may write a byte order mark
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: is not UTF-8 at byte {error.start}") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: is not TOML: {error}; in TOML, strings need quotes") from error
    except RecursionError as error:
        raise UsageError(f"{path}: is nested too deeply") from error
    if path.name != SHARED:
        return found
    tool = found.get("tool", {})
    ours = tool.get("tokaudit", {}) if isinstance(tool, dict) else {}
    if not isinstance(ours, dict):
        raise UsageError(f"{path}: tool.tokaudit: is not a table")
    return ours


def _refuse_next_to_a_tokenizer(path: Path, folder: Path) -> None:
    if found := holds_a_tokenizer(folder):
        raise UsageError(
            f"{path}: is ignored, since {found} lies in the same folder, and a configuration must "
            f"not lie in the folder that it audits. If you wrote this file, run: {_line(path)}"
        )


def _line(path: Path) -> str:
    return f"tokaudit gate --config {shlex.quote(str(path))}"


def _refuse_inside(found: Configuration, folder: Path) -> None:
    here = folder.resolve()
    for name in found.compared():
        with contextlib.suppress(UnreadableError):  # said when it is opened
            root = locate(name).path.resolve()
            if root.is_dir() and here.is_relative_to(root):
                raise UsageError(
                    f"{found.file}: is ignored, since this file lies inside {name}, the folder "
                    "that it audits. Move the file out of this folder, or run: "
                    f"{_line(Path(found.file))}"
                )
