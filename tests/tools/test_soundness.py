"""No text refutes a proof of sameness, and a proof that is wrong is refuted in time."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tokaudit.engine import canonical_steps
from tokaudit.products.compare.judging import engine_rules
from tokaudit.products.compare.proofs.across_cuts import lemma
from tokaudit.products.compare.proofs.acts_alike import check as checker
from tokaudit.report.comparison import Purpose
from tokaudit.report.model import Verdict
from tokaudit.subject.upstream.purposes import Asks
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.decoders.llama_cpp import LlamaCpp
from tokaudit_reference.steps.normalizers.replace import Replace
from tokaudit_reference.steps.pattern import SplitAt
from tokaudit_reference.steps.post_processors.template_processing import TemplateProcessing
from tokaudit_reference.steps.registered import step_types
from tokaudit_reference.steps.step import Effects
from tokaudit_soundness import gguf_pairs
from tokaudit_soundness.changes import all_changes
from tokaudit_soundness.changes.forms import KINDS
from tokaudit_soundness.claims import NotParsed
from tokaudit_soundness.drawing import Draw
from tokaudit_soundness.pairs import ChangedPair, pairs
from tokaudit_soundness.running import run
from tokaudit_soundness.steps import types_of
from tokaudit_soundness.table import written

SEEDS = (1, 2, 3)
BUDGET = 60.0  # seconds of the processor
FEW = 400  # pairs, which take a quarter of that
SHARE = 0.15  # of the pairs, of which all facets of ids are to be proved


@pytest.mark.long
@pytest.mark.parametrize(
    ("seconds", "most"),
    [(math.inf, FEW), pytest.param(BUDGET, None, marks=pytest.mark.published)],
    ids=["few", "as many as there is time for"],
)
def test_no_text_refutes_what_is_proved_of_small_tokenizers(
    seconds: float, most: int | None, capsys: pytest.CaptureFixture[str]
) -> None:
    tally = run(SEEDS[0], seconds, most)
    with capsys.disabled():
        print(f"\nseed {tally.seed}\n{written([tally])}")
    assert tally.refuted == []
    assert tally.all_ids >= SHARE * tally.pairs > 0


def test_what_is_written_in_other_words_is_mostly_proved_and_what_is_not_is_not_counted() -> None:
    drawn = pairs(Draw(5))
    many = [next(drawn) for _ in range(2_000)]
    equal = [isinstance(each, ChangedPair) and each.same_ids for each in many]
    names = {name for each, same in zip(many, equal, strict=True) if same for name in each.changes}
    assert {"entries in another order", "normalizer: nested"} <= names
    assert not names & {"an entry less", "a setting of the model", "a merge less"}
    tally = run(5, math.inf, 400)
    assert tally.same_ids_proved / tally.same_ids > 0.6 and tally.same_ids <= sum(equal[:400])


def test_equal_seeds_draw_equal_pairs_and_others_other_ones() -> None:
    first, again, other = (
        [next(each) for _ in range(9)] for each in map(pairs, map(Draw, (1, 1, 2)))
    )
    assert first == again
    assert first != other


def test_every_change_turns_up() -> None:
    drawn = pairs(Draw(1))
    found = {name for _ in range(4_000) for name in next(drawn).changes}
    assert found == all_changes().keys() | gguf_pairs.CHANGES.keys()


def test_a_quarter_of_the_pairs_is_of_what_is_one_thing_in_two_forms() -> None:
    drawn = pairs(Draw(2))
    kinds = Counter(next(drawn).kind for _ in range(2_000))
    assert kinds.keys() == {"", *KINDS, gguf_pairs.GGUF}
    assert 0.2 < 1 - kinds[""] / kinds.total() < 0.35


DRAFTS: dict[str, tuple[dict[str, object], bool]] = {
    "the same": ({}, False),
    "a switch": ({"add_bos_token": False}, True),
    "the id of an end that is added": ({"bos_token_id": 2}, True),
    "the id of an end that is not": ({"eos_token_id": 1}, False),
    "another model": ({"model": "t5"}, True),
}


@pytest.mark.parametrize(("changed", "refused"), DRAFTS.values(), ids=DRAFTS)
def test_the_check_of_a_draft_is_that_of_the_engine(
    changed: dict[str, object], refused: bool
) -> None:
    first = gguf_pairs.SCORED
    assert gguf_pairs.refuses_draft(first, {**first, **changed}) is refused


def refuted_drafts(place: Path, draws: int) -> list[str]:
    """Drawn GGUF files of which an engine is said to take, or refuse, what it does not."""
    draw, found = Draw(44), list[str]()
    for _ in range(draws):
        pair = gguf_pairs.gguf_pair(draw)
        try:
            first = gguf_pairs.opened("first", pair.first, place)
            second = gguf_pairs.opened("second", pair.second, place)
        except NotParsed:
            continue
        said = engine_rules.judged_by_engines(Purpose.SPECULATIVE, first, second)
        refused = {each.verdict is Verdict.FAIL for each in said if each.engine == "llama.cpp"}
        if refused != {gguf_pairs.refuses_draft(pair.first, pair.second)}:
            found.append(", ".join(pair.changes))
    return found


def test_drawn_drafts_are_taken_and_refused_as_their_engine_does(tmp_path: Path) -> None:
    assert refuted_drafts(tmp_path, 150) == []


@pytest.mark.parametrize("asked", [Asks.BOS, Asks.EOS, Asks.TEXTS, Asks.SIZE])
def test_a_rule_of_an_engine_that_is_forgotten_is_noticed(
    asked: Asks, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The seeded breach: one of its questions is answered by nothing."""
    silent = {**engine_rules.ASKED, asked: lambda rule, left, right: iter(())}
    monkeypatch.setattr(engine_rules, "ASKED", silent)
    assert refuted_drafts(tmp_path, 150) != []


def test_a_short_id_that_forgets_what_is_cleaned_is_refuted_by_a_row_of_ids(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    first = gguf_pairs.MERGED
    pair = gguf_pairs.GgufPair(first, {**first, "add_space_prefix": True}, ())
    sides = [
        gguf_pairs.opened(name, keys, tmp_path)
        for name, keys in (("first", pair.first), ("second", pair.second))
    ]
    both = sides[0], sides[1]
    assert [*gguf_pairs.refutations_of(pair, both, gguf_pairs.claims_of(*both))] == []
    monkeypatch.setattr(LlamaCpp, "effects", Effects(joins_bytes=True))
    (found, *_) = gguf_pairs.refutations_of(pair, both, gguf_pairs.claims_of(*both))
    assert found == ("equal short id, decoded", [220], b" ", b"")


def test_every_step_that_the_library_takes_is_drawn() -> None:
    ours = {  # of other libraries and of files that tokenizers does not read
        "normalizer": {"SentencePiece", "LlamaCppWords", "LlamaCppUnigram"},
        "pre_tokenizer": {"LlamaCppSplit"},
        "decoder": {"SentencePiece", "Bytes", "no decoder", "LlamaCpp"},
    }
    for stage in ("normalizer", "pre_tokenizer", "post_processor", "decoder"):
        assert {*step_types(stage)} - {*types_of(stage)} == ours.get(stage, set())


def drops_in_silence(spec: TokenizerSpec) -> Iterator[str]:
    return (each for each in unknown(spec) if "dropped" not in each)


def fuses_in_silence(spec: TokenizerSpec) -> Iterator[str]:
    held = spec.fuse_unk and not spec.byte_fallback
    return (each for each in unknown(spec) if held or "dropped" in each or "merged" in each)


def scores_in_silence(spec: TokenizerSpec) -> Iterator[str]:
    if not spec.byte_fallback:
        yield "neighbouring unknown characters are one token"


def forgets_type_ids(step: TemplateProcessing, *, ids_only: bool = False) -> object:
    plain = [[(p.name, p.is_text) for p in each or ()] for each in (step.single, step.pair)]
    if plain == [[("A", True)], [("A", True), ("B", True)]]:
        return None
    return template(step, ids_only=ids_only)


def forgets_behavior(at: SplitAt, gone: set[str]) -> bool:
    return any(character in at.pattern.literal for character in gone)


def looks_for_nothing(step: Replace, *, ids_only: bool = False) -> object:
    empty = not step.pattern.is_regex and not step.pattern.text
    return None if empty else replaces(step, ids_only=ids_only)


def states_them(spec: TokenizerSpec) -> list[tuple[int, str]]:
    return []


unknown, template, replaces = (
    lemma._of_unknown,
    TemplateProcessing.acts_as,
    Replace.acts_as,
)
LIES: dict[str, tuple[object, str, Callable[..., object]]] = {
    "a dropped character": (lemma, "_of_unknown", drops_in_silence),
    "fused unknowns next to bytes": (lemma, "_of_unknown", fuses_in_silence),
    "unknown text of scored entries": (lemma, "_of_scores", scores_in_silence),
    "type ids": (TemplateProcessing, "acts_as", forgets_type_ids),
    "an inverted split": (canonical_steps, "_never_cuts", forgets_behavior),
    "an empty pattern": (Replace, "acts_as", looks_for_nothing),
    "a checker that numbers added tokens as it is stated": (checker, "_numbered", states_them),
}


@pytest.mark.published
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("lie", LIES)
def test_a_lemma_that_is_false_is_refuted_within_the_budget(
    lie: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, name, wrong = LIES[lie]
    monkeypatch.setattr(where, name, wrong)
    assert run(seed, BUDGET, until_refuted=True).refuted
