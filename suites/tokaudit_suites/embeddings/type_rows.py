"""Rows for the types of tokens that the weights have and the config does not declare."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Fact,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Repair,
    Severity,
    Subject,
    check,
)
from tokaudit.subject.weights import WeightHeaders, ends_with
from tokaudit_suites.shared.repairs import person_decides, repaired, set_to
from tokaudit_suites.shared.stated_roles import place_of
from tokaudit_suites.shared.wording import plural

DECLARED, OF_TYPES = "type_vocab_size", "token_type_embeddings.weight"


@check(
    "embeddings/type-rows",
    title="type_vocab_size is the rows of token types",
    why="An encoder has a row for each type of token, such as the first and the second of two "
    "texts. Loaders build as many as type_vocab_size says, and refuse weights with another number.",
    remedy="Set {pointer|type_vocab_size} in {file|the config} to the rows of {other|the weights}.",
    repair=person_decides("which of several matrices the config is of is in no file"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.WEIGHTS,
    left_to_code=True,
    incident="'size mismatch for embeddings.token_type_embeddings.weight': 5 rows, and "
    "type_vocab_size was 3 (lanyunshi/Multi-hopComplexKBQA #4).",
)
def type_rows(subject: Subject, weights: WeightHeaders) -> Iterator[Finding]:
    """Compare the config with every matrix of types; a model of several parts may have more."""
    facts = [fact for fact in subject.facts_named(DECLARED) if _is_whole_models(fact)]
    found = {
        name: tensor
        for name, tensor in weights.tensors.items()
        if len(tensor.shape) == 2 and ends_with(name, (OF_TYPES,))
    }
    if not facts or not found:
        raise NotApplicable("no config states a number of types, or no weights have rows for them")
    stated = facts[0]
    if all(tensor.shape[0] != stated.value for tensor in found.values()):
        name, tensor = next(iter(found.items()))
        rows = tensor.shape[0]
        message = (
            f"{DECLARED} in {stated.file} is {stated.value}, but {name} in {tensor.file} has "
            f"{plural(rows, 'row')}: loaders refuse it, or leave the matrix at random values."
        )
        places = (place_of(stated, "config"), Place("embeddings", tensor.file, name, rows))
        repair = _as_the_weights(stated, rows) if len(found) == 1 else None
        yield Finding(Severity.ERROR, message, places, cause="type rows", repair=repair)


def _is_whole_models(fact: Fact) -> bool:
    return fact.pointer == f"/{DECLARED}" and isinstance(fact.value, int) and fact.value > 0


def _as_the_weights(stated: Fact, rows: int) -> Repair | None:
    return repaired(set_to(place_of(stated, "config"), rows))
