"""More embedding rows than token ids."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Place, Severity, Subject, check
from tokaudit.subject.upstream.checkpoints import embedding_names
from tokaudit.subject.weights import WeightHeaders, embedding_tensors
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.embeddings._heights import GGUF_ROWS, MULTIPLES, height, ids_in_use, spare
from tokaudit_suites.embeddings._undecided import refuse
from tokaudit_suites.shared.repairs import ROWS_AS_TRAINED
from tokaudit_suites.shared.wording import plural


@check(
    "embeddings/spare-rows",
    title="Rows beyond the last id are padding",
    why="Many models pad the embedding to a multiple of a power of two, and no text uses the "
    "padding rows. If padding does not explain the number of rows, the embedding belongs to a "
    "larger vocabulary: this tokenizer lacks tokens, and text with these tokens gets other ids "
    "than the model expects.",
    remedy="If the model's own tokenizer has more tokens than this one, use that tokenizer; else "
    "leave the extra embedding rows as they are.",
    repair=ROWS_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.WEIGHTS,
    left_to_code=True,
    incident="51,200 rows for 50,295 ids are padding, and look like lost tokens (microsoft/phi-2).",
)
def spare_rows(spec: TokenizerSpec, subject: Subject, weights: WeightHeaders) -> Iterator[Finding]:
    """Compare the height of each embedding with the highest id."""
    refuse(weights, embedding_names())
    tensors = embedding_tensors(weights)
    if not tensors:
        raise NotApplicable("the weights hold no token embedding that can be recognised")
    need = ids_in_use(spec, subject)
    for name, tensor in tensors.items():
        refused = name == GGUF_ROWS and tensor.file in spec.files  # embeddings/rows says so
        if height(tensor) > need and not refused:
            place = Place("embeddings", tensor.file, name, list(tensor.shape))
            yield _spare(name, height(tensor), need, place)


def _spare(name: str, have: int, need: int, place: Place) -> Finding:
    """Report surplus rows: padding, or training tokens that the tokenizer lacks.

    What pads rows makes their number even; an adapter's are those of the tokenizer in training.
    """
    lacks = have % MULTIPLES[0] != 0
    adapter = place.file.rpartition("/")[2].startswith("adapter")
    severity = Severity.ERROR if adapter else Severity.WARNING
    says = f"{plural(have - need, 'row')} {spare(have, need)}"
    if lacks:
        says += (
            "; padding never gives an odd number of rows, so the tokenizer may lack tokens of the "
            "model"
        )
    return Finding(
        severity if lacks else Severity.INFO,
        f"{name} has {have:,} rows for {need:,} ids: {says}.",
        (place,),
        cause="lacks" if lacks else "spare",
    )
