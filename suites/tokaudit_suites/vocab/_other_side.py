"""Both SentencePiece models of a translator, each run by the reference."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tokaudit.plugin import (
    WHOLE,
    NotApplicable,
    Reference,
    Skip,
    Subject,
    Tokenizer,
    Workers,
    need,
    need_from_worker,
    reference_request,
)
from tokaudit.runtimes.worker.client import UpstreamRefused, WorkerCrashed
from tokaudit.subject.formats import sentencepiece_model
from tokaudit.subject.material import GONE
from tokaudit.subject.upstream.tokenizer_class import sides_with
from tokaudit_reference.spec import TokenizerSpec

PIECES = sentencepiece_model.FORMAT.name


@dataclass(frozen=True)
class OtherSide:
    """The target's spec, if the source is audited and both share a list of ids."""

    spec: TokenizerSpec


@dataclass(frozen=True)
class RunModel:
    """A model with its tokenizer."""

    spec: TokenizerSpec
    tokenizer: Tokenizer

    @property
    def file(self) -> str:
        """Return the model's own file."""
        return self.spec.files[0]


@dataclass(frozen=True)
class BothSides:
    """The source and the target."""

    source: RunModel
    target: RunModel


@need
def other_side(subject: Subject, spec: TokenizerSpec) -> OtherSide:
    """Read the target's model as if it were the source's."""
    main = spec.files[0]
    sides = sides_with(main.rpartition("/")[2])
    aside = [file for file in subject.files if file.read_as == file.name + GONE]
    names = sides.mains if sides is not None and spec.format == PIECES else ()
    other = next((file for file in aside if file.name.rpartition("/")[2] in names), None)
    if other is None or subject.side != WHOLE:
        raise NotApplicable("there are no models of two sides with one list of ids")
    read = replace(other, role=PIECES, read_as=main)
    parsed = sentencepiece_model.parse(subject, read)
    return OtherSide(replace(parsed, files=(other.name, *parsed.files[1:])))


@need_from_worker
def both_sides(
    spec: TokenizerSpec, other: OtherSide, reference: Reference, workers: Workers
) -> BothSides:
    """Return the source as run for every check, and the target in its own worker."""
    try:
        target = workers.open("other side", reference_request(other.spec))
    except (UpstreamRefused, WorkerCrashed) as error:
        raise Skip(f"the reference does not run {other.spec.files[0]}: {error}") from error
    return BothSides(RunModel(spec, reference), RunModel(other.spec, target))
