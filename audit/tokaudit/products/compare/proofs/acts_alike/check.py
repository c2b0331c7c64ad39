"""Check that two stages are equivalent, by their effective options and by running both.

The options are compared as `options` reads them, which asks no step how it acts.  Where a stage can
be run by itself, both run a text of each character up to U+2FFF next to what the steps look for: a
list of ignored options that is wrong shows there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tokaudit.engine.facet_names import (
    ADDED,
    DECODER,
    NORMALIZER,
    POST_PROCESSOR,
    PRE_TOKENIZER,
    STAGES,
)
from tokaudit.products.compare.proofs.acts_alike.options import plain_steps
from tokaudit.products.compare.proofs.claim import Checker, Claim
from tokaudit.products.compare.proofs.ids_of_loaders import with_ids_of_a_loader
from tokaudit.products.compare.proofs.read_back import read_otherwise
from tokaudit.products.compare.proofs.steps_of_files import steps_of
from tokaudit.report.comparison import Proof
from tokaudit_reference.errors import SpecError, Unsupported
from tokaudit_reference.spec import AddedToken, TokenizerSpec
from tokaudit_reference.steps.normalizers import normalizer
from tokaudit_reference.steps.post_processors import post_processor

AT_ONCE = 64  # characters in a text
TEXTS = tuple(
    "".join(map(chr, range(start, start + AT_ONCE))) for start in range(0, 0x3000, AT_ONCE)
)
ONE, OTHER = 900_001, 900_002  # ids that no step adds
Run = Callable[[TokenizerSpec, tuple[str, ...]], Iterator[object]]


def objection(claim: Claim) -> str:
    """Explain why the two may behave differently; "" if they do not."""
    first, second = claim.specs
    if claim.facet == ADDED:
        return _of_added(first, second)
    if claim.facet == DECODER and (why := read_otherwise(first, second)):
        return why
    stage = STAGES[claim.facet]
    if plain_steps(first, stage) != plain_steps(second, stage):
        return "the steps do not act alike"
    return _as_run(first, second, RUN[claim.facet]) if claim.facet in RUN else ""


def _of_added(first: TokenizerSpec, second: TokenizerSpec) -> str:
    alike = _tokens(first) == _tokens(second)
    alike = alike and first.control_from_text == second.control_from_text
    alike = alike and first.dialect == second.dialect
    alike = alike and _numbered(first) == _numbered(second)
    return "" if alike else "the added tokens do not act alike"


def _numbered(spec: TokenizerSpec) -> list[tuple[int, str]]:
    """Return the tokens in order with their ids by a loader, if it renumbers them."""
    return [(token.id, token.content) for token in with_ids_of_a_loader(spec)]


def _tokens(spec: TokenizerSpec) -> list[AddedToken]:
    """Return the added tokens once each, without `normalized` if it has no effect.

    It makes none where no step changes a text before they are looked for, and all are looked for
    at one time.
    """
    once = dict.fromkeys(spec.added_tokens)
    tokens = sorted(once, key=lambda token: (token.content, token.id))
    one_time = all(token.normalized == tokens[0].normalized for token in tokens)
    if one_time and not plain_steps(spec, "normalizer"):
        return [replace(token, normalized=False) for token in tokens]
    return tokens


def _as_run(first: TokenizerSpec, second: TokenizerSpec, run: Run) -> str:
    texts = (*TEXTS, _looked_for(first), _looked_for(second))
    try:
        rows = zip(run(first, texts), run(second, texts), strict=True)
        same = all(ours == theirs for ours, theirs in rows)
    except (SpecError, Unsupported):
        return ""  # what cannot be run is proved by its options alone
    return "" if same else "the two do not act alike when they are run"


def _looked_for(spec: TokenizerSpec) -> str:
    """Return the patterns of a normalizer's steps, in order."""
    patterns = [step.get("pattern", {}) for step in steps_of(spec, "normalizer")]
    return "".join(each.get("String", "") for each in patterns)


def _normalized(spec: TokenizerSpec, texts: tuple[str, ...]) -> Iterator[object]:
    run = normalizer(spec.normalizer)
    return (run(text) for text in texts)


def _wrapped(spec: TokenizerSpec, texts: tuple[str, ...]) -> Iterator[object]:
    run = post_processor(spec)
    for add in (True, False):
        yield run([ONE], None, add)
        yield run([ONE], None, add, pair=([OTHER], None))


RUN: dict[str, Run] = {NORMALIZER: _normalized, POST_PROCESSOR: _wrapped}
ABOUT = frozenset({ADDED, NORMALIZER, PRE_TOKENIZER, POST_PROCESSOR, DECODER})
CHECKER = Checker(Proof.ACTS_ALIKE, ABOUT, objection)
