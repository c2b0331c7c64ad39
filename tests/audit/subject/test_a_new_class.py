"""A class that nobody knew is one record and one command, and is then audited rightly."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from small_library import LIBRARY, MAPPING, NAME, python_with, written
from upstream_room import copied, forget

import tokaudit
import tokaudit_upstream.command as tool
from tokaudit.report.model import Severity
from tokaudit.subject.upstream.tokenizer_class import class_named

RECORD = """\
[by_hand]
ids = "lines"

[by_hand.pipeline]
of_files = "bert"

[by_hand.input]
around = ["<nut>", "<cup>"]
"""
TOKENS = ["[UNK]", "<nut>", "<cup>", "The", "the", "oak", "##s"]


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """The Python of an environment whose library has one class and one model type."""
    return python_with(written(tmp_path / "library"))


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the records with one more, as somebody writes it."""
    with monkeypatch.context() as patched:
        folder = copied(tmp_path, patched)
        (folder / "classes" / f"{NAME}.toml").write_text(RECORD)
        forget()
        yield folder
    forget()


def drawn(library: Path) -> None:
    """What `make upstream` does."""
    tool.main([library, library])
    forget()


def acorns(folder: Path, **settings: object) -> Path:
    folder.mkdir()
    (folder / "vocab.txt").write_text("".join(f"{token}\n" for token in TOKENS))
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": NAME, **settings}))
    return folder


def test_the_command_draws_the_rest_of_the_record(
    library: Path, room: Path, processes: None
) -> None:
    drawn(library)
    known = class_named(NAME)
    assert known is not None
    assert known.source == "acorn/tokenization_acorn.py"
    assert known.files == ("vocab.txt",)
    assert known.tokens == {"sep": "<cup>", "cls": "<nut>"}
    assert (known.settings["do_lower_case"].four, known.five) == ("false", "tokenizers")
    assert known.input.around == ("<nut>", "<cup>")


def test_the_command_says_what_no_record_knows(
    library: Path,
    room: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    processes: None,
) -> None:
    module = tmp_path / "library" / "transformers" / "__init__.py"
    more = module.read_text().replace("pad_token=None", "pad_token=None, bark=True")
    module.write_text(f"{more}\n\nclass BeechTokenizer(TokenizersBackend):\n    pass\n")
    mapping = module.parent / "models" / "auto" / "tokenization_auto.py"
    mapping.write_text(MAPPING.replace("}", ', "beech": "BeechTokenizer", "elm": "ElmTokenizer"}'))
    drawn(library)
    said = capsys.readouterr().err.splitlines()
    assert [line for line in said if "left as it is" not in line] == [
        "BeechTokenizer: a version has it, and it has no record",
        f"bark: no record of settings knows what {NAME} takes",
    ]


def test_what_one_side_of_a_class_inherits_is_drawn_next_to_what_the_other_states(
    library: Path, room: Path, tmp_path: Path, processes: None
) -> None:
    module = tmp_path / "library" / "transformers" / "__init__.py"
    base = "    vocab_files_names = {}\n"
    fast = "class AcornTokenizerFast(TokenizersBackend):\n    padding_side = 'left'\n"
    module.write_text(LIBRARY.replace(base, f"{base}    padding_side = 'right'\n") + fast)
    drawn(library)
    known = class_named(NAME)
    assert known is not None and known.settings["padding_side"].four == "left (slow right)"


def test_its_settings_decide_what_the_reference_gives(
    library: Path, room: Path, tmp_path: Path, processes: None
) -> None:
    drawn(library)
    with tokaudit.open(acorns(tmp_path / "cased")) as opened:
        assert opened.reference.encode(["The oaks"])[0].ids == (3, 5, 6)
    with tokaudit.open(acorns(tmp_path / "lowered", do_lower_case=True)) as opened:
        assert opened.reference.encode(["The oaks"])[0].ids == (4, 5, 6)


def test_its_special_tokens_are_looked_for_in_the_vocabulary(
    library: Path, room: Path, tmp_path: Path, processes: None
) -> None:
    drawn(library)
    folder = acorns(tmp_path / "acorns")
    assert tokaudit.run_check("special_tokens/class-defaults", folder).findings == ()
    (folder / "vocab.txt").write_text("[UNK]\n<nut>\n<gone>\nthe\noak\n##s\n")
    [finding] = tokaudit.run_check("special_tokens/class-defaults", folder).findings
    assert finding.severity is Severity.WARNING
    assert finding.message.startswith("AcornTokenizer uses '<cup>' (sep) as special tokens")


def test_a_class_without_a_record_is_said_to_be_unknown(tmp_path: Path) -> None:
    folder = acorns(tmp_path / "acorns")
    found = tokaudit.run_check("special_tokens/class-defaults", folder)
    assert found.findings == () and "no file names a class" in (found.reason or "")
