"""`tokaudit.fix` repairs what a program can repair in a copy, and says what is left and why."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

import tokaudit
from tokaudit.products.fix.fixed import why_left
from tokaudit.report.repair import Change, ChangeKind
from tokaudit_folders.folder import Folder

FILES = ("files", "config", "special_tokens/role-ids", "padding/settings-left-on", "merges")


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """Truncation that was left on, and an end of text that is an ordinary token."""
    folder = tmp_path / "broken"
    made = Folder.bpe("ab", ["a b"], dropout=0.1).added("</s>").config(vocab_size=4, eos_token_id=2)
    made = made.file("tokenizer_config.json", {"eos_token": "</s>"})
    made.write(folder)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_the_patch_applies_with_patch_p1_and_the_result_passes(
    broken: Path, tmp_path: Path, processes: None
) -> None:
    before = contents(broken)
    fixed = tokaudit.fix(broken, select=FILES, tier="quick")
    assert {each.identity for each in fixed.repaired} >= {
        "special_tokens/role-ids:eos",
        "merges/dropout:random-ids",
    }
    assert fixed.new == ()
    assert contents(broken) == before
    if shutil.which("patch"):
        copy = tmp_path / "patched"
        shutil.copytree(broken, copy)
        patch = fixed.patch.encode("utf-8", "surrogateescape")
        subprocess.run(["patch", "-p1"], cwd=copy, input=patch, check=True, capture_output=True)
        assert json.loads((copy / "config.json").read_text())["eos_token_id"] == 3
        assert json.loads((copy / "tokenizer.json").read_text())["model"]["dropout"] is None


def test_a_repaired_copy_has_every_file_and_the_subject_none_of_the_changes(
    broken: Path, tmp_path: Path
) -> None:
    before = contents(broken)
    fixed = tokaudit.fix(broken, select=FILES, tier="quick", out=tmp_path / "repaired")
    assert fixed.written == tmp_path / "repaired"
    assert contents(broken) == before
    assert contents(tmp_path / "repaired").keys() == before.keys()
    assert json.loads((tmp_path / "repaired/config.json").read_text())["eos_token_id"] == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken", "repaired"]


def test_a_finding_says_what_the_file_holds_now_and_what_is_wanted(broken: Path) -> None:
    (finding,) = tokaudit.run_check("special_tokens/role-ids", broken).findings
    assert finding.repair is not None
    assert finding.repair.changes == (Change(ChangeKind.SET, "config.json", "/eos_token_id", 2, 3),)


def test_what_nobody_can_tell_from_the_files_is_left_with_its_reason(tmp_path: Path) -> None:
    Folder.bpe({"a": 0, "b": 2}).write(tmp_path / "holed")
    fixed = tokaudit.fix(tmp_path / "holed", select=["vocab/holes"], tier="quick")
    assert (fixed.patch, fixed.changes) == ("", ())
    assert [why_left(each).partition(".")[0] for each in fixed.left] == [
        "a base decides: no file here says which token each embedding row belongs to"
    ]


def test_a_component_is_taken_from_the_base(tmp_path: Path, processes: None) -> None:
    Folder.bpe("abc", ["a b", "ab c"]).write(tmp_path / "base")
    Folder.bpe({"a": 0, "b": 1, "c": 2, "ab": 3, "abc": 4}, ["a b"]).write(tmp_path / "tuned")
    fixed = tokaudit.fix(
        tmp_path / "tuned", base=tmp_path / "base", select=["baseline/merges"], tier="quick"
    )
    assert [each.check for each in fixed.repaired] == ["baseline/merges"]
    assert fixed.left == ()


@pytest.mark.parametrize("inside", ["", "copy"])
def test_a_copy_is_never_written_into_the_subject_or_over_anything(
    broken: Path, inside: str
) -> None:
    before = contents(broken)
    with pytest.raises(tokaudit.UsageError):
        tokaudit.fix(broken, out=broken / inside)
    assert contents(broken) == before


def test_a_file_that_is_there_is_not_replaced(broken: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("work")
    with pytest.raises(tokaudit.UsageError, match="exists already"):
        tokaudit.fix(broken, out=tmp_path / "mine")
    assert (tmp_path / "mine").read_text() == "work"
