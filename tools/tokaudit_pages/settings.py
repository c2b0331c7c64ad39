"""The page of settings, written from its tables."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from tokaudit.subject.upstream.setting_key import SettingKey, every_setting
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_tools.tables import head, row

HEAD = f"""\
# Settings that decide ids, text, lengths and inputs

Written from the records of settings and of classes by `make docs`. Each key is compared with what
the tokenizer's own files do by the check that is named; a key without one is known, and no file can
contradict it. The default is what loaders take where the key is left out: `4:` and `5:` are
transformers {FOUR} and {FIVE} here. For a default *by class* or *by kind of model*,
`tokaudit checks --setting KEY` prints the value of each."""
FEW = 10  # rows of a table that needs no filter


def page() -> str:
    """Markdown: a table for each file, which the script of the site lets a reader filter."""
    files = (
        _of_file(file, list(rows)) for file, rows in groupby(every_setting(), lambda r: r.file)
    )
    return "\n\n".join([HEAD, *files]) + "\n"


def _of_file(file: str, rows: Sequence[SettingKey]) -> str:
    columns = head("key", "decides", "means", "default", "compared by", "source")
    filtered = ['<div class="filterable"></div>', ""] if len(rows) > FEW else []
    return "\n".join([f"## {file}", "", *filtered, columns, *map(_line, rows)])


def _line(setting: SettingKey) -> str:
    key = "any" if setting.file == "added_tokens.json" else f"`{setting.key}`"
    by, source = ", ".join(setting.compared_by), _by_generation(setting.source)
    cells = (key, setting.decides, setting.means, setting.default, by, source)
    return row(*(_escaped(str(cell)) for cell in cells))


def _by_generation(source: str) -> str:
    """A source without the exact versions, which the head of the page says once."""
    return source.replace(f" {FOUR}", " 4").replace(f" {FIVE}", " 5")


def _escaped(text: str) -> str:
    """Text that a table does not read as its own lines."""
    return text.replace("|", "\\|").replace("<", "&lt;") if "`" not in text else text
