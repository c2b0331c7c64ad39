"""Advice about two differing tokenizers: what differs, who is affected, and how ids map.

It is made of the tokens of both sides and of the texts that were run, and not of a name for the
relation: two that differ in one marker, and two that share nothing, may have one relation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from tokaudit.engine.evidence import ids_by_value, shown
from tokaudit.engine.facet_names import (
    BATCH,
    CHAT_TEMPLATE,
    CLEAN_UP,
    CORPUS,
    DECIDE_IDS,
    DECODER,
    MAX_LENGTH,
    OF_LOADERS,
    PADDING,
    POST_PROCESSOR,
    ROLES,
    ROWS,
    STOPS,
    TOKENIZER_CLASS,
    TRUNCATION_SIDE,
)
from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import Trial
from tokaudit.report.comparison import Comparison, Outcome, Relation
from tokaudit.report.sentences.of_comparison import listed, short
from tokaudit_reference.errors import SpecError, Unsupported
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.steps.normalizers import normalizer

MOST_TOKENS = 4  # that are named
MOST_RANGES = 6  # of ids that moved together
MOST_MARKERS = 5_000  # added tokens that differ; of more, not every text is looked through
CONCERNED: Mapping[str, str] = {
    POST_PROCESSOR: "users who encode with special tokens (different ones are put around a text)",
    DECODER: "users who decode (the same ids become another text)",
    BATCH: "users who encode without saying what to truncate and pad",
    CHAT_TEMPLATE: "users who render conversations",
    ROLES: "users who end, pad or mask texts by role",
    PADDING: "users who pad batches",
    STOPS: "users who generate",
    ROWS: "users who load the weights of one into the other",
    CLEAN_UP: "users who decode with transformers",
    MAX_LENGTH: "users who truncate with transformers",
    TRUNCATION_SIDE: "users who truncate with transformers",
    TOKENIZER_CLASS: "users who load them with transformers",
}
"""Whom a facet concerns that does not change the ids of a text by itself."""
BY_LOADERS = "users who encode with transformers"
PLURAL = (ROLES, STOPS, ROWS, BATCH)
Range = tuple[int, int, int]  # the first and last id, and by how much they move


@dataclass(frozen=True)
class TokenChange:
    """Tokens of two sides: at the same id, at different ids, or on one side alone."""

    shared: int
    moved: Mapping[int, int]
    only_left: tuple[str, ...]
    only_right: tuple[str, ...]

    @property
    def ranges(self) -> list[Range]:
        """Return the moved ids, in ranges that move by the same distance.

        >>> TokenChange(0, {5: 6, 6: 7, 9: 1}, (), ()).ranges
        [(5, 6, 1), (9, 9, -8)]
        """
        found: list[Range] = []
        for id, other in sorted(self.moved.items()):
            if found and found[-1][1] == id - 1 and found[-1][2] == other - id:
                found[-1] = (found[-1][0], id, other - id)
            else:
                found.append((id, id, other - id))
        return found


def token_change(left: Side, right: Side) -> TokenChange:
    """Match the tokens of both sides by value; one with several ids counts by its first."""
    ours, theirs = ids_by_value(left.spec), ids_by_value(right.spec)
    both = [(id, theirs[value]) for value, id in ours.items() if value in theirs]
    moved = {a: b for a, b in both if a != b and right.values.get(a) != left.values[a]}
    only_left = tuple(shown(value) for value in ours if value not in theirs)
    only_right = tuple(shown(value) for value in theirs if value not in ours)
    return TokenChange(len(both), moved, only_left, only_right)


def advice(trial: Trial, found: Comparison) -> str:
    """Return advice on the difference that the facets show; empty if they show none."""
    differing = [facet.name for facet in found.facets if facet.outcome is Outcome.DIFFERS]
    if not differing:
        return ""
    around = [name for name in differing if name not in (*DECIDE_IDS, CORPUS)]
    return " ".join((*_about_ids(trial, found), *_about_the_rest(around)))


def _about_ids(trial: Trial, found: Comparison) -> Iterator[str]:
    """Yield advice on texts that get different ids."""
    if not trial.seen:
        if trial.compared:
            yield (
                f"No id differs: all {found.texts:,} texts that were tried get the same ids, so "
                "cached ids and embeddings of one fit the other."
            )
        return
    change = token_change(trial.left, trial.right)
    if found.relation is Relation.REMAPPED:
        yield from _mapped(trial, change)
    elif tokens := _tokens_that_differ(trial):
        yield from _by_tokens(trial, found, tokens)
    else:
        yield from _cut_otherwise(found, change)


def _mapped(trial: Trial, change: TokenChange) -> Iterator[str]:
    """Yield advice for equal tokens at other ids: a map, in ranges if these are few."""
    ranges = change.ranges
    many = f"{len(change.moved):,} token{'s' if len(change.moved) > 1 else ''}"
    if ranges and len(ranges) <= MOST_RANGES:
        yield f"{many} moved: {'; '.join(map(_range_words, ranges))}."
    else:
        yield f"{many} moved to other ids."
    for side, alone in ((trial.left, change.only_left), (trial.right, change.only_right)):
        if alone:
            have = "is" if len(alone) == 1 else "are"
            yield f"{named_tokens(alone)} {have} in {short(side.name)} alone."
    yield (
        "Translate ids by the map (tokaudit compare A B --write-map map.json), in the embedding "
        "and in everything that holds ids."
    )


def _range_words(moved: Range) -> str:
    """Describe a range of ids and its target.

    >>> _range_words((5, 9, 1)), _range_words((270, 270, 24))
    ('ids 5 to 9 by +1', 'id 270 to 294')
    """
    first, last, shift = moved
    if first == last:
        return f"id {first} to {first + shift}"
    return f"ids {first} to {last} by {shift:+}"


def _tokens_that_differ(trial: Trial) -> list[str]:
    """Return the added tokens of which each differing text contains one; empty if some has none.

    Those that both sides list with the same id and flags are left out, as texts do not differ by
    them.  A token that is looked for in normalized text is there as its normal form too.
    """
    ours, theirs = ({t.content: t for t in s.spec.added_tokens} for s in (trial.left, trial.right))
    other = [c for c in {**ours, **theirs} if c and ours.get(c) != theirs.get(c)]
    if len(other) > MOST_MARKERS:
        return []
    forms = [*other, *(f for side in (trial.left, trial.right) for f in _forms(side.spec, other))]
    if not all(any(form in text for form in forms) for text in trial.seen):
        return []
    return [form for form in dict.fromkeys(forms) if any(form in text for text in trial.seen)]


def _forms(spec: TokenizerSpec, contents: Sequence[str]) -> Iterator[str]:
    """Yield the normal forms of added tokens that are matched in normalized text."""
    sought = {token.content for token in spec.added_tokens if token.normalized}
    with suppress(SpecError, Unsupported):
        run = normalizer(spec.normalizer)
        yield from (
            form for each in contents if each in sought and (form := run(each)) and form != each
        )


def _by_tokens(trial: Trial, found: Comparison, tokens: Sequence[str]) -> Iterator[str]:
    """Yield advice if texts differ only by a few added tokens."""
    yield (
        f"Only texts that hold {named_tokens(tokens)} differ: {found.different:,} of "
        f"{found.texts:,} that were tried. All others get the same ids, so cached ids and "
        "embeddings fit for them."
    )
    contents = [{token.content for token in s.spec.added_tokens} for s in (trial.left, trial.right)]
    sides = (trial.left, contents[0], contents[1]), (trial.right, contents[1], contents[0])
    for side, own, others in sides:
        if alone := [each for each in tokens if each in own and each not in others]:
            yield f"{named_tokens(alone)}: taken from text as a token by {short(side.name)} alone."
    if both := [each for each in tokens if each in contents[0] and each in contents[1]]:
        yield f"{named_tokens(both)}: a token of both, with another id or other flags."
    yield "Encode texts that hold them by the tokenizer that the model expects."


def _cut_otherwise(found: Comparison, change: TokenChange) -> Iterator[str]:
    """Yield advice if texts become different tokens, so that no map exists."""
    yield (
        f"{found.different:,} of {found.texts:,} texts tried get different ids, and no map "
        "turns one into the other: encode every text again with the tokenizer that the model "
        "expects."
    )
    alone = len(change.only_left) + len(change.only_right)
    if not change.moved and not alone:
        yield (
            f"All {change.shared:,} tokens have the same ids, so the rows of an embedding fit both."
        )
    else:
        yield (
            f"They share {change.shared:,} tokens, {len(change.moved):,} of them with different "
            f"ids; {alone:,} are in only one of them."
        )


def _about_the_rest(names: Sequence[str]) -> Iterator[str]:
    """Yield facets that do not change the ids of a plain text, and who is affected."""
    if names:
        concerned = listed([*dict.fromkeys(map(_whom, names))])
        what = listed(names)
        verb = "differs" if len(names) == 1 and names[0] not in PLURAL else "differ"
        yield f"The {what} {verb} for {concerned}: take the {what} of the checkpoint in use."


def _whom(name: str) -> str:
    return CONCERNED.get(name, BY_LOADERS if name in OF_LOADERS else "users who use either")


def named_tokens(tokens: Sequence[str]) -> str:
    """Name some tokens, and count the rest.

    >>> named_tokens(["<s>", "</s>"]), named_tokens([*"abcdef"])
    ("'<s>' and '</s>'", "'a', 'b', 'c', 'd' and 2 more tokens")
    """
    names = [repr(token) for token in tokens[:MOST_TOKENS]]
    more = len(tokens) - len(names)
    rest = [f"{more:,} more token{'s' if more > 1 else ''}"] if more else []
    return listed([*names, *rest])
