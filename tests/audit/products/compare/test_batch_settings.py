"""Truncation and padding that a file leaves on are a facet, shown by a text that the library ran."""

from __future__ import annotations

from typing import Any

import pytest
from tokenizers import Tokenizer

from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import EncoderPair, Trial
from tokaudit.products.compare.facets.batch import batch_settings
from tokaudit.products.identity.short_id import short_id
from tokaudit.report.comparison import Facet, Outcome
from tokaudit.runtimes.adapters.tokenizers_adapter import HuggingFaceTokenizer
from tokaudit.runtimes.request import LoadRequest
from tokaudit_folders.folder import Folder
from tokaudit_reference.spec import Component, ModelType, Standing, TokenizerSpec

VOCAB = {"0": 0, "1": 1, "2": 2, "3": 3, " ": 4}
CUT = {"max_length": 2, "stride": 0, "strategy": "LongestFirst", "direction": "Right"}
PADDED = {"strategy": "BatchLongest", "pad_id": 4, "pad_type_id": 0, "pad_token": " "}


def side(name: str, truncation: Any = None, padding: Any = None) -> tuple[Side, Any]:
    if padding:
        padding = {"direction": "Right", "pad_to_multiple_of": None, **padding}
    settings = {"truncation": truncation, "padding": padding}
    file = Folder.bpe(VOCAB).changed(added_tokens=[], **settings).text()
    stated = {each: Component(block, Standing.STATED) for each, block in settings.items()}
    library = HuggingFaceTokenizer(Tokenizer.from_str(file), LoadRequest("tokenizers"))
    return Side(name, TokenizerSpec(ModelType.BPE, {}, **stated)), library


def facet(one: tuple[Side, Any], other: tuple[Side, Any]) -> Facet:
    pair = EncoderPair("tokenizers", one[1], other[1])
    return batch_settings(one[0], other[0], Trial(one[0], other[0], [pair]))


@pytest.mark.parametrize(
    ("settings", "text", "ids"),
    [
        ({"truncation": CUT}, "0 0", ((0, 4, 0), (0, 4))),
        ({"padding": PADDED}, "", ((), (4, 4, 4, 4, 4, 4, 4))),
    ],
)
def test_a_setting_that_one_file_leaves_on_is_shown(
    settings: dict[str, Any], text: str, ids: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    found = facet(side("left"), side("right", **settings))
    (evidence,) = found.evidence
    shown = [tuple(token.id for token in row) for row in (evidence.expected, evidence.actual)]
    assert (found.outcome, evidence.text, tuple(shown)) == (Outcome.DIFFERS, text, ids)
    assert evidence.note == ("run by tokenizers as the files state, in one batch with '0 1 2 3'")


def test_equal_settings_are_identical_with_defaults_left_out_or_not() -> None:
    bare = {"max_length": 2}
    one = Side("left", TokenizerSpec(ModelType.BPE, {}, truncation=Component(bare)))
    other = Side("right", TokenizerSpec(ModelType.BPE, {}, truncation=Component(CUT)))
    assert batch_settings(one, other, Trial(one, other, [])).outcome is Outcome.IDENTICAL


def test_without_any_there_is_nothing_to_differ() -> None:
    assert facet(side("left"), side("right")).why == "neither file truncates or pads"


def test_a_tokenizer_that_truncates_has_another_short_id() -> None:
    plain = TokenizerSpec(ModelType.UNIGRAM, {})
    cut = TokenizerSpec(ModelType.UNIGRAM, {}, truncation=Component(CUT, Standing.STATED))
    assert short_id(plain, None).id != short_id(cut, None).id
