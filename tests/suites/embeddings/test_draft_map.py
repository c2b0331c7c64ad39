"""The head of a draft model has rows for a vocabulary of its own, which d2t maps to the target's."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType

import pytest

from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Finding

Ask = Callable[..., list[object]]
Tensors = Mapping[str, tuple[str, list[int], bytes]]
DRAFT, WHOLE = 100, 380


def written(folder: Path, tensors: Tensors) -> None:
    header, data = {}, b""
    for name, (dtype, shape, content) in tensors.items():
        spans = [len(data), len(data) + len(content)]
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": spans}
        data += content
    text = json.dumps(header).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)


def draft(*offsets: int, flags: bytes | None = None) -> Tensors:
    """A head of 100 rows; the map leads to every third id, but for the offsets given first."""
    listed = [*offsets, *(2 * at for at in range(len(offsets), DRAFT))]
    found: dict[str, tuple[str, list[int], bytes]] = {
        "embed_tokens.weight": ("F16", [WHOLE, 2], bytes(WHOLE * 4)),
        "lm_head.weight": ("F16", [DRAFT, 2], bytes(DRAFT * 4)),
        "d2t": ("I64", [DRAFT], struct.pack(f"<{DRAFT}q", *listed)),
    }
    if flags is not None:
        found["t2d"] = ("BOOL", [WHOLE], flags)
    return found


THIRD = bytes(at % 3 == 0 and at < 3 * DRAFT for at in range(WHOLE))


@pytest.mark.parametrize(
    ("tensors", "causes"),
    [
        (draft(), []),
        (draft(flags=THIRD), []),
        (draft(1000), ["beyond"]),
        (draft(-1), ["beyond"]),
        (draft(3), ["one id"]),
        (draft(flags=bytes(WHOLE)), ["two maps"]),
        ({k: v for k, v in draft().items() if k != "d2t"}, ["no map"]),
    ],
)
def test_a_map_of_a_draft_is_wrong_where_it_leads_nowhere_or_twice_to_one_id(
    ask: Ask, folder: Path, sick: ModuleType, tensors: Tensors, causes: list[str]
) -> None:
    sick.edit(folder, "config.json", lambda c: c.update(draft_vocab_size=DRAFT))
    written(folder, tensors)
    found = [each for each in ask("embeddings/draft-map", folder) if isinstance(each, Finding)]
    assert [each.cause for each in found] == causes
    assert ask("embeddings/output-rows", folder) == []


def test_a_short_head_of_no_draft_is_an_error_as_before(ask: Ask, folder: Path) -> None:
    written(folder, {k: v for k, v in draft().items() if k != "d2t"})
    [found] = ask("embeddings/output-rows", folder)
    assert isinstance(found, Finding) and found.cause == "short"
    with pytest.raises(NotApplicable):
        ask("embeddings/draft-map", folder)
