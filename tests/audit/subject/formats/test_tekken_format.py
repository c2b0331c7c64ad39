"""The special tokens of tekken files: listed, or with the names that older files leave unsaid."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all


def special(folder: Path, **more: Any) -> dict[int, str]:
    """The special tokens of a small file with 22 ids for them, by id."""
    config = {"pattern": ".+", "default_num_special_tokens": 22, "default_vocab_size": 23}
    entry = {"rank": 0, "token_bytes": base64.b64encode(b"a").decode()}
    path = folder / "tekken.json"
    path.write_text(json.dumps({"config": config, "vocab": [entry], **more}))
    ((representation, _),) = parse_all(open_subject(str(path))).parsed
    return {token.id: token.content for token in representation.spec.added_tokens}


def test_a_file_without_a_list_has_the_names_that_the_library_gives_them(tmp_path: Path) -> None:
    found = special(tmp_path)
    assert (found[3], found[19], found[20]) == ("[INST]", "[TOOL_CONTENT]", "<SPECIAL_20>")
    assert len(found) == 22


def test_ids_after_a_list_that_is_too_short_are_fillers(tmp_path: Path) -> None:
    listed = [{"rank": 0, "token_str": "<unk>"}, {"rank": 1, "token_str": "<s>"}]
    found = special(tmp_path, special_tokens=listed)
    assert (found[1], found[2], found[21]) == ("<s>", "<SPECIAL_2>", "<SPECIAL_21>")
    assert len(found) == 22
