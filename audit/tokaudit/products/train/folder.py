"""The folder of a training: written whole or not at all, never over other work."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tokaudit.foundation.errors import NotWrittenError, UsageError
from tokaudit.foundation.leftovers import clear_dead, owned, temporary
from tokaudit.foundation.paths import is_folder, is_link

WRITTEN = frozenset(
    {
        "tokenizer.json",
        "vocab.json",
        "merges.txt",
        "vocab.txt",
        "tokenizer_config.json",
        "special_tokens_map.json",
        "tokenizer.vocab",
        "training_recipe.json",
    }
)


def refuse_taken(out: Path, force: bool) -> None:
    """Refuse a target with content; `force` allows only replacing an earlier training."""
    if not is_folder(out.parent):
        raise UsageError(f"{out}: there is no folder {out.parent}; make it first")
    try:
        out.lstat()
    except FileNotFoundError:
        return
    except OSError as error:  # a name that is too long, for one, before anything is trained
        raise UsageError(f"{out}: cannot be written: {error.strerror}") from error
    if is_link(out) or not is_folder(out):
        raise UsageError(f"{out}: is not a folder; name a new folder, or an empty one")
    held = sorted(entry.name for entry in out.iterdir())
    strangers = [name for name in held if name not in WRITTEN or not (out / name).is_file()]
    if held and not force:
        raise UsageError(
            f"{out}: is not empty ({held[0]} lies in this folder); to replace a tokenizer that "
            "tokaudit train wrote, add --force"
        )
    if strangers:
        raise UsageError(
            f"{out}: contains {strangers[0]}, which tokaudit train did not write; move "
            f"{strangers[0]} elsewhere first"
        )


@contextmanager
def written_whole(out: Path, force: bool) -> Iterator[Path]:
    """Yield a temporary folder that replaces `out` at the end, or is removed on an error."""
    refuse_taken(out, force)
    clear_dead(out.parent)
    with temporary(out.with_name(f"{owned()}{secrets.token_hex(4)}")) as folder:
        try:
            folder.mkdir(0o700)
        except OSError as error:
            raise UsageError(f"{out}: cannot be written: {error.strerror}") from error
        yield folder
        refuse_taken(out, force)  # it may have been filled meanwhile
        try:
            folder.chmod(0o755)
            _take_place(folder, out)
        except OSError as error:
            raise NotWrittenError(f"{out}: cannot be written: {error.strerror}") from error


def _take_place(folder: Path, out: Path) -> None:
    """Rename over an empty folder, or replace the old one once the new one is complete."""
    if not out.exists() or not any(out.iterdir()):
        folder.rename(out)
        return
    aside = folder.with_name(folder.name + ".old")
    out.rename(aside)
    try:
        folder.rename(out)
    except BaseException:
        aside.rename(out)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write files in UTF-8 with plain line ends."""
    for name, content in files.items():
        try:
            (folder / name).write_text(content, encoding="utf-8", newline="\n")
        except OSError as error:
            raise NotWrittenError(f"{name}: cannot be written: {error.strerror}") from error
