"""Settings whose JSON not every reader takes: one finding each, and no audit that crashes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import tokaudit
from tokaudit.report.model import Finding, Status
from tokaudit_folders.folder import Folder
from tokaudit_fuzz.targets import computing

Ask = Callable[..., list[object]]
NINES = "9" * 4000


def found_in(folder: Path, config: bytes) -> list[tuple[str, str]]:
    """What the checks of files and settings find, of a tokenizer with this config."""
    Folder.bpe("ab", ["a b"]).write(folder)
    (folder / "config.json").write_bytes(config)
    asked = ("files/kind", "files/config-types", "config/plain-json", "config/stated-twice")
    checks = [check for check in computing() if check.id in asked]
    report = tokaudit.audit(folder, tier="quick", checks=checks)
    assert all(result.status is not Status.CRASHED for result in report.results)
    return [
        (result.check, str(finding.severity))
        for result in report.results
        for finding in result.findings
    ]


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ('{"vocab_size": 3}'.encode("utf-16"), [("files/kind", "error")]),
        (
            '{"vocab_size": 3, "vocab_size": 4}'.encode("utf-8-sig"),
            [("config/stated-twice", "error"), ("files/kind", "error")],
        ),
        (b'{"vocab_size": NaN}', [("files/config-types", "error")]),
        (f'{{"vocab_size": {NINES}}}'.encode(), [("files/config-types", "error")]),
        (b'{"vocab_size": Infinity}', [("files/config-types", "error")]),
        (b'{"vocab_size": 1e999}', [("files/config-types", "error")]),
        (b'{"temperature": NaN}', [("config/plain-json", "warning")]),
        (f'{{"a": {{"b": [1, {NINES}]}}}}'.encode(), [("config/plain-json", "warning")]),
        (b'{"a": "\\ud800"}', [("config/plain-json", "warning")]),
        (b'{"\\ud800": 1, "b": -Infinity}', [("config/plain-json", "warning")]),
        (b'{"a": 1, "a": 2}', [("config/stated-twice", "error")]),
        (b'{"model_max_length": 1000000000000000019884624838656}', []),  # as it is published
        (b'{"a": "\\ud83d\\ude00", "b": "a\\u0000b", "temperature": 0.5}', []),
    ],
    ids=lambda value: str(value)[:30],
)
def test_each_oddity_of_json_is_one_finding(
    tmp_path: Path, config: bytes, said: list[tuple[str, str]]
) -> None:
    assert found_in(tmp_path, config) == said


@pytest.mark.parametrize("shard", ["5", "null", '"a\\u0000b"', "[1]"])
def test_a_weight_map_that_names_no_file_is_an_error(
    ask: Ask, folder: Path, sick: ModuleType, shard: str
) -> None:
    (folder / "model.safetensors").unlink()
    text = '{"weight_map": {"lm_head.weight": ' + shard + "}}"
    (folder / "model.safetensors.index.json").write_text(text)
    found = [each for each in ask("embeddings/shards", folder) if isinstance(each, Finding)]
    assert [each.cause for each in found] == ["no name"]
