"""The room of what is known upstream without one record that is written by hand."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType

import pytest
from said_of_family import family_of
from upstream_room import forget, without, without_key

from tokaudit.subject.upstream import records, setting_key, tokenizer_class
from tokaudit.subject.upstream.llama_cpp import gguf_patterns
from tokaudit.subject.upstream.published import confusables, known_encodings


@contextmanager
def _answering(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str, hidden: Callable[..., object]
) -> Iterator[None]:
    """The room where another function answers, with nothing remembered of before or after."""
    with monkeypatch.context() as patched:
        patched.setattr(module, name, hidden)
        forget()
        yield
    forget()


@contextmanager
def without_class(monkeypatch: pytest.MonkeyPatch, name: str) -> Iterator[None]:
    """The room without a class, wherever classes were counted before."""
    with without(monkeypatch, records.CLASSES, name):
        forget()
        yield
    forget()


@contextmanager
def without_reading(monkeypatch: pytest.MonkeyPatch, name: str) -> Iterator[None]:
    """The room without what was read of a class, but for where its ids come from."""
    real = records.class_record

    def hidden(asked: str) -> records.Record | None:
        record = real(asked)
        if asked != name or record is None:
            return record
        return {**record, records.BY_HAND: {"ids": record[records.BY_HAND]["ids"]}}

    with _answering(monkeypatch, tokenizer_class, "class_record", hidden):
        yield


@contextmanager
def without_family_of(monkeypatch: pytest.MonkeyPatch, name: str) -> Iterator[None]:
    """The room without the family that a class builds around its own files."""
    with without(monkeypatch, records.PIPELINES, family_of(name)):
        yield


LISTS = {"classifiers"}  # keys whose text is a list of records, a word each


@contextmanager
def without_part(
    file: str, above: str, monkeypatch: pytest.MonkeyPatch, name: str
) -> Iterator[None]:
    """The room without one section, or one listed word, of a file that is written by hand."""
    real = records._written_by_hand

    def hidden(asked: str) -> records.Record:
        record = copy.deepcopy(dict(real(asked)))
        if asked == file:
            record[above].pop(name, None)
            for key in LISTS & record[above].keys():
                listed = record[above][key].split()
                record[above][key] = " ".join(word for word in listed if word != name)
        return record

    with _answering(monkeypatch, records, "_written_by_hand", hidden):
        yield


@contextmanager
def without_entry(
    file: str, listed: str, monkeypatch: pytest.MonkeyPatch, name: str
) -> Iterator[None]:
    """The room without one entry of a list at the top of a file that is written by hand."""
    real = records._written_by_hand

    def hidden(asked: str) -> records.Record:
        record = dict(real(asked))
        if asked == file:
            record[listed] = [each for each in record[listed] if each != name]
        return record

    with _answering(monkeypatch, records, "_written_by_hand", hidden):
        yield


@contextmanager
def without_statement(monkeypatch: pytest.MonkeyPatch, name: str) -> Iterator[None]:
    """The statements of engines' files without those of a place, named with its file."""
    real = records._written_by_hand
    file, _, at = name.partition(" ")

    def hidden(asked: str) -> records.Record:
        record = dict(real(asked))
        if asked == records.ENGINE_FILES:
            rows = record["states"]
            record["states"] = [r for r in rows if (r["file"], r.get("at", "")) != (file, at)]
        return record

    with _answering(monkeypatch, records, "_written_by_hand", hidden):
        yield


@contextmanager
def without_setting(monkeypatch: pytest.MonkeyPatch, name: str) -> Iterator[None]:
    """The records of settings without the section of a key, named with its file."""
    file, _, key = name.partition(": ")
    with without_key(monkeypatch, file, key):
        yield


@contextmanager
def without_other(monkeypatch: pytest.MonkeyPatch, name: str) -> Iterator[None]:
    """The records of settings without a key, or a file, in the lists next to that of known keys."""
    real = records.settings_record

    def hidden(asked: str) -> records.Record:
        record = dict(real(asked))
        if setting_key.LISTED in record:
            record[setting_key.LISTED] = {
                key: _without_word(said, name) for key, said in record[setting_key.LISTED].items()
            }
        return record

    with _answering(monkeypatch, setting_key, "settings_record", hidden):
        yield


def _without_word(said: str | list[str], name: str) -> str | list[str]:
    if isinstance(said, str):
        return " ".join(word for word in said.split() if word != name)
    return [each for each in said if each != name]


@contextmanager
def without_token(monkeypatch: pytest.MonkeyPatch, name: str) -> Iterator[None]:
    """The room without the type of a token, whoever decides it."""
    with (
        without_part(records.TOKENS, "types", monkeypatch, name),
        without_part(records.TOKENS, "unless", monkeypatch, name),
    ):
        yield


@contextmanager
def without_rule(monkeypatch: pytest.MonkeyPatch, name: str) -> Iterator[None]:
    """The room without the patterns of a rule."""
    with monkeypatch.context() as patched:
        for table in (gguf_patterns.SPLITS, gguf_patterns.OF_THE_ENGINE):
            patched.delitem(table, name, raising=False)  # type: ignore[arg-type]
        forget()
        yield
    forget()


@contextmanager
def without_encoding(monkeypatch: pytest.MonkeyPatch, name: str) -> Iterator[None]:
    """The room without a published encoding."""
    with monkeypatch.context() as patched:
        patched.delitem(known_encodings.KNOWN, name)
        yield


@contextmanager
def without_look(monkeypatch: pytest.MonkeyPatch, name: str) -> Iterator[None]:
    """The room without the characters that look like one of ASCII."""
    others = confusables.looking_like(name)
    left = {other: plain for other, plain in confusables._table().items() if other not in others}
    with _answering(monkeypatch, confusables, "_table", lambda: left):
        yield
