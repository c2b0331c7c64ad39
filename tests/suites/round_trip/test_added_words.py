"""An added word next to letters, with spaces and without, comes back as it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit_folders.folder import Folder

Ask = Callable[..., list[Any]]
CHECK = "round_trip/added-words"
PIECES = [
    ("<unk>", 0.0),
    ("▁", -1.0),
    *((a, -2.0) for a in "abc"),
    *((f"▁{a}", -3.0) for a in "abc"),
]


def marked(scheme: str) -> Folder:
    space = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": True}
    folder = Folder.unigram(PIECES, unk_id=0)
    return folder.changed(pre_tokenizer=space, decoder=space)


def test_a_space_that_appears_after_an_added_word_is_a_warning_with_the_text(
    tmp_path: Path, ask: Ask, processes: None
) -> None:
    [found] = ask(CHECK, marked("always").added("<", special=False).write(tmp_path))
    assert (str(found.severity), found.cause) == ("warning", "spaces")
    assert "The ids of 'a<b' decode to 'a< b'" in found.message


def test_a_pipeline_whose_space_is_before_the_first_piece_alone_is_silent(
    tmp_path: Path, ask: Ask, processes: None
) -> None:
    assert ask(CHECK, marked("first").added("<", special=False).write(tmp_path)) == []


@pytest.mark.parametrize(
    "folder",
    [
        marked("always").added("<", special=False, rstrip=True),
        marked("always").added("<|end|>"),
    ],
    ids=["a flag that says so", "a marker"],
)
def test_what_is_no_ordinary_word_is_not_asked(
    tmp_path: Path, ask: Ask, processes: None, folder: Folder
) -> None:
    with pytest.raises(NotApplicable, match="ordinary word"):
        ask(CHECK, folder.write(tmp_path))


def test_words_in_brackets_are_only_told(tmp_path: Path, ask: Ask, processes: None) -> None:
    [found] = ask(CHECK, marked("always").added("<s_a>", special=False).write(tmp_path))
    assert (str(found.severity), found.cause) == ("info", "spaces")
