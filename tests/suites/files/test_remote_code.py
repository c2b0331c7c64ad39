"""Code in the checkpoint is never run, and its presence is said."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import tokaudit
import tokaudit_suites.throughput
from tokaudit.report.model import Severity

YARDSTICK = Path(tokaudit_suites.throughput.__path__[0]) / "yardstick.json"


@pytest.mark.parametrize(
    ("auto_map", "severities"),
    [
        ({"AutoTokenizer": ["tokenization_x.X", None]}, [Severity.WARNING, Severity.INFO]),
        ({"AutoModel": "modeling_x.X"}, [Severity.INFO]),
    ],
)
def test_a_tokenizer_class_of_the_checkpoint_is_a_warning_and_its_file_is_named(
    tmp_path: Path, auto_map: dict[str, object], severities: list[Severity]
) -> None:
    shutil.copy(YARDSTICK, tmp_path / "tokenizer.json")
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"auto_map": auto_map}))
    (tmp_path / "tokenization_x.py").write_text("raise SystemExit('this must never run')")
    report = tokaudit.audit(tmp_path, select=["files/remote-code"], tier="quick")
    found = [finding.severity for result in report.results for finding in result.findings]
    assert found == severities
