"""An embedding with another number of rows than the config declares."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.check import check
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Basis, Finding, Place, Severity
from tokaudit.subject.material import Subject
from tokaudit.subject.upstream.model_type import treatment
from tokaudit.subject.weights import EMBEDDINGS, WeightHeaders, embedding_tensors
from tokaudit_suites.embeddings._heights import height
from tokaudit_suites.embeddings._undecided import refuse
from tokaudit_suites.shared.stated_roles import place_of

PADDED = ("auto_map", "padded_vocab_size", "pad_vocab_size_multiple")
"""Keys of models that make more rows than they declare, or are built by code of their own."""


@check(
    "embeddings/declared-rows",
    title="The embedding has as many rows as the config declares",
    why="Loaders build the embedding with vocab_size rows before they read the weights. With "
    "another number they refuse the checkpoint, or leave the matrix at random values where they "
    "were asked to ignore sizes.",
    remedy="Set vocab_size in config.json to the rows of the embedding.",
    severity=Severity.ERROR,
    basis=(Basis.CROSS_FILE, Basis.WEIGHTS),
    left_to_code=True,
    incident="'size mismatch for model.embed_tokens.weight' after tokens were added and the "
    "config of the base model was kept (huggingface/peft #349).",
)
def declared_rows(subject: Subject, weights: WeightHeaders) -> Iterator[Finding]:
    """Look the height of the embedding up among the sizes that config.json states."""
    stated = [
        fact
        for fact in subject.facts_named("vocab_size")
        if subject.base_of(fact) == "config.json" and isinstance(fact.value, int)
        if not treatment(subject, fact)
    ]
    if not stated:
        raise NotApplicable("no config.json states a vocab_size")
    if subject.facts_named(*PADDED):
        raise NotApplicable("the config has another rule for the number of rows")
    refuse(weights, EMBEDDINGS)
    tensors = embedding_tensors(weights)
    if len(tensors) != 1:
        raise NotApplicable("the weights hold no embedding, or several, that could be meant")
    for name, tensor in tensors.items():
        have = height(tensor)
        if have not in [fact.value for fact in stated]:
            yield Finding(
                Severity.ERROR,
                f"{stated[0].file} declares {stated[0].value:,} ids, but {name} has {have:,} "
                "rows, so loaders refuse the weights or leave the embedding at random values.",
                (place_of(stated[0], "config"), Place("embeddings", tensor.file, name, have)),
                remedy=f"Set vocab_size in {stated[0].file} to {have}.",
                cause="other rows",
            )
