"""Tokens of roles that the tokenizer lacks get the next ids in the order of transformers."""

from __future__ import annotations

from pathlib import Path

from tokaudit.engine.sides.side import Side
from tokaudit.products.compare.settings.loader_tokens import loader_tokens
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders.folder import Folder


def test_a_separator_comes_before_padding_whichever_the_settings_name_first(tmp_path: Path) -> None:
    named = {"pad_token": "<pad>", "sep_token": "<sep>", "mask_token": "<mask>"}
    folder = Folder.bpe("ab").tokenizer_config(tokenizer_class="PreTrainedTokenizerFast", **named)
    subject = open_subject(str(folder.write(tmp_path)))
    found = loader_tokens(Side("one", parse_all(subject).parsed[0][1], subject))
    assert found is not None
    assert {token.content: token.id for token in found.tokens.values()} == {
        "<sep>": 2,
        "<pad>": 3,
        "<mask>": 4,
    }
