"""The records of upstream classes without one of them, or as a copy with one more."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import _lru_cache_wrapper, cache
from pathlib import Path

import pytest

from tokaudit.subject.upstream import model_type, pipeline, records, setting_key, tokenizer_class

ROOM = Path(records.__file__).parent


def forget() -> None:
    """Drop what was read of the records, as they may have changed."""
    for kept in _remembering(len(sys.modules)):
        kept.cache_clear()


@cache
def _remembering(modules: int) -> tuple[_lru_cache_wrapper[object], ...]:
    """The functions of the room that remember, of so many modules as there are."""
    room = [m for name, m in sys.modules.items() if name.startswith(records.__package__ or "")]
    every = (kept for module in room for kept in vars(module).values())
    return tuple(
        {id(kept): kept for kept in every if isinstance(kept, _lru_cache_wrapper)}.values()
    )


@contextmanager
def without(monkeypatch: pytest.MonkeyPatch, kind: str, name: str) -> Iterator[None]:
    """The records without the class, the model type or the family of a name."""
    read = {
        records.CLASSES: "class_record",
        records.TYPES: "type_record",
        records.PIPELINES: "pipeline_record",
    }
    reading = {
        records.CLASSES: (tokenizer_class, tokenizer_class._class_named),
        records.TYPES: (model_type, model_type.known_type),
        records.PIPELINES: (pipeline, pipeline.family),
    }
    module, kept = reading[kind]
    real = getattr(records, read[kind])

    def hidden(asked: str) -> records.Record | None:
        if asked != name:
            found: records.Record | None = real(asked)
            return found
        if kind == records.PIPELINES:
            raise FileNotFoundError(name)
        return None

    kept.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr(module, read[kind], hidden)
        yield
    kept.cache_clear()


@contextmanager
def without_key(monkeypatch: pytest.MonkeyPatch, file: str, key: str) -> Iterator[None]:
    """The records of settings without a section."""
    real = records.settings_record

    def hidden(asked: str) -> records.Record:
        return {k: v for k, v in real(asked).items() if (asked, k) != (file, key)}

    setting_key.every_setting.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr(setting_key, "settings_record", hidden)
        yield
    setting_key.every_setting.cache_clear()


def copied(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the room, which is read from now on."""
    room = root / "upstream"
    shutil.copytree(ROOM, room, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    monkeypatch.setattr(records, "HERE", room)
    forget()
    return room
