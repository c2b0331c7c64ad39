"""Operators on the decoder."""

from __future__ import annotations

from random import Random

from tokaudit_faults.drafts._operator import operator
from tokaudit_faults.drafts._parts import needed, stage, step, steps
from tokaudit_faults.fault import Inapplicable
from tokaudit_faults.healthy.draft import Draft

GROUP, BASE = "decoder", "baseline/components"
WHERE = ("decoder", "tokenizer")
ALONE = ("round_trip/text", "pipeline/byte-components", "agreement/decoder", "pipeline/word-marks")
OTHERS = {
    "ByteLevel": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True},
    "Metaspace": {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"},
    "WordPiece": {"type": "WordPiece", "prefix": "##", "cleanup": True},
    "BPEDecoder": {"type": "BPEDecoder", "suffix": "</w>"},
    "CTC": {"type": "CTC", "pad_token": "<pad>", "word_delimiter_token": "|", "cleanup": True},
}


@operator(GROUP, BASE, blamed=WHERE, base=True)
def drop_the_decoder(draft: Draft, draw: Random) -> None:
    stage(draft, "decoder")
    draft.tokenizer["decoder"] = None


@operator(GROUP, *ALONE, blamed=WHERE)
def drop_the_decoder_seen_alone(draft: Draft, draw: Random) -> None:
    if stage(draft, "decoder")["type"] == "WordPiece":
        raise Inapplicable  # no promise of a round trip is broken
    draft.tokenizer["decoder"] = None


@operator(GROUP, BASE, blamed=WHERE, base=True)
def take_another_decoder(draft: Draft, draw: Random) -> None:
    own = stage(draft, "decoder")["type"]
    draft.tokenizer["decoder"] = OTHERS[draw.choice([t for t in sorted(OTHERS) if t != own])]


@operator(GROUP, *ALONE, blamed=WHERE)
def take_another_decoder_seen_alone(draft: Draft, draw: Random) -> None:
    if stage(draft, "decoder")["type"] == "WordPiece":
        raise Inapplicable
    take_another_decoder(draft, draw)


@operator(GROUP, BASE, blamed=WHERE, base=True)
def drop_a_step_of_the_decoder(draft: Draft, draw: Random) -> None:
    listed = steps(stage(draft, "decoder"))
    if len(listed) < 2:
        raise Inapplicable
    listed.remove(draw.choice([each for each in listed if each["type"] != "Fuse"]))


@operator(GROUP, *ALONE, blamed=WHERE)
def decode_no_bytes(draft: Draft, draw: Random) -> None:
    listed = steps(stage(draft, "decoder"))
    listed.remove(step(draft, "decoder", "ByteFallback"))


@operator(GROUP, BASE, blamed=WHERE, base=True)
def tidy_up_spaces_or_not(draft: Draft, draw: Random) -> None:
    found = step(draft, "decoder", "WordPiece")
    found["cleanup"] = not found["cleanup"]


@operator(GROUP, BASE, blamed=WHERE, base=True)
def join_with_another_prefix(draft: Draft, draw: Random) -> None:
    step(draft, "decoder", "WordPiece")["prefix"] = needed(draw.choice(("@@", "#", "_", "▁")))
