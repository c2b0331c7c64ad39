"""Unused ids below the highest one."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, Severity, Skip, check
from tokaudit_reference.spec import ModelType, TokenizerSpec
from tokaudit_suites.shared.repairs import ENTRIES_OF_BASE
from tokaudit_suites.shared.wording import about, ids_evidence, in_added, in_vocab, plural, some

END_OF_TEXT = 0  # of RWKV, whose vocabularies begin at 1 and keep it free
RESERVED = 1024  # ids; published vocabularies keep up to 256 free before their added tokens
MOST = 5_000_000  # vocab/id-range speaks about ids beyond this


@check(
    "vocab/holes",
    title="The ids have no holes",
    why="A model can generate an id that no token has; decoding this id crashes or returns "
    "nothing. Loaders that number tokens by counting shift every id after a missing id.",
    remedy="{Compare|Run tokaudit with --base to compare} the vocabulary with the base model's. If "
    "the base has tokens at these ids, copy its vocabulary; if not, add a placeholder token for "
    "each id to added_tokens.",
    repair=ENTRIES_OF_BASE,
    severity=Severity.WARNING,
    harm=Harm.COST,
    basis=Basis.INTRINSIC,
    incident="ConvBERT and ERNIE vocabularies stop with 'OrderedVocab contains a hole' "
    "(huggingface/tokenizers #1085).",
)
def holes(spec: TokenizerSpec) -> Iterator[Finding]:
    """List the runs of unused ids, reserved ones separately."""
    taken = {*spec.pieces, *(token.id for token in spec.added_tokens)}
    if not 0 < spec.size() <= MOST:
        raise Skip("the highest id is implausible, so holes cannot be found; see vocab/id-range")
    free = [id for id in range(spec.size()) if id not in taken]
    top = max((id for id in spec.pieces if id <= MOST), default=-1)
    inner, reserved = [id for id in free if id < top], [id for id in free if id > top]
    if inner:
        kept_free = spec.model_type is ModelType.TRIE and inner == [END_OF_TEXT]
        yield Finding(
            Severity.INFO if kept_free else Severity.WARNING,
            f"{plural(len(inner), 'id')} below the highest id, {top}, "
            f"{'belongs' if len(inner) == 1 else 'belong'} to no token of the vocabulary: "
            f"{'id' if len(inner) == 1 else 'ids'} {some(runs(inner))}.",
            (in_vocab(spec, runs(inner)[:20]),),
            (ids_evidence(inner),),
            cause="inner",
            about=about(ids=[top]),
        )
    if reserved:
        yield Finding(
            Severity.WARNING if len(reserved) > RESERVED else Severity.INFO,
            f"{plural(len(reserved), 'id')} between the vocabulary and the highest added token "
            f"{'has' if len(reserved) == 1 else 'have'} no token: "
            f"{'id' if len(reserved) == 1 else 'ids'} {some(runs(reserved))}.",
            (in_added(spec, None, runs(reserved)[:20]),),
            (ids_evidence(reserved),),
            cause="reserved",
        )


def runs(ids: list[int]) -> list[str]:
    """Format sorted ids as runs.

    >>> runs([3, 4, 5, 9])
    ['3 to 5', '9']
    """
    groups: list[list[int]] = []
    for id in ids:
        if groups and id == groups[-1][1] + 1:
            groups[-1][1] = id
        else:
            groups.append([id, id])
    return [str(first) if first == last else f"{first} to {last}" for first, last in groups]
