"""Merges whose parts or products are not in the vocabulary."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.learned_order import LearnedOrder
from tokaudit_suites.shared.repairs import MERGES_OF_BASE
from tokaudit_suites.shared.wording import about, does, in_merges, in_vocab, quote, some


@check(
    "merges/parts-exist",
    title="Every merge joins existing tokens into one",
    why="If a part or the result of a merge is not in the vocabulary, some loaders refuse the "
    "file, and others skip the merge and split text differently.",
    remedy="Take the vocabulary and the merges from the same tokenizer.",
    repair=MERGES_OF_BASE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="Tokens were removed and their merges kept: 'Token out of vocabulary' "
    "(1kkiRen/Tokenizer-Changer #1).",
)
def parts_exist(spec: TokenizerSpec, order: LearnedOrder) -> Iterator[Finding]:
    """Look up both parts and the product of every merge."""
    if spec.merges is None:
        raise NotApplicable("the format lists no merges")
    known, wrong = order.ids, []
    tokens: list[bytes | str] = []
    named = {*chain.from_iterable(spec.merges), *order.products}
    if named <= known.keys():  # as nearly always
        return
    for index, ((left, right), made) in enumerate(zip(spec.merges, order.products, strict=True)):
        absent = [value for value in (left, right, made) if value not in known]
        if absent:
            wrong.append((index, f"{quote(left)} + {quote(right)} (no {quote(absent[0])})"))
            tokens += [left, right, made]
    if wrong:
        yield Finding(
            Severity.ERROR,
            f"{does(len(wrong), 'merge', 'has')} a part or product that is not in the "
            f"vocabulary: {some([text for _, text in wrong])}.",
            (*(in_merges(spec, index, text) for index, text in wrong[:5]), in_vocab(spec)),
            cause="part missing",
            about=about(*tokens),
        )
