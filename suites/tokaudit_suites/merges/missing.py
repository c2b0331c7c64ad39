"""Tokens without a merge among tokens that have one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, Skip, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.learned_order import LearnedOrder, LostTokens
from tokaudit_suites.shared.repairs import MERGES_OF_BASE
from tokaudit_suites.shared.vocab_entries import Value
from tokaudit_suites.shared.wording import (
    about,
    does,
    ids_evidence,
    in_merges,
    in_vocab,
    plural,
    quote,
    some,
)

MANY = 0.01  # of the tokens that merges make


@check(
    "merges/missing",
    title="Every merged token has a merge",
    why="BPE never produces a token that no merge builds, nor longer tokens that are built from "
    "such a token; a model that knows the token gets smaller pieces instead. Some published "
    "tokenizers lack a few merges and work, so a few missing merges are only a warning as long as "
    "no base tokenizer is given (--base). If all merges are missing, or a merge that many tokens "
    "need, tokaudit reports an error.",
    remedy="{Compare|Run tokaudit with --base to compare} the merges with those of the base model, "
    "and copy the missing merges from the base.",
    repair=MERGES_OF_BASE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="Conversions from SentencePiece that lost merges cut single tokens into three "
    "(huggingface/transformers #24233).",
)
def missing(spec: TokenizerSpec, order: LearnedOrder, tokens: LostTokens) -> Iterator[Finding]:
    """Find tokens without a usable merge, among the ids of learned tokens."""
    if spec.merges is None:
        raise NotApplicable("the format lists no merges")
    if spec.ignore_merges and spec.merges:
        if not order.mostly_unmade:
            raise NotApplicable(
                "the model looks up whole pieces before it merges, so no merge is needed"
            )
        count = plural(len(order.mostly_unmade), "token")
        said = (
            f"{count} are found only as whole words, not inside longer words, as no merge builds "
        )
        said += "these tokens"
        yield _finding(spec, Severity.WARNING, order.mostly_unmade, said, "only whole")
        return
    if len(set(spec.merges)) < len(spec.merges):
        raise Skip("a pair is listed twice, so its rank is unclear; see merges/duplicates")
    if order.late_parts or order.moved_merges:
        raise Skip("the merges are out of order, which hides what is missing; see merges/order")
    if tokens.by_id:
        yield _lost(spec, order, tokens)
    if order.cut_off and not spec.merges:
        said = "The list of merges is empty, so every text is cut into single symbols and "
        said += f"{plural(len(order.cut_off), 'token')} of several symbols are never used"
        yield _finding(spec, Severity.ERROR, order.cut_off, said, "empty")
    elif order.cut_off:
        said = f"The merges end before {plural(len(order.cut_off), 'token')} with higher ids"
        yield _finding(spec, Severity.WARNING, order.cut_off, said, "end early")
    if order.unmade_parts:
        said = (
            f"{plural(len(order.unmade_parts), 'token')} are parts of merges, but no merge builds"
        )
        said += " these tokens"
        yield _finding(spec, Severity.WARNING, order.unmade_parts, said, "parts")


def _lost(spec: TokenizerSpec, order: LearnedOrder, tokens: LostTokens) -> Finding:
    """Report tokens without a merge and the tokens built on them; many are an error."""
    roots = order.missing_merges
    if roots:
        said = f"{does(len(roots), 'token', 'has')} no merge that builds it"
        said += ", although the tokens with neighbouring ids have such a merge"
    else:
        said = f"{plural(len(tokens.by_id), 'token')} are never produced, "
        said += "although tokens with neighbouring ids are"
    built = len(tokens.by_id) - len(roots)
    if roots and built:
        said += f", so {plural(len(tokens.by_id), 'token')} are never produced"
    many = order.is_record and len(tokens.by_id) > MANY * len(order.learned)
    severity = Severity.ERROR if roots and built and many else Severity.WARNING
    return _finding(spec, severity, {**roots, **tokens.by_id}, said, "none")


def _finding(
    spec: TokenizerSpec, severity: Severity, tokens: Mapping[int, Value], said: str, cause: str
) -> Finding:
    """Report a cause, with the tokens that show it."""
    names = [f"{quote(value)} (id {id})" for id, value in tokens.items()]
    places = (in_merges(spec), in_vocab(spec, sorted(tokens)[:20]))
    evidence = (ids_evidence(tokens),)
    of = about(*tokens.values())
    return Finding(severity, f"{said}: {some(names)}.", places, evidence, cause=cause, about=of)
