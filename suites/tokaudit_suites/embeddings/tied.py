"""A tied-embeddings flag that the tensors contradict."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Base,
    Basis,
    Fact,
    Finding,
    Harm,
    NotApplicable,
    Options,
    Place,
    Severity,
    Subject,
    check,
)
from tokaudit.subject.upstream.checkpoints import embedding_names, output_names
from tokaudit.subject.upstream.model_class import generates
from tokaudit.subject.weights import WeightHeaders, embedding_tensors, output_tensors
from tokaudit_suites.embeddings._tied_adapter import is_adapter, of_adapter
from tokaudit_suites.embeddings._tying import (
    KEY,
    alike,
    head_that_is_dropped,
    no_head,
    tying_by_version,
)
from tokaudit_suites.embeddings._undecided import refuse, refuse_unknown_layout
from tokaudit_suites.shared.repairs import ROWS_AS_TRAINED, either, repaired, set_to
from tokaudit_suites.shared.stated_keys import StatedKeys
from tokaudit_suites.shared.stated_roles import place_of
from tokaudit_suites.shared.uses import for_use


@check(
    "embeddings/tied",
    title="Tied embeddings are stored once, untied ones twice",
    why="If the config ties lm_head to the input embedding, loaders discard an lm_head that is "
    "stored in the checkpoint. If the config does not tie the embeddings and the checkpoint has "
    "no lm_head, loaders initialise lm_head with random values.",
    remedy="Set tie_word_embeddings in {file|config.json} to match the stored tensors.",
    repair=ROWS_AS_TRAINED,
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=(Basis.CROSS_FILE, Basis.WEIGHTS),
    incident="A random head after resizing (huggingface/transformers PR#45079), a loss spike on "
    "resuming (NVIDIA-NeMo/Automodel PR#2511); vision models whose text part alone says it "
    "(huggingface/transformers PR#45857, vllm-project/vllm #51063), and adapters of one side "
    "(huggingface/peft #2018, huggingface/transformers #45127).",
)
def tied(
    subject: Subject,
    weights: WeightHeaders,
    keys: StatedKeys,
    base: Base | None,
    options: Options,
) -> Iterator[Finding]:
    """Compare tie_word_embeddings with the stored tensors.

    A model with a part for text states it twice, and each version reads another place. An adapter
    changes the one matrix of a base that ties, or has two of its own for it.
    """
    if is_adapter(weights):
        yield from of_adapter(subject, weights, keys, base)
        return
    flag, switches = subject.fact(KEY), tying_by_version(subject)
    if flag is not None and not isinstance(flag.value, bool):
        raise NotApplicable(f"{KEY} in {flag.file} is not true or false")
    if flag is None and not switches:
        raise NotApplicable(f"no config states {KEY}")
    refuse(weights, (*embedding_names(), *output_names()))  # a missing shard may hold one
    embeddings, outputs = embedding_tensors(weights), output_tensors(weights)
    if not embeddings:
        raise NotApplicable("the weights hold no token embedding that can be recognised")
    stored = [*embeddings.values(), *outputs.values()]
    places = tuple(
        Place("embeddings", t.file, name) for name, t in {**outputs, **embeddings}.items()
    )
    if flag is not None:
        places = (place_of(flag, "config"), *places)
    if outputs and flag is not None and flag.value:
        yield _both(flag, places, {t.shape for t in stored}, alike(subject, stored))
    elif outputs and any(switches.values()) and alike(subject, stored) is False:
        dropped = head_that_is_dropped(subject, switches, places)
        yield for_use(dropped, options, {"serving": Severity.WARNING})
    elif not outputs and switches and generates(subject):
        refuse_unknown_layout(subject)
        yield from no_head(subject, switches, places)
    elif not outputs and flag is not None and not flag.value and generates(subject):
        refuse_unknown_layout(subject)
        yield Finding(
            Severity.ERROR,
            f"{flag.file} says that the embeddings are not tied, but the weights hold no output "
            "matrix (lm_head), so loaders fill that matrix at random.",
            places,
            cause="no head",
            repair=either(
                ("a model whose head is its embedding", [set_to(place_of(flag, "config"), True)]),
            ),
        )


def _both(
    flag: Fact, places: tuple[Place, ...], shapes: set[tuple[int, ...]], alike: bool | None
) -> Finding:
    said = f"{flag.file} says that the embeddings are tied, but the weights hold an output matrix"
    if len(shapes) == 1 and alike:
        return Finding(
            Severity.INFO,
            f"{said} too; the values of the two are the same as far as tokaudit read them.",
            places,
            cause="stored twice",
        )
    other = (
        ", of another shape" if len(shapes) > 1 else "" if alike is None else ", with other values"
    )
    return Finding(
        Severity.ERROR if other else Severity.WARNING,
        f"{said} of their own{other}; the loader decides which of the two the model uses.",
        places,
        cause="both",
        repair=repaired(set_to(place_of(flag, "config"), False)),
    )
