"""Added tokens in text, run by every pair of copies that state what kind their tokens are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from copied_folders import with_tekken

from tokaudit.foundation.errors import Skip
from tokaudit.report.model import Finding, Measurement, Severity
from tokaudit_folders.folder import Folder
from tokaudit_folders.gguf_files import CONTROL, I32, NORMAL, TEXT, tokenizer

pytestmark = pytest.mark.usefixtures("processes")
Ask = Callable[..., list[Any]]
CHECK = "agreement/tokens-in-text"
LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}
BYTES = {"type": "ByteLevel"}


def pair(*added: str, json_adds: tuple[str, ...] = ()) -> Folder:
    """A GGUF file and a tokenizer.json with these tokens, the second one with some more."""
    listed = ["a", "b", "ab", *added]
    keys = tokenizer(
        "gpt2",
        listed,
        pre=(TEXT, "gpt-2"),
        token_type=(I32, [NORMAL] * 3 + [CONTROL] * len(added)),
        merges=(TEXT, ["a b"]),
    )
    folder = Folder.bpe("ab", ["a b"]).changed(pre_tokenizer=LEVEL, decoder=BYTES)
    return folder.added(*added).added(*json_adds).gguf(keys)


def asked(ask: Ask, folder: Folder, path: Path) -> tuple[list[Finding], dict[str, float]]:
    found = ask(CHECK, folder.write(path))
    figures = {each.key: each.value for each in found if isinstance(each, Measurement)}
    return [each for each in found if isinstance(each, Finding)], figures


def test_copies_that_take_the_same_tokens_are_silent_and_counted(tmp_path: Path, ask: Ask) -> None:
    findings, figures = asked(ask, pair("<|x|>", "<|y|>"), tmp_path)
    assert findings == []
    assert figures["agreement/texts_with_added_tokens"] > 10
    assert figures["agreement/added_tokens_not_run"] == 0


def test_a_token_that_a_longer_one_hides_in_one_copy_is_an_error_with_a_text(
    tmp_path: Path, ask: Ask
) -> None:
    ((found,), figures) = asked(ask, pair("<|x|>", json_adds=("a<|x|>",)), tmp_path)
    assert (found.severity, found.cause) == (Severity.ERROR, "cut")
    assert [place.file for place in found.places] == ["model.gguf", "tokenizer.json"]
    assert found.evidence[0].text == "a<|x|>"
    assert figures["agreement/added_tokens_not_run"] == 1


def test_a_copy_that_does_not_state_kinds_is_unknown_and_not_different(
    tmp_path: Path, ask: Ask
) -> None:
    folder = Folder.bpe("ab", ["a b"]).added("<|x|>").file("vocab.json", {"a": 0, "b": 1, "ab": 2})
    with pytest.raises(Skip):
        ask(CHECK, folder.file("merges.txt", "a b\n").write(tmp_path))


def test_special_tokens_that_mistral_common_never_takes_from_text_are_no_difference(
    tmp_path: Path, ask: Ask
) -> None:
    with pytest.raises(Skip):
        ask(CHECK, with_tekken().write(tmp_path))
