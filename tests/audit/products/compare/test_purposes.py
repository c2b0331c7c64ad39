"""Each purpose is judged by its own invariant, from the facets and the texts that were run."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.engine.facet_names import DECIDE_IDS
from tokaudit.products.compare.judging.purposes import INVARIANTS
from tokaudit.report.comparison import Purpose
from tokaudit_folders.folder import Folder

TOKENS = ["a", "b", "c", "d", "ab", "abc", "dd"]
MERGES = [["a", "b"], ["ab", "c"], ["d", "d"]]


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., str]:
    """Writes a tokenizer with a config next to it."""

    def write(
        name: str,
        tokens: list[str] = TOKENS,
        merges: Any = MERGES,
        added: tuple[str, ...] = (),
        **config: Any,
    ) -> str:
        made = tmp_path / name
        made.mkdir()
        vocab = {token: id for id, token in enumerate(tokens)}
        Folder.bpe(vocab, merges).changed(added_tokens=[]).added(*added).write(made)
        (made / "tokenizer_config.json").write_text(json.dumps({"padding_side": "left"} | config))
        return str(made)

    return write


def judged(left: str, right: str, purpose: str) -> tuple[str, str]:
    report = tokaudit.compare(left, right, tier="quick", purpose=purpose)
    assert report.comparison is not None and report.comparison.suitability is not None
    found = report.comparison.suitability
    assert report.verdict is found.verdict and found.why in report.verdict_reason
    return str(found.verdict), found.why


def test_every_purpose_has_one_invariant_about_the_facets_of_ids() -> None:
    assert list(INVARIANTS) == list(Purpose)
    assert all({*DECIDE_IDS} <= {*each.facets} for each in INVARIANTS.values())


def test_equal_ids_are_proved_for_every_purpose_that_asks_for_no_more(
    folder: Callable[..., str],
    processes: None,
) -> None:
    left, right = folder("a"), folder("b", merges=[MERGES[0], MERGES[2], MERGES[1]])
    assert judged(left, right, "speculative") == ("pass", "it is proved")


def test_padding_on_the_other_side_breaks_training_and_no_other(
    folder: Callable[..., str],
    processes: None,
) -> None:
    left, right = folder("a"), folder("b", padding_side="right")
    assert judged(left, right, "training") == ("fail", "they differ in padding side")
    assert judged(left, right, "cached-ids")[0] == "pass"


def test_other_stops_break_serving_and_not_training(
    folder: Callable[..., str], processes: None
) -> None:
    left, right = folder("a"), folder("b")
    for side, stop in ((left, 2), (right, [2, 3])):
        (Path(side) / "generation_config.json").write_text(json.dumps({"eos_token_id": stop}))
    assert judged(left, right, "serving") == ("fail", "they differ in generation stops")
    assert judged(left, right, "training")[0] == "pass"


def test_a_token_more_is_distillation_and_breaks_what_needs_the_same_ids(
    folder: Callable[..., str],
    processes: None,
) -> None:
    left, right = folder("a"), folder("b", added=("<tool>",))
    assert judged(left, right, "distillation")[0] == "pass"
    assert judged(left, right, "speculative") == ("fail", "they differ in added tokens")


def test_tokens_that_no_text_leads_to_are_padding(
    folder: Callable[..., str], processes: None
) -> None:
    left, right = folder("a"), folder("b", tokens=[*TOKENS, "zz"])
    verdict, why = judged(left, right, "speculative")
    assert (verdict, why) == ("pass", "it holds as far as was tried, not proved for: ids")


def test_a_pruned_copy_may_lose_tokens_and_not_change_the_others(
    folder: Callable[..., str],
    processes: None,
) -> None:
    left = folder("a")
    pruned = folder("b", tokens=["a", "b", "c", "ab", "d", "dd"], merges=[MERGES[0], MERGES[2]])
    assert judged(left, pruned, "pruned")[0] == "pass"
    assert judged(left, folder("d", merges=MERGES[:2]), "pruned")[0] == "fail"  # "dd" is kept


def test_a_template_that_was_not_rendered_leaves_serving_unknown(
    folder: Callable[..., str],
    processes: None,
) -> None:
    left, right = folder("a", chat_template="{% if"), folder("b", chat_template="{% for")
    assert judged(left, right, "serving")[0] == "unverifiable"
    assert judged(left, right, "distillation")[0] == "pass"


def test_a_purpose_that_is_none_is_refused_with_what_was_meant(folder: Callable[..., str]) -> None:
    with pytest.raises(tokaudit.UsageError, match="did you mean serving"):
        tokaudit.compare(folder("a"), "nowhere", purpose="servng")
