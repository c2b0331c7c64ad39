"""The scores of a Unigram model written down twice, differently."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import isclose

from tokaudit.plugin import (
    Basis,
    Evidence,
    Finding,
    Harm,
    NotApplicable,
    Severity,
    check,
    differing,
    two_rows,
)
from tokaudit.subject.upstream.conversion import lowered_commas
from tokaudit_reference.spec import ModelType, TokenType
from tokaudit_suites.agreement._compared import sides_of
from tokaudit_suites.shared.repairs import as_one_of_two
from tokaudit_suites.shared.run_copies import Copies, Copy
from tokaudit_suites.shared.vocab_entries import ordinary
from tokaudit_suites.shared.wording import does, ids_evidence, in_vocab, quote, some

AS_SINGLE = 1e-6  # one file keeps 32 bits of a score, another writes it in decimals
MOST, MOST_LONGER = 40, 8  # changed pieces whose texts are run, and entries that hold one
SPACE = "\u2581"
Changed = Mapping[str, tuple[int, float, float]]  # a piece: its id, and both scores


@check(
    "agreement/scores",
    title="All copies of the scores are the same",
    why="A Unigram tokenizer chooses the segmentation with the highest sum of scores, so one "
    "score that differs changes every text in which its token competes. Two files with different "
    "scores can list the same entries, and ordinary sentences may not show the difference.",
    remedy="Write the scores of {file|all files} again from the file that fits the model, or "
    "delete the other copy.",
    repair=as_one_of_two,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    no_example="Examples write SentencePiece models without scores.",
    incident="A converter wrote the score 0 for every piece of a SentencePiece model "
    "(NVIDIA/TensorRT-Model-Connect PR#1060).",
)
def scores(copies: Copies) -> Iterator[Finding]:
    """Compare the scores of shared pieces, then run texts with the pieces that differ."""
    scored = [each for each in copies.all if each.spec.model_type is ModelType.UNIGRAM]
    if len(scored) < 2:
        raise NotApplicable("the scores are written down only once")
    for other in scored[1:]:
        if changed := _changed(scored[0], other):
            yield _finding(scored[0], other, changed)


def _changed(one: Copy, other: Copy) -> Changed:
    """Return the pieces with two scores, without those that a converter lowers by design."""
    left, right = _scores(one), _scores(other)
    held_back = lowered_commas().lower_by
    both = {
        piece: (id, mine, right[piece][1]) for piece, (id, mine) in left.items() if piece in right
    }
    return {
        piece: (id, mine, theirs)
        for piece, (id, mine, theirs) in both.items()
        if not any(_same(mine + back, theirs) for back in (0.0, held_back, -held_back))
    }


def _same(one: float, other: float) -> bool:
    return isclose(one, other, rel_tol=AS_SINGLE, abs_tol=AS_SINGLE)


def _scores(copy: Copy) -> dict[str, tuple[int, float]]:
    """Return the entries that compete by score; user-defined entries always win."""
    spec = copy.spec
    return {
        copy.spellings[id]: (id, spec.scores[id])
        for id, piece in ordinary(spec)
        if piece.token_type is TokenType.ORDINARY and id in spec.scores
    }


def _finding(one: Copy, other: Copy, changed: Changed) -> Finding:
    shown = [
        f"{quote(piece)} has {mine:.6g} and {its:.6g}" for piece, (_, mine, its) in changed.items()
    ]
    evidence = _shown(one, other, changed)
    ran = "" if evidence else " No text was found that they cut differently."
    return Finding(
        Severity.ERROR if evidence else Severity.WARNING,
        f"{does(len(changed), 'token', 'has')} another score in {one.file} than in {other.file}: "
        f"{some(shown)}.{ran}",
        (in_vocab(one.spec, [id for id, *_ in changed.values()][:20]), in_vocab(other.spec)),
        (ids_evidence([id for id, *_ in changed.values()]), *evidence),
        cause="scores",
    )


def _shown(one: Copy, other: Copy, changed: Changed) -> Sequence[Evidence]:
    """Return the shortest text around a changed piece that both tokenize differently, if any."""
    texts = [text for piece in list(changed)[:MOST] for text in _texts(piece, one.words)]
    for sides in sides_of(one, other):
        left, right = sides.tokenizers
        apart = [t for t, bad in zip(texts, differing(left, right, texts), strict=True) if bad]
        if apart:
            text = min(apart, key=len)
            rows = (left.row(text, sides.runners[0].who), right.row(text, sides.runners[1].who))
            return (two_rows(text, *rows, "the shortest of those tried"),)
    return ()


def _texts(piece: str, entries: Iterable[str]) -> Iterator[str]:
    """Yield the piece as a word, within a word, before others, and in longer entries."""
    longer = (each for each in entries if piece in each and each != piece)
    for each in (piece, *islice(longer, MOST_LONGER)):
        if word := each.replace(SPACE, " ").strip():
            yield from (
                word,
                f"a {word}",
                f"{word}s",
                f"a{word}",
                f"{word} {word}",
                f"{word}{word}",
            )
