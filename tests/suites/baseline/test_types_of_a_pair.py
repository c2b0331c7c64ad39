"""A post-processor that gives the tokens of two texts other types than its base."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typed_pairs import with_types

Ask = Callable[..., list[Any]]
CHECK = "baseline/components"


@pytest.mark.parametrize(
    ("tokenizer_class", "severity"),
    [
        ("BertTokenizer", "error"),  # its models were trained with a type for the second text
        ("GPT2Tokenizer", "info"),
        ("PreTrainedTokenizerFast", "warning"),  # of any model
    ],
)
def test_other_types_are_as_bad_as_the_class_makes_them(
    ask: Ask, tmp_path: Path, tokenizer_class: str, severity: str, processes: None
) -> None:
    subject = with_types(0, tokenizer_class).write(tmp_path / "subject")
    base = with_types(1, tokenizer_class).write(tmp_path / "base")

    (found,) = ask(CHECK, subject, base)

    assert str(found.severity) == severity
    assert found.message == (
        "The post_processor differs from the base's: /pair/2/Sequence/type_id: 1 in the base, 0 here; "
        "tokens get different type ids."
    )
    assert found.evidence[0].note == (
        "type ids [0, 0, 1] and [0, 0, 0]; run by the reference, with 'b' as the second text of a "
        "pair"
    )
