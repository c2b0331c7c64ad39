"""Providers from files: the spec, its merges, the weights, and drawn texts."""

from __future__ import annotations

from tokaudit.engine.needs import Contents, Options
from tokaudit.engine.resolver import need, of_model
from tokaudit.foundation.errors import NotApplicable, Skip
from tokaudit.subject.material import Subject
from tokaudit.subject.representations import Representation, Representations, parse_all
from tokaudit.subject.weights import ONLY_POINTERS, WeightHeaders, not_fetched, read_headers
from tokaudit.subject.weights.rows import WeightRows
from tokaudit_reference.models.bpe.effective import EffectiveMerges, effective_merges
from tokaudit_reference.spec import ModelType, TokenizerSpec


@need
def representations(subject: Subject) -> Representations:
    """Parse every file of the tokenizer, with the reason if it does not parse."""
    return parse_all(subject)


@need
def representation(found: Representations) -> Representation:
    """Return the first that parses, which loaders use."""
    return _primary(found)[0]


@need
def tokenizer_spec(found: Representations) -> TokenizerSpec:
    """Return the spec of the first representation that parses."""
    return _primary(found)[1]


def _primary(found: Representations) -> tuple[Representation, TokenizerSpec]:
    if not found.parsed:
        raise Skip("no file of the tokenizer can be parsed")
    return found.parsed[0]


@of_model
@need
def effective(spec: TokenizerSpec) -> EffectiveMerges:
    """Find the merges that can ever fire."""
    if spec.model_type is not ModelType.BPE:
        raise NotApplicable(f"a {spec.model_type} model has no merges")
    return effective_merges(spec)


@need
def weight_headers(subject: Subject) -> WeightHeaders:
    """Read the tensor names and shapes of the weight files."""
    if pointers := not_fetched(subject):
        more = f" and {len(pointers) - 1:,} more" if pointers[1:] else ""
        raise NotApplicable(f"{ONLY_POINTERS} ({pointers[0].name}{more})")
    return read_headers(subject)


@need
def weight_rows(subject: Subject, options: Options) -> WeightRows:
    """Return the rows of the matrices, read only if the user requests it."""
    if not options.read_embeddings:
        raise NotApplicable("rows of embeddings are read only with --read-embeddings")
    return WeightRows(subject.files)


@need
def contents() -> Contents:
    """Return a reader for the subject's files."""
    return Contents()
