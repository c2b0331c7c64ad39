"""Subjects of a gate that state the same tokenizer share the work, and nothing of the verdict."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import tokaudit
from tokaudit.report.model import CheckResult
from tokaudit.report.report import Report
from tokaudit_folders.folder import Folder

TEMPLATE = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}"
MERGES = (("a", "b"), ("ab", "c"))
CHECKS = [
    "vocab",
    "merges",
    "round_trip",
    "agreement",
    "stability",
    "chat_template",
    "special_tokens",
    "config",
]


def folder(**config: object) -> Folder:
    """A small tokenizer with a template, and a config of its own."""
    made = Folder.bpe("abc", MERGES).added("<|user|>", "<|assistant|>").template(TEMPLATE)
    return made.config(vocab_size=7, **config)


def gated(place: Path, **folders: Folder) -> dict[str, Report]:
    """The report of each of these folders, by a gate over all of them."""
    lines = [f"select = {CHECKS!r}", 'tier = "quick"']
    for name, one in folders.items():
        one.write(place / name)
        lines += ["[[subjects]]", f'path = "{name}"']
    (place / "tokaudit.toml").write_text("\n".join(lines))
    return {each.name: each.report for each in tokaudit.gate(folder=place).subjects}


def results(report: Report) -> list[CheckResult]:
    """What each check found, without its seconds and without those of a gate."""
    found = [replace(each, seconds=0.0) for each in report.results]
    return [each for each in found if not each.check.startswith("gate/")]


def test_each_has_the_results_that_it_has_alone(tmp_path: Path, processes: None) -> None:
    folders = {
        "first": folder(),
        "same": folder(),
        "other_config": folder(eos_token_id=99),
        "other_merges": Folder.bpe("abc", MERGES[:1]).added("<|user|>").config(vocab_size=5),
        "first_again": folder(),
    }
    together = gated(tmp_path, **folders)
    for name in folders:
        alone = tokaudit.audit(tmp_path / name, select=CHECKS, tier="quick")
        assert results(together[name]) == results(alone), name


def test_the_library_is_asked_once_for_equal_files(tmp_path: Path, processes: None) -> None:
    found = gated(tmp_path, first=folder(), other_config=folder(eos_token_id=99))
    assert found["first"].timing.upstream_texts > 100
    assert found["other_config"].timing.upstream_texts == 0
