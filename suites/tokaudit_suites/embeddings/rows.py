"""Fewer embedding rows than token ids."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    Measured,
    Measurement,
    NotApplicable,
    Place,
    Severity,
    Subject,
    check,
)
from tokaudit.subject.upstream.checkpoints import embedding_names
from tokaudit.subject.weights import WeightHeaders, embedding_tensors
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.embeddings._heights import GGUF_ROWS, height, ids_in_use
from tokaudit_suites.embeddings._undecided import refuse
from tokaudit_suites.shared.repairs import ROWS_AS_TRAINED
from tokaudit_suites.shared.vocab_entries import name_of
from tokaudit_suites.shared.wording import about, does, ids_evidence, main_file, plural, quote, some

OF_LOADERS = ("model", "pytorch_model", "consolidated", "adapter")  # how their weights are named


@check(
    "embeddings/rows",
    title="Every token id has an embedding row",
    why="The first text with a token beyond the last embedding row fails: with an index error on "
    "a CPU, with an assertion or garbage output on a GPU.",
    remedy="Resize the embedding to one row for each id of the tokenizer, or remove the tokens "
    "without rows.",
    repair=ROWS_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.WEIGHTS,
    left_to_code=True,
    incident="Merging tools cut rows to another tokenizer's size (arcee-ai/mergekit #425).",
    measures=(Measured("embeddings/rows"),),
)
def rows(
    spec: TokenizerSpec, subject: Subject, weights: WeightHeaders
) -> Iterator[Finding | Measurement]:
    """Compare the height of each embedding with the highest id."""
    refuse(weights, embedding_names())
    tensors = embedding_tensors(weights)
    if not tensors:
        raise NotApplicable("the weights hold no token embedding that can be recognised")
    for name, tensor in tensors.items():
        have, need = height(tensor), ids_in_use(spec, subject)
        place = Place("embeddings", tensor.file, name, list(tensor.shape))
        yield Measurement(
            "embeddings/rows",
            "Rows of the embedding",
            have,
            "rows",
            1,
            "header of the weights",
            dimensions={"tensor": name},
        )
        if have < need:
            yield _short(spec, name, have, place)
        elif have > need and name == GGUF_ROWS and tensor.file in spec.files:
            yield _refused(name, have, need, place)


def _refused(name: str, have: int, need: int, place: Place) -> Finding:
    """Report a GGUF file whose rows and tokens differ in number: llama.cpp sizes by tokens."""
    return Finding(
        Severity.ERROR,
        f"{name} in {place.file} has {have:,} rows, but the file lists {plural(need, 'token')}: "
        "llama.cpp builds one row for each token, and refuses a tensor of another shape.",
        (place, Place("vocab", place.file)),
        cause="refused",
    )


def _short(spec: TokenizerSpec, name: str, have: int, place: Place) -> Finding:
    ids = {*spec.pieces, *(token.id for token in spec.added_tokens)}
    lost = sorted(id for id in ids if id >= have)
    names = [f"{quote(name_of(spec, id) or '')} (id {id})" for id in lost]
    message = (
        f"{name} has {have:,} rows, so {does(len(lost), 'token', 'has')} no row: {some(names)}."
    )
    others = 2 * have < spec.size() and not place.file.rpartition("/")[2].startswith(OF_LOADERS)
    if others:
        message = (
            f"{message} Or {place.file} belongs to another model, since no loader takes weights of "
            "this file name."
        )
    return Finding(
        Severity.WARNING if others else Severity.ERROR,
        message,
        (place, Place("vocab", main_file(spec), "", spec.size())),
        (ids_evidence(lost),),
        f"Resize {name} in {place.file} to {spec.size()} rows, or remove the tokens without rows.",
        cause="short",
        about=about(*(name_of(spec, id) or "" for id in lost)),
    )
