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


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ("<|endoftext|>", (Severity.INFO, "eos")),
        ("<my-cat>", (Severity.WARNING, "eos not highest")),
    ],
)
def test_a_token_above_the_end_is_a_warning_where_the_highest_id_is_the_end(
    tmp_path: Path, ask: Ask, last: str, said: tuple[Severity, str]
) -> None:
    folder = Folder.bpe("abcd").added(*dict.fromkeys(["<|endoftext|>", last]))
    folder = folder.tokenizer_config(eos_token="<|endoftext|>")
    folder = folder.config(model_type="clip_text_model", eos_token_id=2)
    (found,) = ask("special_tokens/role-ids", folder.write(tmp_path))
    assert (found.severity, found.cause) == said
