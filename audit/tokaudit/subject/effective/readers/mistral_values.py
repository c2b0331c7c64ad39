"""Tabulate what mistral-common uses from a tekken.json: version, roles and rows.

The library reads no other file of a folder: its template and its stops are code, chosen by the
version that the file states, and roles are looked up by their texts.

Source: `Tekkenizer.from_file` and `MistralTokenizer.from_file` of mistral-common 1.13.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tokaudit.report.recorded import LoaderValue, SaidBy
from tokaudit.subject.material import Subject, read_bytes
from tokaudit.subject.safe_json import parse_object, pointer
from tokaudit.subject.upstream.published.mistral_common import MISTRAL_COMMON, refused, role_texts
from tokaudit_reference.spec import TokenizerSpec

NAME = f"mistral-common {MISTRAL_COMMON} (its file alone)"
FILE, VERSION, ROWS, BEFORE = "tokenizer file", "version", "vocab_size", "before a text"


def mistral_values(subject: Subject, spec: TokenizerSpec) -> Iterator[LoaderValue]:
    """Yield the values of a tekken.json; a refused file has only one."""
    file = spec.files[0]
    stated = stated_tekken(subject, file)
    if (found := refused(stated)) is not None:
        said = f"refused: {found.says}"
        yield LoaderValue(FILE, NAME, said, SaidBy.FILE, file, pointer(*found.at))
        return
    ids = {token.content: token.id for token in spec.added_tokens}
    yield LoaderValue(FILE, NAME, file, SaidBy.FILE, file)
    at = pointer("config", VERSION)
    yield LoaderValue(VERSION, NAME, stated["config"][VERSION], SaidBy.FILE, file, at)
    for role, text in role_texts().items():
        key, id = f"{role}_token_id", ids.get(text)
        if id is None:
            yield LoaderValue(key, NAME, None, SaidBy.NOBODY)
        else:
            yield LoaderValue(key, NAME, id, SaidBy.CLASS, class_name=f"mistral-common, {text}")
    rows = pointer("config", "default_vocab_size")
    yield LoaderValue(ROWS, NAME, spec.size(), SaidBy.FILE, file, rows)
    begins = role_texts()["bos"]
    yield LoaderValue(BEFORE, NAME, begins, SaidBy.CLASS, class_name="a request to mistral-common")


def stated_tekken(subject: Subject, name: str) -> dict[str, Any]:
    """Return the JSON of a subject's tekken.json, as written."""
    file = next(each for each in subject.files if each.name == name)
    return parse_object(read_bytes(file), name)
