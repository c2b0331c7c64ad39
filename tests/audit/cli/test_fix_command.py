"""`tokaudit fix` prints a patch on stdout, and on stderr what is repaired and what is left."""

from __future__ import annotations

from pathlib import Path

from tokaudit_folders.folder import Folder


def test_a_dry_run_prints_the_patch_alone_and_says_the_rest_on_stderr(
    tokaudit_in_fork,  # type: ignore[no-untyped-def]
    tmp_path: Path,
) -> None:
    Folder.bpe("ab", ["a b"], dropout=0.5).write(tmp_path / "model")
    done = tokaudit_in_fork("fix", tmp_path / "model", "--dry-run", "--select", "merges,files")
    assert done.returncode == 0
    assert done.stdout.startswith("--- a/tokenizer.json\n+++ b/tokenizer.json\n@@ ")
    assert done.stderr.splitlines() == [
        "fixed   merges/dropout: BPE dropout is 0.5: the encoder skips each merge with this "
        "probability, so the ids of a text are random.",
        "PASS after 1 change",
    ]


def test_a_dry_run_with_out_is_wrong_usage(
    tokaudit_in_fork,  # type: ignore[no-untyped-def]
    tmp_path: Path,
) -> None:
    Folder.bpe("ab").write(tmp_path / "model")
    done = tokaudit_in_fork("fix", tmp_path / "model", "--dry-run", "--out", tmp_path / "new")
    assert done.returncode == 2
    assert not (tmp_path / "new").exists()
