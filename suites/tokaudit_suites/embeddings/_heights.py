"""Heights of embedding and output tensors, and explanations of surplus rows."""

from __future__ import annotations

from typing import Protocol

from tokaudit.plugin import Subject
from tokaudit.subject.upstream.checkpoints import uncounted_rows
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit_reference.spec import TokenizerSpec

GGUF_ROWS = "token_embd.weight"
MULTIPLES = (8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)


class Shaped(Protocol):
    """An object with the shape of a tensor."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Return its extents, rows first."""
        ...


def height(tensor: Shaped) -> int:
    """Return the row count of a tensor; an embedding has one row for each id."""
    return tensor.shape[0] if tensor.shape else 0


def uncounted(subject: Subject) -> int:
    """Count the rows that the model's class adds to its embedding and no config counts."""
    kinds = (str(fact.value) for fact in subject.facts_named("model_type"))
    return max((uncounted_rows().get(kind, 0) for kind in kinds), default=0)


def ids_in_use(spec: TokenizerSpec, subject: Subject) -> int:
    """Count the rows that the ids need, without an unknown token that a class never writes.

    A class that leaves out what it has no entry for, as VITS', adds that token without a row.
    """
    named, size = class_of(subject), spec.size()
    words = None if named is None or named.known is None else named.known.vocabulary
    if words is None or not words.drops_unknown:
        return size
    last = next((token.content for token in spec.added_tokens if token.id == size - 1), None)
    return size - 1 if last == words.unknown else size


def spare(have: int, need: int) -> str:
    """Explain surplus rows by the smallest multiple that padding would round up to.

    >>> spare(384, 320)
    'without a token, as padding to a multiple of 128'
    >>> spare(51866, 50257)
    'without a token, more than padding explains'
    """
    for multiple in MULTIPLES:
        if have % multiple == 0 and have - need < multiple:
            return f"without a token, as padding to a multiple of {multiple}"
    return "without a token, more than padding explains"
