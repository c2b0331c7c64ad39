"""An embedding whose row count differs from the config."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Finding, Place, Severity, Subject
from tokaudit.subject.upstream.checkpoints import embedding_names, keys_of_more_rows
from tokaudit.subject.upstream.model_type import treatment
from tokaudit.subject.weights import WeightHeaders, embedding_tensors
from tokaudit_suites.embeddings._heights import height, uncounted
from tokaudit_suites.embeddings._undecided import undecided
from tokaudit_suites.shared.repairs import repaired, set_to
from tokaudit_suites.shared.stated_roles import place_of

OWN_CODE = "auto_map"  # by which a model is built otherwise


def declared_rows(subject: Subject, weights: WeightHeaders, ids: int) -> Iterator[Finding]:
    """Compare the embedding's height with the sizes that config.json states.

    Silent where the config has another rule for the number of rows, or the weights do not show it.
    """
    stated = [
        fact
        for fact in subject.facts_named("vocab_size")
        if subject.base_of(fact) == "config.json" and isinstance(fact.value, int)
        if not treatment(subject, fact)
    ]
    has_more = subject.facts_named(OWN_CODE, *keys_of_more_rows())
    if not stated or has_more or undecided(weights, embedding_names()):
        return
    tensors = embedding_tensors(weights)
    if len(tensors) != 1:
        return  # several that could be meant
    for name, tensor in tensors.items():
        have = height(tensor)
        if have not in [fact.value + uncounted(subject) for fact in stated]:
            yield Finding(
                Severity.ERROR,
                f"{stated[0].file} declares {stated[0].value:,} ids, but {name} has {have:,} "
                "rows, so loaders refuse the weights or leave the embedding at random values.",
                (place_of(stated[0], "config"), Place("embeddings", tensor.file, name, have)),
                remedy=f"Set vocab_size in {stated[0].file} to {have}."
                if have >= ids
                else f"Resize the embedding and vocab_size in {stated[0].file} to {ids} rows.",
                cause="other rows",
                repair=repaired(set_to(place_of(stated[0], "config"), have))
                if have >= ids
                else None,
            )
