"""The folders that modules.json names, by the kind of their module."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tokaudit
from tokaudit_folders.folder import Folder


@pytest.mark.parametrize(
    ("kind", "messages"),
    [
        (
            "Dense",
            ["modules.json names the module '2_Last', but the folder lacks 2_Last/config.json"],
        ),
        ("Dropout", []),
        ("Normalize", []),
    ],
)
def test_a_module_without_its_config_is_an_error_where_it_cannot_be_built(
    tmp_path: Path, kind: str, messages: list[str]
) -> None:
    Folder.bpe("ab").weights(embed=(2, 2)).write(tmp_path)
    module = {
        "idx": 2,
        "name": "2",
        "path": "2_Last",
        "type": f"sentence_transformers.models.{kind}",
    }
    (tmp_path / "modules.json").write_text(json.dumps([module]))
    report = tokaudit.audit(tmp_path, select=["files/modules"], tier="quick")
    found = [finding.message for result in report.results for finding in result.findings]
    assert [message.partition(":")[0] for message in found] == messages
