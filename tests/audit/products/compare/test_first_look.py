"""Two tokenizers are tried on a few texts before anything is proved or searched."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.engine.sides.trial import Trial
from tokaudit.products.compare.work import subjects
from tokaudit_folders.folder import Folder

pytestmark = pytest.mark.usefixtures("processes")


def pair(path: Path) -> tuple[str, str]:
    one, other = Folder.bpe("abc", ["a b"]), Folder.bpe("abc", ["b c"])
    return str(one.write(path / "one")), str(other.write(path / "other"))


def test_a_proof_that_takes_all_of_the_time_leaves_the_texts_of_the_first_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched, calls = subjects.compared, []

    def out_of_time(trial: Trial, wanted: Any, *heard: Any) -> Any:
        calls.append(trial.compared)
        if len(calls) == 1:  # the whole search, which has run nothing yet
            trial.stopped = True
        return searched(trial, wanted, *heard)

    monkeypatch.setattr(subjects, "compared", out_of_time)
    report = tokaudit.compare(*pair(tmp_path), tier="quick")
    assert report.comparison is not None
    assert calls[0] == 0 and calls[1] > 0
    assert report.comparison.texts == calls[1] and report.comparison.different
    assert str(report.verdict) == "fail"


def test_two_have_no_matrix(tmp_path: Path) -> None:
    report = tokaudit.compare(*pair(tmp_path), tier="quick")
    assert report.matrix == () and report.groups == ()
