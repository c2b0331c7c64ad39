"""Type ids of a post-processor count where the model of the first side takes them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from run_here import trial_here
from typed_pairs import with_types

import tokaudit
from tokaudit.engine.sides.side import Side
from tokaudit.products.compare.facets.stages import post_processor
from tokaudit.report.comparison import Facet, Outcome, Purpose
from tokaudit.report.model import Verdict
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all

SHOWN = (
    "type ids [0, 0, 1] and [0, 0, 0]; run by the reference, with 'b' as the second text of a pair"
)


def facet_of(folder: Path, name: str, **config: Any) -> Facet:
    """The post-processors of two folders of one class that differ in a type."""
    sides = []
    for second in (1, 0):
        path = with_types(second, name).config(**config).write(folder / str(second))
        subject = open_subject(str(path))
        sides.append(Side(str(second), parse_all(subject).parsed[0][1], subject))
    return post_processor(sides[0], sides[1], trial_here(*sides))


@pytest.mark.parametrize(
    ("name", "config", "outcome"),
    [
        ("BertTokenizer", {}, Outcome.DIFFERS),
        ("BertTokenizer", {"type_vocab_size": 0}, Outcome.UNDIFFERING),
        ("LlamaTokenizer", {}, Outcome.UNDIFFERING),
        ("PreTrainedTokenizerFast", {}, Outcome.DIFFERS),  # of any model
    ],
)
def test_other_types_are_a_difference_where_the_model_may_take_them(
    name: str, config: dict[str, Any], outcome: Outcome, tmp_path: Path
) -> None:
    found = facet_of(tmp_path, name, **config)

    assert (found.outcome, [each.note for each in found.evidence]) == (outcome, [SHOWN])


def test_a_purpose_is_not_broken_by_types_that_nobody_takes(
    tmp_path: Path, processes: None
) -> None:
    sides = [
        with_types(second, "LlamaTokenizer").write(tmp_path / str(second)) for second in (0, 1)
    ]

    report = tokaudit.compare(*sides, tier="quick", purpose=Purpose.SERVING)

    assert report.verdict is Verdict.PASS
    assert not [each for each in tokaudit.recheck(report) if each.objection]
