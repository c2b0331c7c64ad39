"""What a newer version of the library changes is a line of a record or a line that is said."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

import pytest
from small_library import LIBRARY, NAME, changed, python_with, written
from upstream_room import copied, forget

import tokaudit_upstream.command as tool

MAIN, TYPES = "__init__.py", "models/auto/configuration_auto.py"
GENERATION = "\n\nclass GenerationConfig:\n    def __init__(self):\n        self.{} = None\n"


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with monkeypatch.context() as patched:
        folder = copied(tmp_path, patched)
        (folder / "classes" / f"{NAME}.toml").write_text('[by_hand]\nids = "lines"\n')
        forget()
        yield folder
    forget()


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    return written(tmp_path / "newer")


def drawn_anew(room: Path, newer: Path) -> list[str]:
    """The lines of the records that a newer version changes."""
    older = python_with(written(newer.with_name("older")))
    files = (room / "classes" / f"{NAME}.toml", room / "model_types.toml")
    texts = []
    for five in (older, python_with(newer)):
        tool.main([older, five])
        forget()
        texts.append("".join(file.read_text() for file in files).splitlines())
    diff = unified_diff(*texts, n=0, lineterm="")
    return [line for line in diff if not line.startswith(("---", "+++", "@@", "+\n"))]


def test_a_default_and_a_token_and_a_type_are_lines_of_the_records(
    room: Path, newer: Path, processes: None
) -> None:
    changed(newer, MAIN, "do_lower_case=False", "do_lower_case=True")
    changed(newer, MAIN, 'sep_token="<cup>"', 'sep_token="<hat>"')
    changed(newer, TYPES, '"acorn": AcornConfig', '"acorn": AcornConfig, "acorn_text": AcornConfig')
    assert [line for line in drawn_anew(room, newer) if line != "+"] == [
        '+sep = ["<cup>", "<hat>"]',
        '-do_lower_case = ["false", "false"]',
        '+do_lower_case = ["false", "true"]',
        "+[acorn_text]",
        '+eos_token_id = ["absent", "3"]',
        '+vocab_size = ["absent", "7"]',
    ]


def test_a_file_and_a_class_and_a_key_are_said(
    room: Path, newer: Path, capsys: pytest.CaptureFixture[str], processes: None
) -> None:
    changed(newer, MAIN, '"vocab.txt"', '"acorns.txt"')
    changed(newer, TYPES, '"vocab_size": 7', '"vocab_size": 7, "cup_token_id": 2, "cups": 1')
    beech = LIBRARY.replace("AcornTokenizer", "BeechTokenizer") + GENERATION.format("bark")
    module = newer / "transformers" / MAIN
    module.write_text(module.read_text() + beech)
    (newer / "transformers" / "processing_acorn.py").write_text(
        "class AcornProcessor:\n    def __init__(self, leaves=1):\n        self.roots = leaves\n"
    )
    assert drawn_anew(room, newer) == []
    said = capsys.readouterr().err.splitlines()
    assert [line for line in said if "left as it is" not in line] == [
        "BeechTokenizer: a version has it, and it has no record",
        f"{NAME}: version 5 names acorns.txt, and its record does not",
        "cup_token_id: no record of config.json knows it",
        "bark: no record of generation_config.json knows it",
        "leaves: no record of preprocessor_config.json knows it",
        "roots: no record of preprocessor_config.json knows it",
    ]
