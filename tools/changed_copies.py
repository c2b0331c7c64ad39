"""Copies of a tokenizer with one thing changed, for tests and for the table of pairs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

Change = Callable[[Any], None]


def changed(source: Path, target: Path, change: Change, file: str = "tokenizer.json") -> Path:
    """A copy of the JSON files of a folder, one of them changed."""
    target.mkdir()
    for name in ("tokenizer.json", "tokenizer_config.json"):
        if (source / name).exists():
            shutil.copy(source / name, target)
    path = target / file
    data = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    change(data)
    path.write_text(json.dumps(data), encoding="utf-8")
    return target


def lstrip(data: Any) -> None:
    """The first added token takes the white space before it."""
    data["added_tokens"][0]["lstrip"] = True


def prefix_space(data: Any) -> None:
    """A text gets a space before it."""
    stated = data["pre_tokenizer"]
    steps = stated.get("pretokenizers", [stated])
    next(step for step in steps if step["type"] == "ByteLevel")["add_prefix_space"] = True


def nfkc(data: Any) -> None:
    """Compatibility characters are normalized."""
    data["normalizer"] = {"type": "NFKC"}


def one_more(data: Any) -> None:
    """One added token more, after the others."""
    added = [token["id"] for token in data["added_tokens"]]
    id = 1 + max(*data["model"]["vocab"].values(), *added)
    data["added_tokens"].append({**data["added_tokens"][0], "id": id, "content": "<|tool|>"})


def swapped(data: Any) -> None:
    """Two entries have each other's ids."""
    vocab = data["model"]["vocab"]
    vocab["Ġthe"], vocab["Ġof"] = vocab["Ġof"], vocab["Ġthe"]


def without_a_merge(data: Any) -> None:
    """A merge is missing whose token is still there."""
    merges = data["model"]["merges"]
    merges.remove(next(m for m in merges if "".join(m).replace(" ", "") == "Ġtokens"))


def template(data: Any) -> None:
    """A chat template."""
    data["chat_template"] = "{% for m in messages %}{{ m.role }}: {{ m.content }}{% endfor %}"


def spaced_template(data: Any) -> None:
    """The same chat template with one space more."""
    template(data)
    data["chat_template"] = data["chat_template"].replace(": ", ":  ")
