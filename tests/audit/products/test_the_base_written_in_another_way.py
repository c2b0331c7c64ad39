"""An audit of what its base is, written differently, says so and proves it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

import tokaudit
from tokaudit.products.compare.patterns.canonical import unicode_version
from tokaudit_folders import sick
from tokaudit_reference.text.published_patterns import GPT2

LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
CONTRACTIONS = ("'s|'t|'re|'ve|'m|'ll|'d", "'(?:[sdmt]|ll|ve|re)")


def written_as(folder: Path, pattern: str) -> Path:
    """The healthy folder, its own pattern written out as a Split before ByteLevel."""
    sick.only_tokenizer_json(sick.healthy(folder))
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"}

    def change(tokenizer: Any) -> None:
        steps = [{**split, "invert": False}, LEVEL]
        tokenizer["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": steps}

    sick.edit(folder, "tokenizer.json", change)
    return folder


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("base")
    sick.only_tokenizer_json(sick.healthy(folder))
    return folder


@pytest.mark.parametrize(
    "pattern", [GPT2, GPT2.replace(*CONTRACTIONS)], ids=["written out", "spelled anew"]
)
def test_the_audit_is_silent_and_the_pattern_is_proved(
    pattern: str, base: Path, tmp_path: Path, processes: None
) -> None:
    folder = written_as(tmp_path / "model", pattern)
    report = tokaudit.audit(folder, base=base, select=["baseline"], tier="quick")
    assert (report.verdict, report.findings) == ("pass", ())
    proved = {
        one.dimensions["facet"]: one.method
        for result in report.results
        for one in result.measurements
    }
    said = "every text is cut alike: 27 states, 14 classes of characters by Unicode "
    said += unicode_version()
    assert proved == {"pre-tokenizer": said}


def test_the_command_says_that_it_is_proved(
    base: Path, tmp_path: Path, tokaudit_in_fork: Callable[..., CompletedProcess[str]]
) -> None:
    folder = written_as(tmp_path / "model", GPT2)
    options = ("--base", base, "--select", "baseline", "--tier", "quick", "--measurements")
    said = tokaudit_in_fork("audit", folder, *options)
    assert said.returncode == 0
    assert "Written differently than the base's, and proved the same" in said.stdout
