"""Share of text pairs whose joint ids are the ids of both parts."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from tokaudit.plugin import (
    Basis,
    Harm,
    Measured,
    Measurement,
    Options,
    Severity,
    Upstream,
    Worse,
    check,
    interval_of_rate,
)
from tokaudit_suites.stability._steady_texts import SteadyTexts

DRAWN = 400  # pairs for each way to join
WAYS = {"directly": "", "by a space": " ", "by a line end": "\n"}
METHOD = "pairs of probe texts drawn with the seed of the audit; interval by Wilson"


@check(
    "stability/joined-texts",
    title="Texts that keep their ids when another follows",
    why="One program encodes a prompt and its answer separately, another encodes them together. "
    "If a prompt and its answer get other ids together than separately, loss masks and caches are "
    "off by a token.",
    remedy="Encode prompt and answer in the same way everywhere, or split only where tokens end.",
    severity=Severity.INFO,
    harm=Harm.COST,
    basis=Basis.INTRINSIC,
    incident="The last token of a prompt and the first of its answer became one, and the mask of a "
    "trainer was off (hpcaitech/ColossalAI #4490).",
    measures=(
        Measured("stability/texts_that_join", Worse.LOWER, dimensions={"joined": tuple(WAYS)}),
    ),
    only_measures=True,
)
def joined_texts(
    upstream: Upstream, steady: SteadyTexts, options: Options
) -> Iterator[Measurement]:
    """Join pairs of texts in three ways, and count pairs with unchanged ids."""
    draw = random.Random(options.seed)
    pairs = [(draw.choice(steady.texts), draw.choice(steady.texts)) for _ in range(DRAWN)]
    for name, between in WAYS.items():
        same = _same(upstream, [(first + between, second) for first, second in pairs])
        yield Measurement(
            "stability/texts_that_join",
            "Concatenation-safe pairs",
            same / DRAWN,
            "share",
            DRAWN,
            METHOD,
            interval_of_rate(same, DRAWN),
            {"joined": name},
        )


def _same(upstream: Upstream, pairs: Sequence[tuple[str, str]]) -> int:
    first = upstream.encode([one for one, _ in pairs])
    second = upstream.encode([other for _, other in pairs])
    both = upstream.encode([one + other for one, other in pairs])
    return sum(a.ids + b.ids == c.ids for a, b, c in zip(first, second, both, strict=True))
