"""Texts that could refute a proof, which are run in any case.

A facet that is proved of two sides that are written differently rests on a lemma, and on what the
reference knows of a library.  Where either is wrong it shows first on what the steps look for,
where cuts differ, between entries, and next to characters without an entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice, pairwise

from tokaudit.engine.facet_fields import ADDED_FIELDS, MODEL_FIELDS
from tokaudit.engine.facet_names import ADDED, MERGES, NORMALIZER, PRE_TOKENIZER
from tokaudit.engine.sides.side import Open
from tokaudit.engine.sides.trial import Trial
from tokaudit.engine.texts.suspects import added_token_texts
from tokaudit.engine.vocabularies.piece_texts import own_texts
from tokaudit.products.compare.facets.splits import entries_of
from tokaudit.products.compare.patterns.reading import read_steps
from tokaudit.products.compare.patterns.verdicts import Differs
from tokaudit.products.compare.proofs.cuts.prove import compare
from tokaudit.products.compare.proofs.merges.differences import differences
from tokaudit.products.compare.proofs.merges.model import merge_model
from tokaudit.products.compare.proofs.merges.texts import texts as texts_of
from tokaudit.products.compare.texts.cut_texts import around, texts_at_gaps, texts_of_ways
from tokaudit.products.compare.texts.normalizer_texts import texts_looked_for
from tokaudit.report.comparison import Facet, Proof

MOST = 1_000  # differences in the order of merges, and pairs of entries
Near = Callable[[Trial, Facet], Iterable[str]]


def reopened(trial: Trial, facet: Facet) -> Open:
    """Return a proved facet as open again, with the texts that could refute it."""
    near, component, fields = SUSPECTS[facet.name]
    places = tuple(s.place(component, f"/{component}") for s in (trial.left, trial.right))
    texts = dict.fromkeys(text for text in near(trial, facet) if text)
    return Open(facet.name, facet.why, places, tuple(texts), fields)


def _of_normalizer(trial: Trial, facet: Facet) -> Iterable[str]:
    one, other = trial.left.spec, trial.right.spec
    return texts_looked_for(one.normalizer.steps, other.normalizer.steps)


def _of_cuts(trial: Trial, facet: Facet) -> Iterator[str]:
    """Yield what equivalent steps match, or texts where the cuts are or differ."""
    left, right = trial.left, trial.right
    one, other = left.spec.pre_tokenizer.steps, right.spec.pre_tokenizer.steps
    if facet.certificate is None or facet.certificate.proof is Proof.ACTS_ALIKE:
        yield from _of_normalizer(trial, facet)  # may have done away with what is cut at
        yield from texts_looked_for(one, other)
        return
    cuts = read_steps(one), read_steps(other)
    yield from texts_of_ways(cuts)
    if isinstance(found := compare(*cuts), Differs):
        yield from around(found.text, entries_of(left, right))
        yield from texts_at_gaps((left.spec, right.spec), cuts)


def _of_model(trial: Trial, facet: Facet) -> Iterator[str]:
    """Yield merges in another order, and pairs of entries; single ones run in any case."""
    if facet.certificate is not None and facet.certificate.proof is Proof.MERGES:
        suffix = trial.left.spec.end_of_word_suffix
        models = (trial.built(merge_model, side) for side in (trial.left, trial.right))
        for difference in islice(differences(*models), MOST):
            yield from texts_of(difference.pieces, suffix)
    entries = list(own_texts(trial.left.spec))
    some = entries[:: max(1, len(entries) // MOST)]
    yield from (f"{one}{other}" for one, other in pairwise(some))


def _of_added(trial: Trial, facet: Facet) -> Iterable[str]:
    return added_token_texts(trial.left.spec, trial.right.spec)


SUSPECTS: dict[str, tuple[Near, str, tuple[str, ...]]] = {
    NORMALIZER: (_of_normalizer, "normalizer", ("normalizer",)),
    PRE_TOKENIZER: (_of_cuts, "pre_tokenizer", ("pre_tokenizer",)),
    MERGES: (_of_model, "model", MODEL_FIELDS),
    ADDED: (_of_added, "added_tokens", ADDED_FIELDS),
}
"""For each facet that a proof may be about: its texts, its component and its fields of a spec."""
