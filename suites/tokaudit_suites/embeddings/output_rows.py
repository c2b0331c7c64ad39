"""An output matrix with another row count than the embedding."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Place, Severity, Subject, check
from tokaudit.subject.formats.characters import vocabularies_of_languages
from tokaudit.subject.upstream.checkpoints import embedding_names, output_names
from tokaudit.subject.upstream.model_class import model_classes
from tokaudit.subject.weights import (
    WeightHeaders,
    embedding_tensors,
    ends_with,
    output_biases,
    output_tensors,
)
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.embeddings._draft_head import DraftHead
from tokaudit_suites.embeddings._heights import height, uncounted
from tokaudit_suites.embeddings._undecided import quantised, refuse
from tokaudit_suites.shared.repairs import ROWS_AS_TRAINED
from tokaudit_suites.shared.wording import main_file, plural, quote

OF_SPEECH = "ForCTC"  # a class of a head with a score for each token, and none to spare


@check(
    "embeddings/output-rows",
    title="lm_head has as many rows as the embedding",
    why="With too few rows in lm_head, the model can never generate the last tokens of the "
    "vocabulary; with too many rows, the model can generate ids that no token has. Loaders refuse "
    "an lm_head with the wrong number of rows, or initialise lm_head with random values.",
    remedy="Resize the embedding and lm_head to the same number of rows.",
    repair=ROWS_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.WEIGHTS,
    left_to_code=True,
    incident="A resized embedding left the head random (huggingface/transformers PR#45079).",
)
def output_rows(
    spec: TokenizerSpec, subject: Subject, weights: WeightHeaders, draft: DraftHead
) -> Iterator[Finding]:
    """Compare the heights of both matrices, except a head with its own vocabulary.

    A bias of the output has as many numbers as one of them has rows.
    """
    yield from _of_languages(subject, weights)
    refuse(weights, output_names())
    outputs = output_tensors(weights)
    embeddings = {} if quantised(weights, embedding_names()) else embedding_tensors(weights)
    biases = {} if draft.rows else output_biases(weights)
    if not outputs and not (biases and embeddings):
        raise NotApplicable("the weights hold no output matrix")
    heights = {height(tensor) - uncounted(subject) for tensor in embeddings.values()}
    for name, tensor in outputs.items():
        have = height(tensor)
        if have == draft.rows:
            continue  # embeddings/draft-map looks at what its rows stand for
        place = Place("embeddings", tensor.file, name, list(tensor.shape))
        if have < spec.size() - uncounted(subject):
            yield Finding(
                Severity.ERROR,
                f"{name} has {have:,} rows for {spec.size():,} ids, so the model can never "
                "generate the last ids.",
                (place, Place("vocab", main_file(spec), "", spec.size())),
                cause="short",
            )
        elif have > spec.size() and any(c.endswith(OF_SPEECH) for c in model_classes(subject)):
            yield Finding(
                Severity.WARNING,
                f"{name} has {have:,} rows, but the tokenizer has {spec.size():,} ids: a head for "
                "speech has one row for each token, so the vocabulary may be another model's.",
                (place, Place("vocab", main_file(spec), "", spec.size())),
                cause="scores",
            )
        elif heights and have not in heights:
            yield Finding(
                Severity.ERROR,
                f"{name} has {have:,} rows, but the embedding has {max(heights):,} rows.",
                (place, *(Place("embeddings", t.file, n) for n, t in embeddings.items())),
                cause="other",
            )
    high = {height(tensor) for tensor in outputs.values()} or heights
    for name, tensor in biases.items():
        if (have := tensor.shape[-1]) not in high | heights:
            yield Finding(
                Severity.ERROR,
                f"{name} has {have:,} numbers, but the output matrix has {max(high):,} rows: "
                f"loaders refuse {name}, or fill the missing numbers at random.",
                (Place("embeddings", tensor.file, name, list(tensor.shape)),),
                cause="bias",
            )


def _of_languages(subject: Subject, weights: WeightHeaders) -> Iterator[Finding]:
    """Report heads for a language whose rows do not match the entries of its vocabulary."""
    sizes = vocabularies_of_languages(subject) if weights.languages else {}
    for language, tensors in weights.languages.items():
        for name, tensor in tensors.items():
            have, need = height(tensor), sizes.get(language)
            if ends_with(name, output_names()) and need not in (None, have):
                yield Finding(
                    Severity.ERROR,
                    f"{name} in {tensor.file} has {have:,} rows, and the vocabulary of "
                    f"{quote(language)} {plural(need or 0, 'entry')}: answers in that language are "
                    "written with other letters, or stop with an error.",
                    (Place("embeddings", tensor.file, name, list(tensor.shape)),),
                    cause="language",
                )
