"""Scores unlike a trained model's: all equal, positive, or rising with the ids."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, check
from tokaudit_reference.spec import ModelType, TokenizerSpec, TokenType
from tokaudit_suites.shared.ascending import ENOUGH, FEW
from tokaudit_suites.shared.repairs import ENTRIES_OF_BASE
from tokaudit_suites.shared.vocab_entries import ordinary
from tokaudit_suites.shared.wording import in_vocab, plural

TRAINED = 1000  # entries; a vocabulary that was written by hand has fewer, and round numbers
NEARLY_ALL = 0.9


@check(
    "vocab/scores",
    title="The scores look like those of their model",
    why="A Unigram model chooses the segmentation with the best sum of log probabilities; a "
    "SentencePiece BPE chooses the merge with the best score. With wrong scores in the "
    "vocabulary, nearly every text gets other ids, although the entries are the same and no error "
    "is raised.",
    remedy="Compare the scores with those in the file that the model's publisher ships, or "
    "{compare|run tokaudit with --base to compare} them with the scores of the base model.",
    repair=ENTRIES_OF_BASE,
    severity=Severity.WARNING,
    harm=Harm.OTHER_IDS,
    milder="scores alone prove nothing without the model's own file.",
    basis=Basis.INTRINSIC,
    incident="A converter that left tokenizer.ggml.scores out gave every token the score 0 "
    "(ggml-org/llama.cpp, conversion of SentencePiece vocabularies).",
)
def scores(spec: TokenizerSpec) -> Iterator[Finding]:
    """Check the scores of learned pieces, in the order of ids."""
    learned = [
        spec.scores[id]
        for id, piece in sorted(ordinary(spec) if spec.merges is None else ())
        if id in spec.scores and piece.token_type is TokenType.ORDINARY
    ]
    if len(learned) < ENOUGH or not _decide(spec):
        raise NotApplicable("the model has no scores that decide ids")
    if problem := _problem(spec, learned):
        many = plural(len(learned), "learned entry")
        yield Finding(
            Severity.WARNING, f"Of the {many}, {problem}.", (in_vocab(spec, None),), cause=problem
        )


def _decide(spec: TokenizerSpec) -> bool:
    """Return whether some text has two tokenizations: single characters leave no choice."""
    return any(len(piece.value) > 1 for _, piece in ordinary(spec))


def _problem(spec: TokenizerSpec, learned: list[float]) -> str:
    """Describe the fault of the scores, in words without data; empty if there is none.

    Ids that a class takes from another list, as Marian's, keep no order; none turns it round.
    """
    if len(set(learned)) == 1:
        return "all have the same score, so only the number of tokens decides between two cuts"
    if spec.model_type is ModelType.UNIGRAM and sum(s > 0 for s in learned) > len(learned) / 2:
        return "most have a score above zero, which no log probability is"
    if len(learned) >= TRAINED and (kind := _of_the_other_kind(spec, learned)):
        return kind
    falling = sum(a >= b for a, b in pairwise(learned)) / (len(learned) - 1)
    if falling < FEW:
        return "the scores rise with the ids, where those of published models fall"
    return ""


def _of_the_other_kind(spec: TokenizerSpec, learned: list[float]) -> str:
    """Describe ranks in a Unigram, or log probabilities in a BPE: the model type is wrong."""
    whole = sum(score == round(score) for score in learned) / len(learned)
    by_one = sum(a - b == 1 for a, b in pairwise(learned)) / (len(learned) - 1)
    if spec.model_type is ModelType.UNIGRAM and by_one > NEARLY_ALL:
        return "nearly all go down by one, as the ranks of a BPE do, but the model is a Unigram"
    if spec.model_type is ModelType.BPE and whole < 1 - NEARLY_ALL:
        return "nearly none is a rank: they are a Unigram's probabilities, but the model is a BPE"
    return ""
