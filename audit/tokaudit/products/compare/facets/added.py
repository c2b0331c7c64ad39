"""Added tokens: equal contents, ids and flags, or texts around those that differ."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from tokaudit.engine.canonical_steps import numbered_anew
from tokaudit.engine.facet_fields import ADDED_FIELDS
from tokaudit.engine.facet_names import ADDED
from tokaudit.engine.sides.side import Open, Side, State
from tokaudit.engine.sides.trial import Trial
from tokaudit.engine.texts.suspects import added_token_texts
from tokaudit.foundation.errors import OutOfTime, UpstreamTrouble
from tokaudit.products.compare.facets.decoding import SKIPPED, decoded_apart
from tokaudit.products.compare.proofs.acts_alike.prove import tokens_act_alike
from tokaudit.report.comparison import Facet, Outcome
from tokaudit.report.model import Place
from tokaudit_reference.spec import AddedToken, TokenizerSpec


def rules_of(spec: TokenizerSpec) -> tuple[bool, str]:
    """Return the general rules by which a tokenizer matches added tokens."""
    return spec.control_from_text, spec.dialect


def added_tokens(left: Side, right: Side, trial: Trial) -> State:
    """Compare the added tokens of both sides: contents, rules and ids."""
    ours, theirs = by_content(left.spec), by_content(right.spec)
    searched = rules_of(left.spec) == rules_of(right.spec)
    orders = [
        [(each.id, each.content) for each in numbered_anew(side.spec)] for side in (left, right)
    ]
    if orders[0] != orders[1]:
        return _in_another_order(left, right, ours, theirs)
    if ours == theirs and searched:
        return Facet(ADDED, Outcome.IDENTICAL, f"{len(ours):,} tokens with equal ids and flags")
    if alike := tokens_act_alike(left.spec, right.spec):
        why = f"{len(ours):,} tokens act the same, as nothing is normalized before they are found"
        return Facet(ADDED, Outcome.EQUIVALENT, why, certificate=alike)
    changed = [c for c in {**ours, **theirs} if ours.get(c) != theirs.get(c)]
    why = (
        f"{len(changed):,} of {len({**ours, **theirs}):,} added tokens are declared differently: "
        + ", ".join(map(repr, changed[:5]))
    )
    if searched and changed and all(_only_hidden(ours.get(c), theirs.get(c)) for c in changed):
        return _hidden(left, right, trial, changed, why)
    places = _places(left, right, changed[0]) if changed else ()
    return Open(
        ADDED,
        why if changed else "one side takes special tokens from text, the other does not",
        places,
        added_token_texts(left.spec, right.spec),
        ADDED_FIELDS,
    )


def _in_another_order(
    left: Side, right: Side, ours: dict[str, AddedToken], theirs: dict[str, AddedToken]
) -> Open:
    """Return an open facet if a loader numbers tokens by order, not by stated id."""
    listed = {**ours, **theirs}
    why = "some tokens have ids that a loader does not take from the file, but from their order; "
    why += f"{sum(ours.get(c) != theirs.get(c) for c in listed):,} of {len(listed):,} tokens "
    why += "are declared differently"
    places = _places(left, right, next(iter(listed)))
    near = [text for content in listed for text in (content, f"a{content}", f"{content} a")]
    texts = (*near, *added_token_texts(left.spec, right.spec))
    return Open(ADDED, why, places, texts, ADDED_FIELDS)


def by_content(spec: TokenizerSpec) -> dict[str, AddedToken]:
    """Map added tokens by content."""
    return {token.content: token for token in spec.added_tokens}


def _only_hidden(one: AddedToken | None, other: AddedToken | None) -> bool:
    """Return whether two tokens differ only in the flag for decoding."""
    if one is None or other is None or one.special == other.special:
        return False
    return replace(one, special=other.special) == other


def _hidden(left: Side, right: Side, trial: Trial, changed: Sequence[str], why: str) -> Facet:
    """Return the facet for tokens special on one side: decoding may skip them there."""
    ours, theirs = by_content(left.spec), by_content(right.spec)
    rows = [([ours[c].id], [theirs[c].id]) for c in changed]
    places = _places(left, right, changed[0])
    shown = None
    with suppress(UpstreamTrouble, OutOfTime):
        shown = decoded_apart(left, right, trial.pairs, rows, SKIPPED)
    if shown is None:
        return Facet(ADDED, Outcome.UNKNOWN, f"{why}; only whether they are special", places)
    why += "; decoding that skips special tokens shows them on one side only"
    return Facet(ADDED, Outcome.DIFFERS, why, places, (shown,))


def _places(left: Side, right: Side, content: str) -> tuple[Place, ...]:
    return tuple(side.added(content, by_content(side.spec).get(content)) for side in (left, right))
