"""Flags of added tokens that settings state for a vocabulary whose own file has none."""

from __future__ import annotations

from pathlib import Path

from class_folders import model

import tokaudit
from tokaudit_folders.folder import Folder


def made(path: Path, **flags: bool) -> Path:
    names = ("<unk>", "<s>", "</s>")
    listed = {str(id): {"content": name, "special": True} for id, name in enumerate(names)}
    listed["2"] |= {"rstrip": False, **flags}
    folder = Folder.sentencepiece(model("bpe", byte_fallback=True))
    return folder.tokenizer_config(
        tokenizer_class="LlamaTokenizer", added_tokens_decoder=listed
    ).write(path)


def test_a_flag_that_only_settings_state_is_compared_with_the_base(tmp_path: Path) -> None:
    base, other = made(tmp_path / "base"), made(tmp_path / "other", rstrip=True)
    check = "baseline/added-token-flags"
    [finding] = tokaudit.run_check(check, other, base=base).findings
    assert finding.message.startswith(
        "rstrip of '</s>' is true in tokenizer_config.json, and false"
    )
    assert str(finding.severity) == "error" and finding.repair is not None
    assert [(each.pointer, each.wanted) for each in finding.repair.changes] == [
        ("/added_tokens_decoder/2/rstrip", False)
    ]
    assert tokaudit.run_check(check, base, base=base).findings == ()
