"""A text that shows the effect of a setting, run on both sides as loaders act."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tokaudit.engine.evidence import TokenRow, two_rows
from tokaudit.engine.facet_names import (
    CLASS_OPTIONS,
    CLEAN_UP,
    MAX_LENGTH,
    PREFIX_SPACE,
    SPECIAL_MASK,
    SPLITS_SPECIAL,
    SWITCHES,
    TOKEN_FLAGS,
    TOKENS_AROUND,
    TRUNCATION_SIDE,
)
from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import EncoderPair, Trial
from tokaudit.foundation.errors import OutOfTime, UpstreamTrouble
from tokaudit.products.compare.settings.around import tokens_around
from tokaudit.products.compare.settings.masks import marked_by_one, masked_tokens
from tokaudit.products.compare.settings.texts.option_texts import (
    of_class_options,
    of_prefix_option,
    of_split_tokens,
)
from tokaudit.products.compare.settings.texts.rows import Values, differing_rows, encoded
from tokaudit.products.compare.settings.texts.token_texts import of_tokens
from tokaudit.products.compare.settings.texts.truncated import of_length, of_truncation_side
from tokaudit.report.model import Evidence
from tokaudit.runtimes.protocol import EncodeOptions
from tokaudit.subject.upstream.clean_up import cleaned_up
from tokaudit.subject.upstream.loading_class import defaults_of

ROLE_OF = {"add_bos_token": "bos_token", "add_eos_token": "eos_token"}
SPACED = ("a .", "a ?", "a !", "a ,", "do n't", "I 'm", "a ' b")
WORDS = ("a", "b", "the", "0")
SHORT = ("a", "0", " ")
AROUND = EncodeOptions(add_special_tokens=True)


def shown_by_text(name: str, values: Values, trial: Trial) -> Iterator[Evidence]:
    """Yield the evidence for a facet of settings; none if no text shows it."""
    show = SHOWN.get(name)
    for pair in trial.pairs[:1] if show is not None else ():
        try:
            found = show(values, trial, pair) if show is not None else None
        except (UpstreamTrouble, OutOfTime):
            return
        if found is not None:
            yield found


def _of_tokens_around(values: Values, trial: Trial, pair: EncoderPair) -> Evidence | None:
    """Return a text with the tokens that each loader adds around it."""
    ours, theirs = tokens_around(trial.left), tokens_around(trial.right)
    for text in SHORT if ours is not None and theirs is not None else ():
        plain = encoded(text, pair)
        if plain is not None and ours is not None and theirs is not None:
            left, right = (list(each) for each in plain)
            rows = ours.row(trial.left, left), theirs.row(trial.right, right)
            if rows[0] is not None and rows[1] is not None:
                what = "with the tokens that the loader puts around it"
                return differing_rows(text, trial, (rows[0], rows[1]), pair, what)
    return None


def _of_switches(values: Values, trial: Trial, pair: EncoderPair) -> Evidence | None:
    """Return a text with the token that only one side adds before or after it."""
    for text in SHORT:
        plain = encoded(text, pair)
        if plain is None:
            continue
        ids = [list(each) for each in plain]
        for key, switched in values.items():
            for own, side, on in zip(ids, (trial.left, trial.right), switched, strict=True):
                token = _id_of_role(side, ROLE_OF[key]) if on else None
                if token is not None:
                    own.insert(0 if key == "add_bos_token" else len(own), token)
        return differing_rows(text, trial, ids, pair, "with the tokens that the switches add")
    return None


def _id_of_role(side: Side, role: str) -> int | None:
    if side.subject is None:
        return None
    stated = next((fact.value for fact in side.subject.facts_named(role)), None)
    content = stated.get("content") if isinstance(stated, dict) else stated
    if content is None:
        _, by_class = defaults_of(side.subject) or (None, {})
        content = by_class.get(role.removesuffix("_token"))
    return next((id for id, name in side.names.items() if name == content), None)


def _of_prefix(values: Values, trial: Trial, pair: EncoderPair) -> Evidence | None:
    """Return the start of a word, with a space before it if a side adds one.

    Where the spec of a side has the space already, as of files that its class reads, none is added.
    """
    (switched,) = values.values()
    for text in WORDS:
        plain = encoded(text, pair)
        shown = plain and differing_rows(text, trial, plain, pair, "as the setting states it")
        if shown:
            return shown
    for text in WORDS:
        one, other = (f" {text}" if on else text for on in switched)
        ours, theirs = pair.left.encode([one])[0], pair.right.encode([other])[0]
        if ours.error is None and theirs.error is None:
            what = "with a space before it where the setting adds one"
            found = differing_rows(text, trial, (ours.ids, theirs.ids), pair, what)
            if found is not None:
                return found
    return of_prefix_option(values, trial, pair)


def _of_clean_up(values: Values, trial: Trial, pair: EncoderPair) -> Evidence | None:
    """Return a row of ids from which one side removes a space."""
    (switched,) = values.values()
    for text in SPACED:
        row = pair.left.encode([text])[0]
        if row.error is not None:
            continue
        decoded = pair.left.decode([row.ids])[0]
        whole = decoded if isinstance(decoded, str) else decoded.decode("utf-8", "replace")
        ours, theirs = (cleaned_up(whole) if on else whole for on in switched)
        if ours != theirs:
            facts = {trial.left.name: ours, trial.right.name: theirs}
            note = f"decoded by {pair.who}, cleaned up where the setting is on"
            return Evidence("ids", ids=tuple(row.ids), facts=facts, note=note)
    return None


def _of_masks(values: Values, trial: Trial, pair: EncoderPair) -> Evidence | None:
    """Return the first token with equal ids and different masks."""
    ours, theirs = masked_tokens(trial.left), masked_tokens(trial.right)
    if ours is None or theirs is None:
        return None
    for text in marked_by_one(ours, theirs):
        one, other = (each.encode([text], AROUND)[0] for each in (pair.left, pair.right))
        masks = ours.mask(one.ids), theirs.mask(other.ids)
        if one.error is None and other.error is None and masks[0] != masks[1]:
            left = TokenRow(trial.left.name, one.ids, trial.left.names)
            right = TokenRow(trial.right.name, other.ids, trial.right.names)
            note = f"{SPECIAL_MASK} {masks[0]} and {masks[1]}; run by {pair.who}"
            return two_rows(text, left, right, note)
    return None


SHOWN: dict[str, Callable[[Values, Trial, EncoderPair], Evidence | None]] = {
    SWITCHES: _of_switches,
    SPLITS_SPECIAL: of_split_tokens,
    CLASS_OPTIONS: of_class_options,
    TOKENS_AROUND: _of_tokens_around,
    PREFIX_SPACE: _of_prefix,
    CLEAN_UP: _of_clean_up,
    MAX_LENGTH: of_length,
    TRUNCATION_SIDE: of_truncation_side,
    TOKEN_FLAGS: of_tokens,
    SPECIAL_MASK: _of_masks,
}
