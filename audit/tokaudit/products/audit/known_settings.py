"""Records of a settings key, for `tokaudit checks --setting KEY`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tokaudit.foundation.errors import UsageError
from tokaudit.foundation.settings.nearest import meant
from tokaudit.subject.upstream.model_type import ModelValue, every_type
from tokaudit.subject.upstream.setting_key import SettingKey, every_setting
from tokaudit.subject.upstream.tokenizer_class import ClassSetting, TokenizerClass, every_class
from tokaudit.subject.upstream.versions import FIVE, FOUR

Value = ClassSetting | ModelValue


def setting_section(key: str) -> str:
    """Describe each file that may state the key, then its defaults by class and model type.

    Raises `UsageError` where no record knows the key.
    """
    by_class = [(n, s) for n, each in every_class().items() for s in _of_class(each)]
    by_kind = [(n, v) for n, kind in every_type().items() for v in kind.values.values()]
    rows = [row for row in every_setting() if row.key == key]
    classes, kinds = _of_key(key, by_class), _of_key(key, by_kind)
    if not rows and not classes and not kinds:
        known = sorted({row.key for row in every_setting()})
        raise UsageError(f"--setting: {key!r} is not a known setting{meant(key, known)}")
    parts = [*map(_row, rows), *_defaults("tokenizer class", classes)]
    return "\n\n".join([*parts, *_defaults("model_type", kinds)]) + "\n"


def _of_class(known: TokenizerClass) -> Iterator[ClassSetting]:
    """Yield the settings of a class, with its special tokens."""
    yield from known.settings.values()
    for role, token in (known.tokens or {}).items():
        if role not in known.tokens_by_version:
            yield ClassSetting(f"{role}_token", token, token)
    for role, value in known.tokens_by_version.items():
        yield ClassSetting(f"{role}_token", value.four, value.five)


def _row(row: SettingKey) -> str:
    compared = ", ".join(row.compared_by) or "no check: no file can contradict it"
    lines = (f"decides: {row.decides}", f"means: {row.means}", f"default: {row.default}")
    return "\n  ".join(
        [f"{row.file}: {row.key}", *lines, f"compared by: {compared}", f"source: {row.source}"]
    )


def _of_key(key: str, table: Iterable[tuple[str, Value]]) -> dict[tuple[str, str], list[str]]:
    """Group the names by the values of both versions."""
    groups: dict[tuple[str, str], list[str]] = {}
    for name, value in table:
        if value.key == key:
            groups.setdefault((value.four, value.five), []).append(name)
    return groups


def _defaults(of: str, groups: dict[tuple[str, str], list[str]]) -> Iterator[str]:
    if groups:
        head = f"default by {of}, in transformers {FOUR} and {FIVE} (- means no such key):"
        yield "\n".join([head, *(_default(values, names) for values, names in groups.items())])


def _default(values: tuple[str, str], names: list[str]) -> str:
    shown = " and ".join(dict.fromkeys(_shown(value) for value in values))
    return f"  {shown}: {' '.join(names)}"


def _shown(value: str) -> str:
    """Format a value so that an empty one and a space are visible.

    >>> _shown(""), _shown(" "), _shown("</s>")
    ('none', 'a space', '</s>')
    """
    if not value:
        return "none"
    if not value.strip():
        return "a space"
    return value if value.isprintable() else ascii(value)
