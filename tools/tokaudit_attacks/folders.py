"""Audits whose library attacks its folder, all with one folder for temporary files."""

from __future__ import annotations

import gc
import os
import tempfile
from collections import Counter
from pathlib import Path

import tokaudit
from tokaudit_folders.folder import Folder

LIBRARY = Path(__file__).with_name("library")
LOADS = "agreement/library-loads"


def attacked(count: int, seed: int) -> tuple[Counter[str], list[str], str]:
    """How the audits ended, what they left, and the verdict on a sound subject afterwards."""
    ends = Counter[str]()
    with tempfile.TemporaryDirectory() as place:
        temporary, subject = Path(place, "tmp"), Path(place, "subject")
        temporary.mkdir()
        tempfile.tempdir = str(temporary)
        path = os.environ.get("PYTHONPATH", "")
        try:
            os.environ["PYTHONPATH"] = str(LIBRARY)
            for number in range(count):
                made = Folder.bpe("ab", ["a b"]).changed(attack=seed * count + number)
                made.write(subject)
                report = tokaudit.audit(subject, select=[LOADS], tier="quick")
                [result] = [each for each in report.results if each.check == LOADS]
                ends[str(result.status)] += 1
            os.environ["PYTHONPATH"] = path
            Folder.bpe("ab", ["a b"]).write(subject)
            sound = tokaudit.audit(subject, select=[LOADS], tier="quick")
            gc.collect()  # which removes the copies of files of the last subject
            left = sorted(each.name for each in temporary.iterdir())
            return ends, left, str(sound.verdict)
        finally:
            os.environ["PYTHONPATH"] = path
            tempfile.tempdir = None
