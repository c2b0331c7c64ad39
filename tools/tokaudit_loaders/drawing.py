"""Loads a folder of each class with each value of each key, by an environment's own Python."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tokaudit.subject.configs import ROLE_TOKENS
from tokaudit_loaders.drawn_values import BY_ALGORITHM, FEW, GENERAL, KEYS, SLOW, VALUES

SETTINGS, WHOLE = "tokenizer_config.json", "tokenizer.json"
DIED = "the process ended"
TEXTS = ("the cat", "\u2603")  # and what no vocabulary has


class Judge:
    """One process of an installed library, asked folder by folder."""

    def __init__(self, python: Path, script: str = "judge.py", *folders: Path) -> None:
        """`folders` are where its script imports from besides."""
        self._begin = partial(
            subprocess.Popen[str],
            [python, "-P", Path(__file__).with_name(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))},
        )
        self._process = self._begin()

    def __call__(
        self, folder: Path, texts: tuple[str, ...] = TEXTS, whole: bool = False
    ) -> dict[str, Any]:
        """What the library makes of a folder, or how it refuses it; `whole` is what it built."""
        asked, answers = self._process.stdin, self._process.stdout
        if asked is None or answers is None:
            raise RuntimeError("the judge has no pipes")
        asked.write(json.dumps([str(folder), texts, whole]) + "\n")
        asked.flush()
        line = answers.readline()
        if not line:  # it has died of the folder
            self.close()
            self._process = self._begin()
        found: dict[str, Any] = json.loads(line) if line else {"refused": DIED}
        return found

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()


@dataclass(frozen=True)
class Answer:
    """What a version raised for a value of a key, of a class with these files; or nothing."""

    name: str
    layout: str  # `json` or `bare`
    key: str
    form: str
    says: str
    encoding: bool


def drawn(
    judge: Judge, name: str, layout: str, folder: Path, own: tuple[str, ...]
) -> Iterator[Answer]:
    """An answer for each key and form; none where the folder itself does not load.

    Keys that classes of every kind are tried with get every form, the arguments of one class few.
    """
    whole = name in (*GENERAL, SLOW)
    settings = json.loads((folder / SETTINGS).read_text("utf-8"))
    sound = judge(folder)
    if "refused" in sound:
        return
    for key in dict.fromkeys((*(KEYS if whole else ("add_prefix_space", *ROLE_TOKENS)), *own)):
        few = ("null",) if key in ROLE_TOKENS else VALUES if key in KEYS else FEW
        for form, value in VALUES.items():
            if (whole or form in few) and form not in BY_ALGORITHM.get(key, ()):
                said = _tried(judge, folder, {**settings, key: value})
                raised = said.get("refused") or said.get("encoding") or ""
                raised = "" if raised == sound.get("encoding") else raised  # of the class itself
                yield Answer(name, layout, key, form, raised, "refused" not in said)
    (folder / SETTINGS).write_text(json.dumps(settings))


def _tried(judge: Judge, folder: Path, settings: Mapping[str, Any]) -> dict[str, Any]:
    (folder / SETTINGS).write_text(json.dumps(settings))
    return judge(folder)


def with_tokenizer_json(judge: Judge, folder: Path, into: Path) -> Path | None:
    """A folder with the tokenizer.json alone that the class itself makes; None without one."""
    whole = judge(folder, (), whole=True).get("whole")
    if not whole:
        return None
    into.mkdir()
    (into / WHOLE).write_text(whole, "utf-8")
    (into / SETTINGS).write_bytes((folder / SETTINGS).read_bytes())
    return into
