"""The page of settings, written from its tables: `python -m tokaudit_pages.settings`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from tokaudit.subject.upstream.model_type import ModelValue, every_type
from tokaudit.subject.upstream.setting_key import SettingKey, every_setting
from tokaudit.subject.upstream.tokenizer_class import ClassSetting, every_class
from tokaudit.subject.upstream.versions import FIVE, FOUR

HEAD = f"""\
# Settings that decide ids, text, lengths and inputs

Written from the records of settings and of classes by `make docs`. Each key is compared with what
the tokenizer's own files do by the check that is named; a key without one is known, and no file can
contradict it. The default is what loaders take where the key is left out: `4:` and `5:` are
transformers {FOUR} and {FIVE} here; *by class* and *by kind of model* are listed below."""
CLASSES = """\
## By class

What a class takes for a key that `tokenizer_config.json` leaves out. `-` is a class without such an
argument, *absent* a version without such a class. Of version 4 it is the fast class, with the slow
one's value in brackets where that is another."""
MODELS = """\
## By kind of model

What the configuration of a `model_type` takes for a key that `config.json` leaves out;
config/left-to-class compares the ends, starts and sizes with the tokenizer. Sizes and positions
are in `subject/upstream/model_types.toml`."""
SHOWN = ("bos_token_id", "eos_token_id", "pad_token_id", "decoder_start_token_id")


def page() -> str:
    """Markdown: a table for each file, then the values by class and by kind of model."""
    files = (
        _of_file(file, list(rows)) for file, rows in groupby(every_setting(), lambda r: r.file)
    )
    by_class = _grouped((n, s) for n, k in every_class().items() for s in k.settings.values())
    by_kind = _grouped(
        (n, v) for n, kind in every_type().items() for v in kind.values.values() if v.key in SHOWN
    )
    return "\n\n".join([HEAD, *files, CLASSES, by_class, MODELS, by_kind]) + "\n"


def _of_file(file: str, rows: Sequence[SettingKey]) -> str:
    head = [
        "| key | decides | means | default | compared by | source |",
        "|---|---|---|---|---|---|",
    ]
    return "\n".join([f"## {file}", "", *head, *map(_line, rows)])


def _line(row: SettingKey) -> str:
    key = "any" if row.file == "added_tokens.json" else f"`{row.key}`"
    by = ", ".join(row.compared_by)
    cells = (key, row.decides, row.means, row.default, by, _by_generation(row.source))
    return "| " + " | ".join(_escaped(str(cell)) for cell in cells) + " |"


def _by_generation(source: str) -> str:
    """A source without the exact versions, which the head of the page says once."""
    return source.replace(f" {FOUR}", " 4").replace(f" {FIVE}", " 5")


def _grouped(table: Iterable[tuple[str, ClassSetting | ModelValue]]) -> str:
    """The names that have the same values together, by the key."""
    groups: dict[ClassSetting | ModelValue, list[str]] = {}
    for name, value in sorted(table, key=lambda each: each[1].key):
        groups.setdefault(value, []).append(name)
    lines = (
        f"| `{value.key}` | {_shown(value.four)} | {_shown(value.five)} | {' '.join(names)} |"
        for value, names in groups.items()
    )
    return "\n".join(["| key | 4 | 5 | of |", "|---|---|---|---|", *lines])


def _shown(value: str) -> str:
    if not value:
        return "none"
    return _escaped(value) if value.strip() else "a space"


def _escaped(text: str) -> str:
    """Text that a table does not read as its own lines."""
    return text.replace("|", "\\|").replace("<", "&lt;") if "`" not in text else text


if __name__ == "__main__":
    print(page(), end="")
