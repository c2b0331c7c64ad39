"""A config that was copied from another model is one finding, with the list."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import tokaudit
from tokaudit.report.model import Finding

Ask = Callable[..., list[Any]]
ROLES = {
    "unk_token": "[UNK]",
    "sep_token": "[SEP]",
    "eos_token": "[SEP]",
    "pad_token": "[PAD]",
    "cls_token": "[CLS]",
}


def copied(folder: Path, sick: ModuleType) -> None:
    """Give the folder BERT's roles, and its added tokens on ids that others have."""
    added = {
        str(id): {"content": text, "special": True}
        for id, text in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    }

    def change(data: dict[str, Any]) -> None:
        data.clear()
        data.update(ROLES | {"added_tokens_decoder": added})

    sick.edit(folder, "tokenizer_config.json", change)
    (folder / "special_tokens_map.json").unlink(missing_ok=True)


def test_every_token_of_a_foreign_config_is_one_finding(folder: Path, sick: ModuleType) -> None:
    copied(folder, sick)
    report = tokaudit.audit(folder, tier="quick", select=["files", "special_tokens/eos-is-special"])
    (finding,) = report.errors
    assert finding.check == "files/foreign-config"
    assert "'[UNK]' (unk)" in finding.message


def test_the_checks_of_single_roles_pass_over_it(folder: Path, ask: Ask, sick: ModuleType) -> None:
    copied(folder, sick)
    for check in ("vocab/unknown-token", "special_tokens/eos-is-special"):
        assert not any(isinstance(found, Finding) for found in ask(check, folder))


def test_no_rule_of_a_setting_names_its_tokens_again(
    folder: Path, ask: Ask, sick: ModuleType
) -> None:
    copied(folder, sick)
    found = [item for item in ask("config/tokens", folder) if isinstance(item, Finding)]
    assert not {item.cause for item in found} & {"sep_token", "cls_token", "bos_token"}


def test_one_token_that_does_not_exist_is_a_slip_and_told_by_its_own_check(
    folder: Path, ask: Ask, sick: ModuleType
) -> None:
    sick.edit(folder, "tokenizer_config.json", lambda c: c.update(unk_token="[UNK]"))
    assert ask("files/foreign-config", folder) == []
    assert ask("vocab/unknown-token", folder)
