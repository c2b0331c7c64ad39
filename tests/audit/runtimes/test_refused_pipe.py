"""What the system refuses on the way to a worker says nothing about the library in it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

import tokaudit
from tokaudit.foundation.errors import UnreadableError
from tokaudit.report.model import Status
from tokaudit.runtimes.worker import process
from tokaudit_folders.folder import Folder


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.ENOMEM])
def test_a_refused_write_leaves_the_question_open(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    Folder.bpe("ab", [["a", "b"]]).write(tmp_path)

    def refuse(*given: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(process, "send", refuse)
    result = tokaudit.run_check("agreement/reference", tmp_path)
    assert (result.status, result.findings) == (Status.SKIPPED, ())
    assert result.reason.startswith("the worker took no request: ")
    assert os.strerror(number) in result.reason


def test_a_behaviour_that_the_system_kept_from_being_seen_is_no_drift(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    Folder.bpe("ab", [["a", "b"]]).write(tmp_path)
    before = tokaudit.manifest(tmp_path)

    def refuse(*given: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(process, "send", refuse)
    with pytest.raises(
        UnreadableError,
        match=r"the digest 'behaviour-v1' of its manifest cannot be computed: .*No space left",
    ):
        tokaudit.verify(tmp_path, before)
    with pytest.raises(
        UnreadableError,
        match=r"the digest 'behaviour-v1' of its manifest cannot be computed: .*No space left",
    ):
        tokaudit.manifest(tmp_path)
