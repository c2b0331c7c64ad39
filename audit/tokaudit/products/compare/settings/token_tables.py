"""Compare two tables of `added_tokens_decoder` by the tokens in them."""

from __future__ import annotations

from dataclasses import replace

from tokaudit.engine.facet_names import TOKEN_FLAGS
from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import Trial
from tokaudit.products.compare.settings.loaded import differing_settings
from tokaudit.products.compare.settings.loader_tokens import loader_tokens
from tokaudit.products.compare.settings.texts.token_texts import tokens_of_table
from tokaudit_reference.spec import AddedToken

TABLE = "added_tokens_decoder"
ByText = dict[str, AddedToken]


def one_side_has_more_tokens(trial: Trial) -> bool:
    """Return whether each token and id known to both loaders is the same for both."""
    tables = _differing_tables(trial)
    if tables is None:
        return False
    ours, theirs = tables
    shared = ours.keys() & theirs.keys()
    ids = {each.id for each in ours.values()} & {each.id for each in theirs.values()}
    alike = len(ids) == len(shared) and all(ours[text] == theirs[text] for text in shared)
    return alike and _are_new(ours, theirs, trial.right) and _are_new(theirs, ours, trial.left)


def _are_new(tokens: ByText, others: ByText, other: Side) -> bool:
    """Return whether tokens missing on the other side have ids unused there."""
    return all(tokens[text].id not in other.names for text in tokens.keys() - others.keys())


def only_left_out(trial: Trial) -> bool:
    """Return whether the second loader only matches fewer tokens than the first.

    Their ids may be others, as may be whether decoding leaves them out.
    """
    tables = _differing_tables(trial)
    if tables is None:
        return False
    ours, theirs = (
        {text: replace(token, id=0, special=False) for text, token in table.items()}
        for table in tables
    )
    return theirs.items() <= ours.items()


def _differing_tables(trial: Trial) -> tuple[ByText, ByText] | None:
    """Return the tokens of both loaders, or else of both tables, if they differ."""
    ours, theirs = loader_tokens(trial.left), loader_tokens(trial.right)
    if ours is not None and theirs is not None:
        return dict(ours.tokens), dict(theirs.tokens)
    group = next((each for each in differing_settings(trial) if each.name == TOKEN_FLAGS), None)
    if group is None or {*group.pairs} != {TABLE}:
        return None
    one, other = (_by_text(setting.value) for setting in group.pairs[TABLE])
    return None if one is None or other is None else (one, other)


def _by_text(table: object) -> ByText | None:
    tokens = tokens_of_table(table)
    found = {token.content: token for token in tokens.values()}
    complete = isinstance(table, dict) and len(found) == len(tokens) == len(table)
    return found if complete else None
