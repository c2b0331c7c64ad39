"""Ids of config.json that generation_config.json hides from generation, and not from training."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit.report.model import Severity
from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
TEMPLATE = "{% for m in messages %}<turn>{{ m.content }}</s>{% endfor %}"
PAD, TURN, END = 3, 4, 5


@pytest.mark.parametrize(
    ("pad", "said"),
    [
        (TURN, [(Severity.WARNING, "pad other")]),
        (PAD, []),
        (END, []),  # an end often pads too
    ],
)
def test_a_marker_of_turns_that_pads_by_config_json_alone_is_a_warning(
    tmp_path: Path, ask: Ask, pad: int, said: list[tuple[Severity, str]]
) -> None:
    folder = Folder.bpe("abc").added("<pad>", "<turn>", "</s>").template(TEMPLATE)
    folder = folder.tokenizer_config(pad_token="<pad>", eos_token="</s>", added_tokens_decoder={})
    folder = folder.config(pad_token_id=pad, eos_token_id=END)
    folder = folder.settings("generation_config.json", pad_token_id=PAD, eos_token_id=END)
    found = ask("special_tokens/role-ids", folder.write(tmp_path))
    assert [(each.severity, each.cause) for each in found] == said
