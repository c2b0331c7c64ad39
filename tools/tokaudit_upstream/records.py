"""Writes records: what is drawn anew, and what was written by hand as it was."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from tokaudit_upstream.answers import Answers

BY_HAND = "[by_hand"
HAND_KEY = "by_hand."
BARE = re.compile(r"[A-Za-z0-9_-]+")


def class_text(name: str, answers: Answers, old: str) -> str:
    """The file of a class."""
    parts = [
        f"source = {_toml(answers.source(name))}\n"
        f"files = {_toml(answers.files(name))}\n"
        f"has = {_toml(answers.has(name))}\n"
        f"builds = {_toml(answers.builds(name))}\n"
    ]
    parts += [
        _table("tokens", answers.tokens(name)),
        _table("tokens_by_version", answers.tokens_by_version(name)),
        _table("settings", answers.settings(name)),
    ]
    kept = old[old.index(BY_HAND) :] if BY_HAND in old else f'{BY_HAND}]\nids = "file"\n'
    return "\n".join([*filter(None, parts), kept])


def types_text(old: str, answers: Answers) -> str:
    """The file of model types."""
    known = dict(sections(old))
    texts = (type_text(kind, answers, known.get(kind, ())) for kind in sorted(answers.types()))
    return "\n\n".join(filter(None, texts)) + "\n"


def type_text(kind: str, answers: Answers, old: Sequence[str]) -> str:
    """The section of a model type, after its head; empty where nothing is known of it."""
    lines: list[str] = []
    if any(tokenizers := answers.tokenizers(kind)):
        lines.append(f"tokenizer = {_toml(tokenizers)}")
    if answers.misnamed(kind):
        lines.append("misnamed = true")
    lines += [f"{key} = {_toml(pair)}" for key, pair in answers.values(kind).items()]
    if any(ties := answers.ties(kind)):
        lines.append(f"ties = {_toml(ties)}")
    names = ("fields", "floats")
    pairs = zip(names, answers.fields(kind), strict=False)
    lines += [f"{name} = {_toml(said)}" for name, said in pairs if said]
    lines += [line for line in old if line.startswith(HAND_KEY)]
    return "\n".join([f"[{_key(kind)}]", *lines]) if lines else ""


def _table(name: str, values: Mapping[str, object]) -> str:
    lines = "".join(f"{_key(key)} = {_toml(value)}\n" for key, value in values.items())
    return f"[{name}]\n{lines}" if lines else ""


def _key(name: str) -> str:
    return name if BARE.fullmatch(name) else json.dumps(name)


def _toml(value: object) -> str:
    """Texts and lists of texts are written alike in TOML and in JSON."""
    return json.dumps(value, ensure_ascii=False)


def sections(text: str) -> Iterator[tuple[str, list[str]]]:
    """The head and the lines of each section of a file."""
    for section in ("\n" + text).split("\n[")[1:]:
        head, _, body = section.partition("]\n")
        yield json.loads(head) if head.startswith('"') else head, body.splitlines()
