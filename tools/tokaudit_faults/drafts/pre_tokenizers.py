"""Operators on the pre-tokenizer."""

from __future__ import annotations

from random import Random

from tokaudit_faults.drafts._operator import operator
from tokaudit_faults.drafts._parts import learned, needed, stage, step, steps
from tokaudit_faults.fault import Inapplicable
from tokaudit_faults.healthy.draft import Draft, Json
from tokaudit_reference.text.published_patterns import PATTERNS

GROUP, BASE = "pre-tokenizer", "baseline/components"
WHERE = ("pre_tokenizer", "tokenizer")
ALONE = ("pipeline/left-whole", "pipeline/split-apart", "pipeline/byte-components")
OTHERS = [one for name, (one, *_) in sorted(PATTERNS.items()) if name != "deepseek"]
DIGITS = r"\p{N}{1,3}"


def _splits(draft: Draft) -> list[Json]:
    listed = steps(stage(draft, "pre_tokenizer"))
    return needed([each for each in listed if each["type"] == "Split"])


@operator(GROUP, BASE, blamed=WHERE, base=True)
def group_digits_otherwise(draft: Draft, draw: Random) -> None:
    for split in _splits(draft):
        if split["pattern"].get("Regex") == DIGITS:
            split["pattern"]["Regex"] = draw.choice((r"\p{N}", r"\p{N}{1,2}", r"\p{N}+"))
            return
    raise Inapplicable


@operator(GROUP, BASE, blamed=WHERE, base=True)
def take_the_pattern_of_another(draft: Draft, draw: Random) -> None:
    split = _splits(draft)[-1]
    split["pattern"] = {"Regex": draw.choice(OTHERS)}


@operator(GROUP, BASE, blamed=WHERE, base=True)
def drop_a_split(draft: Draft, draw: Random) -> None:
    steps(stage(draft, "pre_tokenizer")).remove(draw.choice(_splits(draft)))


@operator(GROUP, BASE, blamed=WHERE, base=True)
def cut_contractions_in_another_place(draft: Draft, draw: Random) -> None:
    split = _splits(draft)[-1]
    split["pattern"] = {"Regex": r"'(?:[sdmt]|ll|ve|re)|" + split["pattern"]["Regex"]}


@operator(GROUP, BASE, blamed=WHERE, base=True)
def write_a_space_before_the_text(draft: Draft, draw: Random) -> None:
    level = step(draft, "pre_tokenizer", "ByteLevel")
    level["add_prefix_space"] = not level["add_prefix_space"]


@operator(GROUP, *ALONE, blamed=(*WHERE, "vocab"))
def spell_no_bytes(draft: Draft, draw: Random) -> None:
    steps(stage(draft, "pre_tokenizer")).remove(step(draft, "pre_tokenizer", "ByteLevel"))


@operator(GROUP, BASE, blamed=WHERE, base=True)
def drop_the_pre_tokenizer(draft: Draft, draw: Random) -> None:
    stage(draft, "pre_tokenizer")
    draft.tokenizer["pre_tokenizer"] = None


@operator(GROUP, *ALONE, "pipeline/word-marks", blamed=(*WHERE, "vocab"), severity="warning")
def drop_the_pre_tokenizer_seen_alone(draft: Draft, draw: Random) -> None:
    drop_the_pre_tokenizer(draft, draw)


@operator(GROUP, BASE, blamed=WHERE, base=True)
def cut_at_spaces_alone(draft: Draft, draw: Random) -> None:
    if stage(draft, "pre_tokenizer")["type"] != "BertPreTokenizer":
        raise Inapplicable
    draft.tokenizer["pre_tokenizer"] = {"type": draw.choice(("WhitespaceSplit", "Whitespace"))}


@operator(GROUP, "pipeline/literal-pattern", blamed=WHERE)
def save_a_pattern_as_a_string(draft: Draft, draw: Random) -> None:
    split = draw.choice(_splits(draft))
    split["pattern"] = {"String": split["pattern"]["Regex"]}


@operator(GROUP, BASE, blamed=WHERE, base=True)
def cut_digits_one_by_one(draft: Draft, draw: Random) -> None:
    own = draft.tokenizer.get("pre_tokenizer")
    if "BertPreTokenizer" in str(own) or not any(t.isdigit() for t in learned(draft)):
        raise Inapplicable  # no entry has several digits
    digits = {"type": "Digits", "individual_digits": True}
    listed = [digits, *(steps(own) if own else ())]
    draft.tokenizer["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": listed}
