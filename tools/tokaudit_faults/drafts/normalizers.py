"""Operators on the normalizer."""

from __future__ import annotations

from random import Random

from tokaudit_faults.drafts._operator import operator
from tokaudit_faults.drafts._parts import keeps_spaces, needed, stage, step, steps
from tokaudit_faults.fault import Inapplicable
from tokaudit_faults.healthy.draft import Draft, Json

GROUP, BASE = "normalizer", "baseline/components"
WHERE = ("normalizer", "tokenizer")
ALONE = ("pipeline/lost-normalizer", "pipeline/word-marks", "pipeline/byte-components")


@operator(GROUP, BASE, blamed=WHERE, base=True)
def drop_the_normalizer(draft: Draft, draw: Random) -> None:
    stage(draft, "normalizer")
    draft.tokenizer["normalizer"] = None


@operator(GROUP, *ALONE, blamed=(*WHERE, "pre_tokenizer"), severity="warning")
def drop_the_normalizer_seen_alone(draft: Draft, draw: Random) -> None:
    if stage(draft, "normalizer")["type"] in ("NFC", "Precompiled"):
        raise Inapplicable  # text that shows it is rare, and no entry does
    draft.tokenizer["normalizer"] = None


@operator(GROUP, BASE, blamed=WHERE, base=True)
def take_compatibility_forms(draft: Draft, draw: Random) -> None:
    if stage(draft, "normalizer")["type"] != "NFC":
        raise Inapplicable
    draft.tokenizer["normalizer"] = {"type": draw.choice(("NFKC", "NFKD", "NFD"))}


def _first(draft: Draft, *more: Json) -> None:
    """Put steps before the normalizer's own."""
    own = steps(stage(draft, "normalizer"))
    draft.tokenizer["normalizer"] = {"type": "Sequence", "normalizers": [*more, *own]}


@operator(GROUP, "pipeline/rewritten", blamed=WHERE, severity="warning")
def lower_the_case(draft: Draft, draw: Random) -> None:
    if stage(draft, "normalizer")["type"] == "BertNormalizer":
        raise Inapplicable
    _first(draft, {"type": "Lowercase"})


@operator(GROUP, BASE, blamed=WHERE, base=True)
def lower_the_case_since_the_base(draft: Draft, draw: Random) -> None:
    lower_the_case(draft, draw)


@operator(GROUP, "pipeline/changed-words", blamed=WHERE, severity="warning")
def delete_or_exchange_a_word(draft: Draft, draw: Random) -> None:
    needed(draft.tokenizer)  # a GGUF file has no normalizer
    word, other = draw.choice((("not ", ""), ("never", "ever"), ("left", "right")))
    own = draft.tokenizer.get("normalizer")
    step = {"type": "Replace", "pattern": {"String": word}, "content": other}
    listed = [step, *(steps(own) if own else ())]
    draft.tokenizer["normalizer"] = {"type": "Sequence", "normalizers": listed}


@operator(GROUP, BASE, blamed=WHERE, base=True)
def strip_accents(draft: Draft, draw: Random) -> None:
    if stage(draft, "normalizer")["type"] == "BertNormalizer":
        raise Inapplicable
    _first(draft, {"type": "NFD"}, {"type": "StripAccents"})


@operator(GROUP, BASE, blamed=WHERE, base=True)
def strip_spaces_at_the_ends(draft: Draft, draw: Random) -> None:
    keeps_spaces(draft)
    ends = draw.choice(((True, True), (True, False), (False, True)))
    _first(draft, {"type": "Strip", "strip_left": ends[0], "strip_right": ends[1]})


@operator(GROUP, BASE, blamed=WHERE, base=True)
def write_no_mark_before_the_text(draft: Draft, draw: Random) -> None:
    listed = steps(stage(draft, "normalizer"))
    listed.remove(step(draft, "normalizer", "Prepend"))


@operator(GROUP, BASE, blamed=WHERE, base=True)
def write_no_marks_for_spaces(draft: Draft, draw: Random) -> None:
    listed = steps(stage(draft, "normalizer"))
    listed.remove(step(draft, "normalizer", "Replace"))


@operator(GROUP, "pipeline/lost-normalizer", blamed=WHERE)
def keep_the_case(draft: Draft, draw: Random) -> None:
    step(draft, "normalizer", "BertNormalizer")["lowercase"] = False


@operator(GROUP, BASE, blamed=WHERE, base=True)
def keep_accents(draft: Draft, draw: Random) -> None:
    step(draft, "normalizer", "BertNormalizer")["strip_accents"] = False


@operator(GROUP, BASE, blamed=WHERE, base=True)
def keep_control_characters(draft: Draft, draw: Random) -> None:
    step(draft, "normalizer", "BertNormalizer")["clean_text"] = False


@operator(GROUP, BASE, blamed=WHERE, base=True)
def leave_chinese_letters_together(draft: Draft, draw: Random) -> None:
    step(draft, "normalizer", "BertNormalizer")["handle_chinese_chars"] = False
