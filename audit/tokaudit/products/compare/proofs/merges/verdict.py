"""Outcomes of comparing two BPE models: proved equal, a text, or neither."""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit_reference.models.bpe.merge_table import Surface


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate that two models are equal: both have this form.  `recheck` needs both specs.

    `merges` can fire, and `not_canonical` says why the form keeps the order of ranks, if it does.
    """

    name: str
    digest: str
    merges: int
    not_canonical: str = ""


@dataclass(frozen=True, slots=True)
class Proved:
    """The two models split every pre-token into the same pieces."""

    certificate: Certificate


@dataclass(frozen=True, slots=True)
class Witness:
    """A text run on both, the pre-token that differs, and the pieces on each side.

    `steps` are the first merges that differ, a side without one has an empty text; none where
    the merges are alike.  `cut_by` says whose steps cut the text.
    """

    text: str
    pre_token: str
    first: tuple[Surface, ...]
    second: tuple[Surface, ...]
    steps: tuple[str, str] | None
    cut_by: str


@dataclass(frozen=True, slots=True)
class Differs:
    """The two models differ on a text; `texts` were run to find it."""

    witness: Witness
    texts: int


@dataclass(frozen=True, slots=True)
class NotProved:
    """Neither a proof nor a text: the reason, and the number of texts tried."""

    why: str
    texts: int = 0


Verdict = Proved | Differs | NotProved
