"""What the product proves of two tokenizers, asked of its own functions in this process.

No text is run: what a library would show is found by this tool, not by the product's own search.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import Trial
from tokaudit.products.compare.facets.compared import Searched, compared, ids_are_proved
from tokaudit.products.compare.proofs.cuts.expression import Unreadable
from tokaudit.products.compare.proofs.merges.model import merge_model
from tokaudit.products.compare.recheck.proofs import objection
from tokaudit.products.identity import hashes
from tokaudit.products.identity.drift import drifts_of_identity as drifts
from tokaudit.products.identity.short_id import canonical_identities
from tokaudit.report.comparison import PROVED, Comparison, Facet, Proof
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_reference.models.bpe.effective import effective_merges
from tokaudit_reference.spec import ModelType
from tokaudit_soundness.forging import forged
from tokaudit_soundness.library import Described


class NotParsed(Exception):
    """The product does not take a file that the library takes."""


@dataclass(frozen=True)
class Claims:
    """The facets that are proved, by their names, and whether the short ids are equal.

    `no_drift` says that the hashes of a manifest of the first side hold for the second, those of
    what was run left out.
    `refused` says of facets why the checker of their proof refuses it; `in_bytes` that a model gets
    its text in characters that stand for bytes, and no other.  `forged` are those facets that no
    prover has proved, and whose checker takes a forged certificate.
    """

    proved: dict[str, Facet]
    refused: dict[str, str]
    ids: bool
    same_id: bool
    no_drift: bool
    in_bytes: bool
    forged: frozenset[str] = frozenset()

    def proof(self, name: str) -> Proof | None:
        """How a facet is proved; None where it is not."""
        facet = self.proved.get(name)
        return facet.certificate.proof if facet and facet.certificate else None

    def proofs(self, names: Iterable[str]) -> set[Proof | None]:
        """How facets are proved."""
        return {self.proof(name) for name in names}


def side(name: str, described: Described, place: Path) -> Side:
    """A side of a comparison, opened as a folder of a user is."""
    folder = place / name
    folder.mkdir(exist_ok=True)
    (folder / "tokenizer.json").write_text(json.dumps(described), encoding="utf-8")
    subject = open_subject(str(folder))
    found = parse_all(subject)
    if not found.parsed:
        raise NotParsed("; ".join(each.error for each in found.all))
    return Side(name, found.parsed[0][1], subject)


def claims(left: Side, right: Side) -> Claims:
    """Every proof of sameness for two sides."""
    found = compared(Trial(left, right, ()), Searched(()))
    proved = {
        facet.name: facet
        for facet in found.facets
        if facet.outcome in PROVED
        or (facet.certificate is not None and facet.certificate.proof is Proof.EQUAL)
    }
    more = {facet.name: facet for facet in forged(left, right, proved.values())}
    in_bytes = left.spec.byte_level or right.spec.byte_level
    was, now = identities(left), identities(right)
    same_id = short_ids(was) == short_ids(now)
    no_drift = not any(each.gated for each in drifts(was, now))
    ids = ids_are_proved(facet for facet in found.facets if facet.name not in more)
    refusals = refused(left, right, found)
    known = {**proved, **more}
    return Claims(known, refusals, ids, same_id, no_drift, in_bytes, frozenset(more))


def refused(left: Side, right: Side, found: Comparison) -> dict[str, str]:
    """What the checkers say against the proofs; one that they do not follow is not refused."""
    said = {}
    for facet in found.facets:
        if facet.certificate is not None:
            with suppress(Unreadable):
                said[facet.name] = objection(left, right, facet, found)
    return {name: why for name, why in said.items() if why}


def identities(side: Side) -> dict[str, str]:
    """The hashes that a manifest has of a side, by their names; no text is run for them."""
    spec, subject = side.spec, side.subject
    if subject is None:
        raise ValueError(f"{side.name} is no folder")
    model, effective = None, None
    if spec.model_type is ModelType.BPE:
        model, effective = merge_model(spec), effective_merges(spec)
    parts = (*hashes.identities(spec, subject, effective), *canonical_identities(spec, model))
    found = (work() for _, work in parts)
    return {each.name: each.digest for each in found if each.digest}


def short_ids(identity: Mapping[str, str]) -> list[str]:
    """The short id among the hashes of a manifest."""
    return [digest for name, digest in identity.items() if name.startswith("id-v1@")]
