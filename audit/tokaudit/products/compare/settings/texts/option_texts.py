"""A text that shows options that a class sets over a tokenizer.json."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tokaudit.engine.sides.trial import EncoderPair, Trial
from tokaudit.products.compare.settings.texts.rows import Values, differing_rows
from tokaudit.report.model import Evidence
from tokaudit.runtimes.protocol import EncodeOptions
from tokaudit.subject.upstream.ends import PREFIX
from tokaudit_reference.spec import Component, TokenizerSpec

OPTION_OF = {
    "do_lower_case": "lowercase",
    "strip_accents": "strip_accents",
    "tokenize_chinese_chars": "handle_chinese_chars",
}
"""The option of the normalizer that a class sets by a key."""
TEXTS = ("A", "É", "é", "中a", "a中", "B", "Z")
PREFIXED = "a"
AS_TEXT = EncodeOptions(parse_special=False)


def of_class_options(values: Values, trial: Trial, pair: EncoderPair) -> Evidence | None:
    """Return a text that the normalizers of both sides, with their options, change differently.

    None unless the file of one side has the options of that side, as the class saves it.
    """
    run = None if trial.mixed is None else trial.mixed.of_spec
    stated = {OPTION_OF[key]: both for key, both in values.items() if key in OPTION_OF}
    taken = [{key: both[at] for key, both in stated.items()} for at in (0, 1)]
    specs = [side.spec for side in (trial.left, trial.right)]
    pairs = zip(specs, taken, strict=True)
    if run is None or not stated or not any(_has(spec, options) for spec, options in pairs):
        return None
    if not all(stated.keys() <= (spec.normalizer.options or {}).keys() for spec in specs):
        return None
    ours, theirs = (run(_with(spec, options)) for spec, options in zip(specs, taken, strict=True))
    for text in TEXTS:
        one, other = ours.encode([text])[0], theirs.encode([text])[0]
        if one.error is None and other.error is None:
            what = "with the options that the class takes"
            found = differing_rows(text, trial, (one.ids, other.ids), pair, what)
            if found is not None:
                return found
    return None


def of_prefix_option(values: Values, trial: Trial, pair: EncoderPair) -> Evidence | None:
    """Return a text split by both pre-tokenizers, with each loader's prefix space."""
    run, (switched,) = None if trial.mixed is None else trial.mixed.of_spec, values.values()
    steps = [side.spec.pre_tokenizer for side in (trial.left, trial.right)]
    if run is None or not all(PREFIX in (step.options or {}) for step in steps):
        return None
    rows = [
        run(replace(side.spec, pre_tokenizer=_set(side.spec.pre_tokenizer, {PREFIX: on})))
        for side, on in zip((trial.left, trial.right), switched, strict=True)
    ]
    one, other = (each.encode([PREFIXED])[0] for each in rows)
    if one.error is not None or other.error is not None:
        return None
    what = "with a space before it where the setting adds one"
    return differing_rows(PREFIXED, trial, (one.ids, other.ids), pair, what)


def of_split_tokens(values: Values, trial: Trial, pair: EncoderPair) -> Evidence | None:
    """Return a special token in a text, which is matched whole or split."""
    (switched,) = values.values()
    for token in trial.left.spec.added_tokens if "special" in pair.left.capabilities else ():
        rows = [
            each.encode([token.content], AS_TEXT if on is True else EncodeOptions())[0]
            for each, on in zip((pair.left, pair.right), switched, strict=True)
        ]
        if token.special and not any(row.error for row in rows):
            ids = [row.ids for row in rows]
            found = differing_rows(token.content, trial, ids, pair, "as the setting states it")
            if found is not None:
                return found
    return None


def _has(spec: TokenizerSpec, options: dict[str, object]) -> bool:
    """Return whether a file has these options; an open one follows lower-casing."""
    own = dict(spec.normalizer.options or {})
    if own.get("strip_accents") is None:
        own["strip_accents"] = own.get("lowercase")
    return options.items() <= own.items()


def _with(spec: TokenizerSpec, options: dict[str, object]) -> TokenizerSpec:
    return replace(spec, normalizer=_set(spec.normalizer, options))


def _set(step: Component, options: Mapping[str, object]) -> Component:
    return replace(step, options={**(step.options or {}), **options})
