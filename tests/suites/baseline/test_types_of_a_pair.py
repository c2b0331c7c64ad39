"""A post-processor that gives the tokens of two texts other types than its base."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit_folders.folder import Folder

pytestmark = pytest.mark.process
Ask = Callable[..., list[Any]]
CHECK = "baseline/components"


def with_types(second: int, tokenizer_class: str) -> Folder:
    text, other = ({"Sequence": {"id": id, "type_id": t}} for id, t in (("A", 0), ("B", second)))
    end = {"SpecialToken": {"id": "[SEP]", "type_id": 0}}
    added = {"[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}
    processor = {"single": [text, end], "pair": [text, end, other], "special_tokens": added}
    folder = Folder.wordpiece(["[UNK]", "a", "b"]).added("[SEP]")
    folder = folder.changed(post_processor={"type": "TemplateProcessing", **processor})
    return folder.tokenizer_config(tokenizer_class=tokenizer_class)


@pytest.mark.parametrize(
    ("tokenizer_class", "severity"),
    [
        ("BertTokenizer", "error"),  # its models were trained with a type for the second text
        ("GPT2Tokenizer", "info"),
        ("PreTrainedTokenizerFast", "warning"),  # of any model
    ],
)
def test_other_types_are_as_bad_as_the_class_makes_them(
    ask: Ask, tmp_path: Path, tokenizer_class: str, severity: str
) -> None:
    subject = with_types(0, tokenizer_class).write(tmp_path / "subject")
    base = with_types(1, tokenizer_class).write(tmp_path / "base")

    (found,) = ask(CHECK, subject, base)

    assert str(found.severity) == severity
    assert found.message == (
        "The post_processor is not the base's: /pair/2/Sequence/type_id: 1 became 0; tokens get "
        "other type ids."
    )
    assert found.evidence[0].note == (
        "type ids [0, 0, 1] and [0, 0, 0]; run by the reference, with 'b' as the second text of a "
        "pair"
    )
