"""Hashes of the components of an audit's subject, computed in idle time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from tokaudit.engine.needs import ReferenceBehaviour, Upstream, UpstreamBehaviour
from tokaudit.engine.resolver import Made, Needs
from tokaudit.products.identity import hashes
from tokaudit.report.recorded import ComponentIdentity
from tokaudit.runtimes.protocol import Encoding
from tokaudit.subject.material import Subject
from tokaudit_reference.models.bpe.effective import EffectiveMerges
from tokaudit_reference.spec import ModelType, TokenizerSpec


@dataclass(frozen=True)
class Identities:
    """Identities of one subject, each computed once.

    Of what takes long only what some check asked for, or `whole`: so asking one check about a file
    starts no worker, encodes nothing and runs no merge.
    """

    needs: Needs
    subject: Subject
    whole: bool
    _done: dict[str, ComponentIdentity] = field(default_factory=dict)

    def of_files(self) -> tuple[ComponentIdentity, ...]:
        """Return the identities that follow from files, without waiting for a worker."""
        spec = self.needs.optional(TokenizerSpec)
        if spec is None:
            return ()
        parts = hashes.identities(spec, self.subject, self._had(EffectiveMerges))
        return tuple(self._once(self._shared(part)) for part in parts)

    def all(self) -> tuple[ComponentIdentity, ...]:
        """Return those of files and behaviour, and for a manifest those that comparisons need."""
        found = self.of_files()
        spec = self.needs.optional(TokenizerSpec)
        if spec is None:
            return found
        parts = []
        if ours := self._had(ReferenceBehaviour):
            parts.append(_behaviour("behaviour-v1", ours.encodings))
        if theirs := self._had(UpstreamBehaviour):
            info = self.needs.get(Upstream).info
            name = f"behaviour-v1@{info.package}-{info.version}"
            parts.append(_behaviour(name, theirs.encodings))
        if self.whole:
            parts += _canonical(spec)
        return found + tuple(map(self._once, parts))

    def _had(self, kind: type[Made]) -> Made | None:
        return self.needs.without_fault(kind) if self.whole else self.needs.known(kind)

    def _shared(self, part: hashes.Part) -> hashes.Part:
        """Share a part between all subjects of the run with the same spec."""
        name, work = part
        if name in hashes.OF_FACTS:
            return part
        return name, lambda: self.needs.of_spec(name, work)

    def _once(self, part: hashes.Part) -> ComponentIdentity:
        name, _ = part
        if name not in self._done:
            self._done[name] = hashes.worked_out(part)
        return self._done[name]


def _canonical(spec: TokenizerSpec) -> Iterator[hashes.Part]:
    """Yield identities that do not depend on notation."""
    from tokaudit.products.compare.proofs.merges.model import MergeModel, merge_model
    from tokaudit.products.identity.short_id import canonical_identities

    model: MergeModel | None = None
    if spec.model_type is ModelType.BPE:
        with suppress(Exception):
            model = merge_model(spec)
    return canonical_identities(spec, model)


def _behaviour(name: str, encodings: Sequence[Encoding]) -> hashes.Part:
    return name, partial(hashes.behaviour, name, encodings)
