"""Engines that speak the protocol of `docs/engines.md`, and programs that do not."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tokaudit.runtimes.adapters import command, python_encoder
from tokaudit.runtimes.engine_protocol import AT_ONCE, PROTOCOL, ProtocolEngine
from tokaudit.runtimes.protocol import DecodeOptions, EncodeOptions
from tokaudit.runtimes.request import LoadRequest

ENGINES = Path(__file__).resolve().parents[3] / "docs" / "engines"
TEXTS = [
    "",
    "a",
    '["texts": ["]',
    "\t\r\b\f/\ufeff",
    "\u00e9\u3000\U00020000",
    '\0\n"\\\\',
    "x" * 5_000,
] * 30


def program(*words: str) -> LoadRequest:
    return LoadRequest("cmd", shlex.join(words))


def started(file: str, folder: Path) -> list[str]:
    """Compile an engine of the page, and return its command; skip where its language is absent."""
    source = str(ENGINES / file)
    made = str(folder / "engine")
    match file.partition(".")[2]:
        case "py":
            return [sys.executable, source]
        case "mjs":
            return [_here("node"), source]
        case "rs":
            subprocess.run([_here("rustc"), "-o", made, source], check=True)
        case "c":
            subprocess.run([_here("cc"), "-Wall", "-Werror", "-o", made, source], check=True)
    return [made]


def _here(name: str) -> str:
    return shutil.which(name) or pytest.skip(f"{name} is not installed here")


@pytest.mark.parametrize("file", sorted(each.name for each in ENGINES.glob("engine.*")))
def test_each_engine_of_the_page_is_spoken_to(file: str, tmp_path: Path, processes: None) -> None:
    engine = command.load(program(*started(file, tmp_path)))
    assert isinstance(engine, ProtocolEngine)
    assert {"encode", "batch"} <= engine.capabilities <= {"encode", "decode", "batch"}
    assert (engine.info.package, engine.info.version) == ("bytes", "1")
    for alone in (False, True):
        found = engine.encode(TEXTS, EncodeOptions(alone=alone))
        assert [each.ids for each in found] == [tuple(text.encode()) for text in TEXTS]
    if "decode" in engine.capabilities:
        assert engine.decode([each.ids for each in found]) == TEXTS
    engine.close()


def test_the_page_names_every_engine_of_its_folder() -> None:
    page = (ENGINES.parent / "engines.md").read_text("utf-8")
    files = sorted(each.name for each in ENGINES.iterdir())
    assert files == ["engine.c", "engine.mjs", "engine.py", "engine.rs"]
    assert [name for name in files if f"engines/{name}" not in page] == []


def test_a_program_that_ends_at_once_is_named_once_with_its_last_words(processes: None) -> None:
    code = "import sys; sys.exit('no such model: acorn')"
    with pytest.raises(RuntimeError) as raised:
        command.load(program(sys.executable, "-c", code))
    assert str(raised.value) == (
        "the program ended with exit code 1; it said: no such model: acorn"
    )


def test_a_program_that_ends_later_says_so_at_each_question(processes: None) -> None:
    code = "print('{\"ids\": [1]}') if input() else 0; input(); raise SystemExit(7)"
    engine = command.load(program(sys.executable, "-uc", code))
    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"^the program ended with exit code 7$"):
            engine.encode(["a"])
    assert isinstance(engine, command.OneTextProgram)
    engine.close()


class Acorn:
    """An object with a method for each question."""

    def __init__(self, **hello: Any) -> None:
        self._hello = {"protocol": PROTOCOL, "can": ["special", "adds", "offsets"], **hello}
        self.sizes: list[int] = []

    def hello(self, protocol: str, threads: int) -> dict[str, Any]:
        assert (protocol, threads) == (PROTOCOL, 1)
        return self._hello

    def encode(self, texts: list[str], special: bool, add: bool, offsets: bool) -> dict[str, Any]:
        self.sizes.append(len(texts))
        ids = [{"error": "no"} if "no" in text else [len(text), special, add] for text in texts]
        return {"ids": ids, "offsets": [[[0, 1]] * 3 for _ in texts] if offsets else None}


def test_an_object_is_asked_many_texts_at_once_with_the_switches() -> None:
    acorn = Acorn(version="3")
    engine = python_encoder._engine(acorn, "module:acorn")
    assert engine.capabilities == {"encode", "special", "adds", "offsets"}
    options = EncodeOptions(add_special_tokens=True, parse_special=False, offsets=True)
    found = engine.encode(["ab", "no"] * AT_ONCE, options)
    assert acorn.sizes == [AT_ONCE, AT_ONCE]
    assert (found[0].ids, found[0].offsets) == ((2, 0, 1), ((0, 1), (0, 1), (0, 1)))
    assert (found[1].ids, found[1].error) == ((), "no")


@pytest.mark.parametrize(
    "answer", [{"ids": []}, {"ids": "ab"}, {}, {"error": "x"}, {"ids": [[1], [2], [3]]}]
)
def test_an_answer_of_another_shape_is_an_error_and_never_ids(answer: dict[str, Any]) -> None:
    engine = ProtocolEngine("cmd", lambda _: answer, {})
    with pytest.raises(RuntimeError):
        engine.encode(["a", "b"])


def test_decoding_in_a_stream_is_requested_and_an_error_in_place_of_a_text_is_raised() -> None:
    asked: list[Mapping[str, Any]] = []

    def answer(question: Mapping[str, Any]) -> Mapping[str, Any]:
        asked.append(question)
        return {"texts": ["a" if ids else {"error": "no ids"} for ids in question["ids"]]}

    engine = ProtocolEngine("cmd", answer, {"can": ["decode", "stream"]})
    assert engine.decode([[1]], DecodeOptions(streamed=True)) == ["a"]
    assert asked == [{"op": "decode", "ids": [[1]], "stream": True}]
    with pytest.raises(RuntimeError, match=r"^no ids, for 0 ids"):
        engine.decode([[1], []])
    assert "stream" not in asked[1]


def test_an_error_of_an_engine_of_the_page_is_an_answer_and_not_its_end(processes: None) -> None:
    engine = command.load(program(sys.executable, str(ENGINES / "engine.py")))
    with pytest.raises(RuntimeError, match=r"^ValueError.*, for 2 ids from 1, 999 on$"):
        engine.decode([[1], [1, 999]])
    assert engine.decode([[97]]) == ["a"]
    engine.close()
