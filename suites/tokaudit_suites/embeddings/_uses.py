"""Rows that matter: those of input tokens, and those that end an answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tokaudit.plugin import Subject
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.stated_roles import role_ids, role_tokens
from tokaudit_suites.shared.vocab_entries import IdsByText, looks_like_marker, ordinary
from tokaudit_suites.shared.written_tokens import written_tokens

SAMPLE = 500  # plain tokens by whose rows the others are measured
PUT_IN = ("bos", "eos", "eot", "cls", "sep", "mask")
PUT_OUT = ("eos", "eot")
SPARE = ("pad", "unk")  # whose rows may be zero: one is masked, the other seldom met


@dataclass(frozen=True)
class Uses:
    """Ids by the use of their rows.

    `put_in` are the roles and the markers that a template writes, which need a row of the input;
    `put_out` are the stops, which need one of the output.
    """

    put_in: frozenset[int]
    put_out: frozenset[int]
    added: frozenset[int]
    plain: frozenset[int]

    @property
    def known(self) -> frozenset[int]:
        """Return every id with a token, except padding and unknown."""
        return self.put_in | self.put_out | self.added | self.plain

    @property
    def sample(self) -> list[int]:
        """Return some plain tokens, evenly spread."""
        plain = sorted(self.plain)
        return plain[:: len(plain) // SAMPLE + 1]

    @property
    def looked_at(self) -> list[int]:
        """Return the rows to read of a large matrix: all of markers, some of others."""
        return [*self.put_in, *self.put_out, *self.added, *self.sample]


def uses_of(spec: TokenizerSpec, subject: Subject) -> Uses:
    """Return the uses of each id by the settings and the template of a subject."""
    spare = _of_roles(spec, subject, SPARE)
    put_in = (_of_roles(spec, subject, PUT_IN) | _written(spec, subject)) - spare
    put_out = _of_roles(spec, subject, PUT_OUT) - spare
    added = frozenset(token.id for token in spec.added_tokens)
    plain = {id for id, piece in ordinary(spec) if not looks_like_marker(spec.surface(piece))}
    return Uses(frozenset(put_in), frozenset(put_out), added, frozenset(plain - added - spare))


def _of_roles(spec: TokenizerSpec, subject: Subject, roles: Iterable[str]) -> set[int]:
    """Return the ids that files state for these roles, by number or by token."""
    ids = IdsByText(spec)
    named = (ids.of(token) for role in roles for _, token in role_tokens(subject, role))
    stated = {id for role in roles for _, some in role_ids(subject, role) for id in some}
    return stated | {id for id in named if id is not None}


def _written(spec: TokenizerSpec, subject: Subject) -> set[int]:
    """Return the markers that a chat template writes, whole or built from a role."""
    tokens = {token.id: token for token in spec.added_tokens}
    written = (tokens[id] for id in written_tokens(spec, subject))
    return {each.id for each in written if each.special or looks_like_marker(each.content)}
