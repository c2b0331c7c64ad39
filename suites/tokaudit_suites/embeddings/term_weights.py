"""Term weights of a sparse encoder that do not match the tokenizer's ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tokaudit.plugin import (
    Basis,
    Contents,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Severity,
    SourceFile,
    Subject,
    check,
)
from tokaudit.subject.safe_json import pointer
from tokaudit.subject.weights import WeightHeaders
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.listed_modules import ListedModules, parsed
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.vocab_entries import id_of, name_of
from tokaudit_suites.shared.wording import ids_evidence, in_vocab, plural, quote, some


@check(
    "embeddings/term-weights",
    title="Every token id has a term weight",
    why="A sparse encoder without a neural network looks up one weight for each id of a text. An "
    "id beyond the last weight causes an index error, and the weight of a term that is no token is "
    "never used.",
    remedy="Compute the weights again with this tokenizer, or use the tokenizer that they were "
    "computed with.",
    repair=person_decides("no file says which tokenizer the weights were made with"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=(Basis.WEIGHTS, Basis.CROSS_FILE),
    incident="The weights of a sparse encoder are a layer of their own next to the model "
    "(huggingface/text-embeddings-inference #141); SparseStaticEmbedding of "
    "sentence-transformers 5.7.0 scatters ids into a row as long as its weights.",
    no_example="The weights are a list of numbers, and examples hold matrices.",
)
def term_weights(
    subject: Subject,
    spec: TokenizerSpec,
    contents: Contents,
    encoder: ListedModules,
    weights: WeightHeaders | None,
) -> Iterator[Finding]:
    """Compare the number of weights with the ids, and a map's terms with the tokens."""
    modules = [
        (module.folder, module.known)
        for listed in encoder.by_file.values()
        for module in listed
        if module.known is not None and module.known.term_weights
    ]
    if not modules:
        raise NotApplicable("no module here looks a number up for each id")
    for folder, known in modules:
        for name, tensor in weights.tensors.items() if weights is not None else ():
            alone = len(tensor.shape) == 1 and name == known.term_weights
            if alone and _folder(tensor.file) == folder and tensor.shape[0] < spec.size():
                yield _short(spec, tensor.shape[0], Place("embeddings", tensor.file, name))
        for file in subject.files:
            if file.base == known.of_terms and _folder(file.name) == folder:
                yield from _of_terms(spec, contents, file)


def _of_terms(spec: TokenizerSpec, contents: Contents, file: SourceFile) -> Iterator[Finding]:
    """Report terms that are not tokens, and ids beyond the highest term."""
    found: Mapping[str, Any] = parsed(contents, file, dict)
    ids = {term: id_of(spec, term) for term in found}
    unknown = [term for term, id in ids.items() if id is None]
    if unknown:
        yield Finding(
            Severity.ERROR,
            f"{plural(len(unknown), 'term')} of {file.name} "
            f"{'is' if len(unknown) == 1 else 'are'} no token of {spec.files[0]}: "
            f"{some([quote(term) for term in unknown])}. The loader gives such a term's number to "
            "the unknown token, or stops.",
            (Place("embeddings", file.name, pointer(unknown[0])), in_vocab(spec)),
            cause="no token",
        )
    highest = max((id for id in ids.values() if id is not None), default=-1)
    if found and not unknown and highest + 1 < spec.size():
        yield _short(spec, highest + 1, Place("embeddings", file.name))


def _short(spec: TokenizerSpec, have: int, place: Place) -> Finding:
    beyond = [id for id in range(have, spec.size()) if name_of(spec, id) is not None]
    names = [f"{quote(name_of(spec, id) or '')} (id {id})" for id in beyond]
    return Finding(
        Severity.ERROR,
        f"{place.file} has {have:,} weights of terms, so {plural(len(beyond), 'token')} "
        f"{'has' if len(beyond) == 1 else 'have'} none: {some(names)}. A text with such a token "
        "stops with an index error.",
        (place, in_vocab(spec)),
        (ids_evidence(beyond),),
        cause="short",
    )


def _folder(name: str) -> str:
    return name.rpartition("/")[0]
