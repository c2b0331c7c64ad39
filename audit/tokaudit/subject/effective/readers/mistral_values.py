"""Tabulates what mistral-common takes of a tekken.json: its version, roles by name, and rows.

The library reads no other file of a folder: its template and its stops are code, chosen by the
version that the file states, and roles are looked up by their texts.

Source: `Tekkenizer.from_file` and `MistralTokenizer.from_file` of mistral-common 1.13.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tokaudit.report.recorded import LoaderValue, SaidBy
from tokaudit.subject.material import Subject
from tokaudit.subject.safe_json import pointer
from tokaudit.subject.upstream.published.mistral_common import MISTRAL_COMMON, refused, role_texts
from tokaudit_reference.spec import TokenizerSpec

NAME = f"mistral-common {MISTRAL_COMMON} (its file alone)"
FILE, VERSION, ROWS, BEFORE = "tokenizer file", "version", "vocab_size", "before a text"
STATED, HEAD = re.compile(rb'"version"\s*:\s*"([^"]{1,16})"'), 1 << 16


def mistral_values(subject: Subject, spec: TokenizerSpec) -> Iterator[LoaderValue]:
    """The cells of a tekken.json, of which a file that the library refuses has only one."""
    file, version = spec.files[0], _version(subject, spec.files[0])
    at, ids = pointer("config", VERSION), {token.content: token.id for token in spec.added_tokens}
    if version and (said := refused(version, ids, "added_tokens" not in spec.origins)):
        yield LoaderValue(FILE, NAME, f"refused: {said}", SaidBy.FILE, file, at)
        return
    yield LoaderValue(FILE, NAME, file, SaidBy.FILE, file)
    if version:
        yield LoaderValue(VERSION, NAME, version, SaidBy.FILE, file, at)
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


def _version(subject: Subject, name: str) -> str:
    file = next(each for each in subject.files if each.name == name)
    found = STATED.search(file.content.read(0, min(HEAD, file.content.size)))
    return found[1].decode("utf-8", "replace") if found else ""
