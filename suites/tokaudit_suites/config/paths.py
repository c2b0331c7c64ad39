"""Settings that point loaders to missing files, or to files outside of the folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from tokaudit.plugin import Basis, Finding, Harm, Severity, check
from tokaudit.subject.effective.tokenizer_file import tokenizer_file_name
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_suites.config._compared_keys import ComparedKeys, RuleContext
from tokaudit_suites.shared.repairs import blamed_removed
from tokaudit_suites.shared.stated_key import StatedKey


@check(
    "config/paths",
    title="Settings name files inside the folder",
    why="Loaders open the files whose paths stand in the settings files. If a settings file names "
    "a file that is missing, loading fails, or loaders use another version of the tokenizer. If a "
    "path in a settings file leads out of the model folder, loaders read a file that does not "
    "belong to the model.",
    remedy="Correct or delete {pointer|the key} in {file|the file named}.",
    repair=blamed_removed,
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="transformers keeps the file name that tokenizer_config.json states in place of its "
    "own (huggingface/transformers, tokenization_utils_base.py), and follows names of versions of "
    "tokenizer.json (get_fast_tokenizer_file).",
)
def paths(compared: ComparedKeys) -> Iterator[Finding]:
    """Check each path, and look for the listed files."""
    for stated in compared.of("config/paths"):
        yield from own_files(compared.context, stated)


def own_files(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report files that loaders need and the folder lacks."""
    yield from plain_name(context, stated)
    here = {file.name.rpartition("/")[2] for file in context.subject.files}
    names = stated.value if isinstance(stated.value, list) else []
    if context.subject.part in names:
        return  # of a second tokenizer, whose folder is looked at by the first
    meant = dict.fromkeys(tokenizer_file_name(names, version) for version in (FOUR, FIVE))
    for name in (name for name in meant if "/" not in name and name not in here):
        message = (
            f"{stated.key} in {stated.file} names {name[:80]!r}, which is not in the folder: "
            "loaders look for that file instead of tokenizer.json."
        )
        yield stated.reported(Severity.ERROR, message)
        return


def plain_name(context: RuleContext, stated: StatedKey) -> Iterator[Finding]:
    """Report a path that leads outside of the folder."""
    for path in _texts(stated.value):
        if _leaves(path):
            message = (
                f"{stated.key} in {stated.file} is {path[:120]!r}, which is outside the folder: "
                "loaders open it all the same."
            )
            yield stated.reported(Severity.ERROR, message)
            return


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item.get("path") if isinstance(item, dict) else item)
    elif isinstance(value, dict):
        yield from (name for name in value.values() if isinstance(name, str))


def _leaves(path: str) -> bool:
    """Return whether a path goes up, is absolute, or is a URL.

    >>> _leaves("1_Pooling"), _leaves("a/../../b"), _leaves("/etc/passwd"), _leaves("C:\\\\x")
    (False, True, True, True)
    """
    absolute = PurePosixPath(path).is_absolute() or PureWindowsPath(path).drive
    return bool(absolute or "://" in path or ".." in path.replace("\\", "/").split("/"))
