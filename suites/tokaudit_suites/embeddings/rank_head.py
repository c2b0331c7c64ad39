"""A GGUF file of a reranker without a head that scores."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    NotApplicable,
    Severity,
    Subject,
    UnreadableError,
    check,
)
from tokaudit.subject.formats.gguf.tensors import CLASSIFIER, every_tensor
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.stated_roles import place_of

RANKS, POOLING, WEIGHT = 4, "gguf_pooling", ".weight"  # ggml-org/llama.cpp, llama_pooling_type
SOURCE = "ggml-org/llama.cpp at 00395eb285c7, llama-graph.cpp: build_pooling"


@check(
    "embeddings/rank-head",
    title="A reranker in GGUF has its head",
    why="llama.cpp multiplies the vector of a text with the ranking head in the GGUF file. If a "
    "GGUF file of a reranker has no ranking head, the first number of the vector becomes the "
    "score: texts are ranked, but the order means nothing.",
    remedy="Convert the model again with a converter that writes cls.output.weight: from the "
    "model's head or, if the model answers yes or no, from the rows of these two tokens.",
    repair=person_decides("the head is in the source, or is made by its converter"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.WEIGHTS,
    incident="Conversions of Qwen3-Reranker without a head gave scores around 1e-20 "
    "(ggml-org/llama.cpp #25447).",
    no_example="The file needs tensors, and examples of GGUF files hold keys.",
)
def rank_head(subject: Subject) -> Iterator[Finding]:
    """Look for a head matrix in each ranking file with tensors."""
    files = {file.name: file for file in subject.files}
    ranking = [fact for fact in subject.facts_named(POOLING) if fact.value == RANKS]
    if not ranking:
        raise NotApplicable("no GGUF file says that it ranks texts")
    for fact in ranking:
        try:
            mine = every_tensor(files[fact.file])
        except UnreadableError:
            continue  # embeddings/rows says so
        if mine and not any(n.startswith(CLASSIFIER) and n.endswith(WEIGHT) for n in mine):
            yield Finding(
                Severity.ERROR,
                f"{fact.file} says that texts are ranked, and none of its {len(mine):,} tensors is "
                "a head: llama.cpp gives the first number of a text's vector as its score (read "
                f"in {SOURCE}).",
                (place_of(fact, "config"),),
                cause="no head",
            )
