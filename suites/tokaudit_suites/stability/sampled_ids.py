"""Share of sampled ids that survive decoding and encoding."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Options,
    Severity,
    Skip,
    Upstream,
    Worse,
    check,
    interval_of_rate,
    shown,
)
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.vocab_entries import ordinary

DRAWN = 400  # lists of ids of each length
LENGTHS = (1, 2, 4, 8)
METHOD = "lists of ordinary ids drawn evenly with the seed of the audit; interval by Wilson"


@check(
    "stability/sampled-ids",
    title="Sampled ids that survive decoding and encoding",
    why="A model may write ids that its tokenizer would not choose for the same text. Chats and "
    "reinforcement learning keep the text, encode it again, and continue with different ids.",
    remedy="Store the sampled ids instead of encoding their text again.",
    severity=Severity.INFO,
    harm=Harm.COST,
    basis=Basis.INTRINSIC,
    incident="Tokens that are read back and encoded again are others, which harms "
    "reinforcement learning (sgl-project/sglang PR#26555).",
    measures=(
        Measured(
            "stability/ids_that_come_back",
            Worse.LOWER,
            dimensions={"length": tuple(map(str, LENGTHS))},
        ),
    ),
    only_measures=True,
)
def sampled_ids(spec: TokenizerSpec, upstream: Upstream, options: Options) -> Iterator[Measurement]:
    """Draw ids, decode and encode them, and count unchanged lists."""
    if not {"decode", "decode_bytes"} & upstream.capabilities:
        raise Skip(f"{upstream.info.adapter} does not decode")
    drawn_from = [id for id, _ in ordinary(spec)]
    if not drawn_from:
        raise NotApplicable("no entry but special tokens")
    draw = random.Random(options.seed)
    for length in LENGTHS:
        lists = [tuple(draw.choices(drawn_from, k=length)) for _ in range(DRAWN)]
        again = upstream.encode([shown(text) for text in upstream.decode(lists)])
        same = sum(a == b.ids for a, b in zip(lists, again, strict=True))
        yield Measurement(
            "stability/ids_that_come_back",
            "Sampled id sequences that survive decoding",
            same / DRAWN,
            "share",
            DRAWN,
            METHOD,
            interval_of_rate(same, DRAWN),
            {"length": str(length)},
        )
