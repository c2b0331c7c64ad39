"""Folders that hold something else than a tokenizer: what it is, what is missing, what to do."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.safe_json import parse_object

Recognise = Callable[[Sequence[SourceFile]], str]
LONGEST_NAME = 120  # characters of what a file says
FIRST_BYTES = 4_096
VERSION_LINE = b"#version:"
END_OF_WORD = b"</w>"


def what_it_is(subject: Subject) -> str:
    """What a folder without a tokenizer is, as the end of a sentence; empty if nothing is known.

    >>> from pathlib import Path
    >>> what_it_is(Subject("empty", Path(), (), (), {}))
    ''
    """
    return next((said for known in KNOWN if (said := known(subject.files))), "")


def _adapter(files: Sequence[SourceFile]) -> str:
    file = _named(files, "adapter_config.json")
    if file is None:
        return ""
    base = str(_json(file).get("base_model_name_or_path") or "")[:LONGEST_NAME]
    whose = f"that of {base}" if base else "its base model's"
    return (
        f"is an adapter without a tokenizer; loaders take {whose}. Audit that folder, or put the "
        "tokenizer's files here"
    )


def _merges_alone(files: Sequence[SourceFile]) -> str:
    file = next((file for file in files if _first(file).startswith(VERSION_LINE)), None)
    if file is None:
        return ""
    if END_OF_WORD in _first(file):
        return (
            f"has merges of subword-nmt in {file.name}, and no ids: those are in the model's "
            "dictionary. Convert both to a tokenizer.json, and audit that"
        )
    return (
        f"has merges in {file.name}, and no vocabulary, so no token has an id. Put the vocab.json "
        "of the same tokenizer here"
    )


KNOWN: tuple[Recognise, ...] = (_merges_alone, _adapter)


def _named(files: Sequence[SourceFile], base: str) -> SourceFile | None:
    return next((file for file in files if file.base == base and file.regular), None)


def _json(file: SourceFile) -> dict[str, Any]:
    try:
        return parse_object(read_bytes(file), file.name)
    except (UnreadableError, json.JSONDecodeError):
        return {}


def _first(file: SourceFile) -> bytes:
    return file.content.head(FIRST_BYTES) if file.regular else b""
