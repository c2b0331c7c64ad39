"""Facets of a tokenizer and its base, which a check consults before it claims a difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tokaudit.engine.texts.probes import CONTEXTS
from tokaudit.engine.texts.suspects import added_token_texts, bare_texts, entry_texts
from tokaudit.plugin import (
    PROVED,
    Base,
    BaseTrial,
    Evidence,
    Facet,
    Finding,
    Outcome,
    Place,
    Severity,
    UpstreamTrouble,
    located,
    need_from_worker,
)
from tokaudit_reference.errors import SpecError
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.wording import in_words

if TYPE_CHECKING:  # an audit without a base compares nothing
    from tokaudit.engine.sides.trial import Encoder, Trial

SEVERITY = {Outcome.UNDIFFERING: Severity.INFO, Outcome.UNKNOWN: Severity.WARNING}
MOST_DECODED = 200  # ids that are decoded on both sides


@dataclass(frozen=True)
class BaseFacets:
    """Facets of ids, with the base as first side, and the trial that decided them."""

    by_name: Mapping[str, Facet]
    trial: Trial

    def proved(self, name: str) -> bool:
        """Return whether a facet is proved equal to the base's, however it is written."""
        return self.by_name[name].outcome in PROVED

    @property
    def rewritten(self) -> list[Facet]:
        """Return the facets that are written differently, and proved equal."""
        return [each for each in self.by_name.values() if each.outcome is Outcome.EQUIVALENT]

    def evidence(self, name: str) -> tuple[Evidence, ...]:
        """Return the text on which the two differ by this facet, if one was found."""
        return self.by_name[name].evidence

    def decoded(self, ids: Sequence[int]) -> tuple[Evidence, ...]:
        """Return the first of some ids that base and subject decode differently."""
        for pair in self.trial.pairs:
            for id in ids[:MOST_DECODED]:
                texts = _decoded(pair.left, id), _decoded(pair.right, id)
                if texts[0] != texts[1]:
                    names = self.trial.left.name, self.trial.right.name
                    facts = dict(zip(names, texts, strict=True))
                    return (Evidence("ids", ids=(id,), facts=facts, note=f"run by {pair.who}"),)
        return ()

    def severity(self, name: str) -> Severity:
        """Rate a difference on paper: an error only if some text differed."""
        return SEVERITY.get(self.by_name[name].outcome, Severity.ERROR)

    def tried(self, name: str) -> str:
        """Note that no text was found to show a difference on paper."""
        facet = self.by_name[name]
        if facet.outcome is Outcome.UNDIFFERING:
            tried = in_words(facet.why.rpartition("tried: ")[2])
            return f" No difference was found: tokaudit tried {tried}."
        return f" Not shown: {facet.why}." if facet.outcome is Outcome.UNKNOWN else ""


def of_base(base: Base, place: Place) -> Place:
    """Return a place of the base with its folder, so that nobody looks in the subject.

    Places of an original are in the same repository, by whose paths all files are named.
    """
    if base.within:
        return place
    return replace(place, file=located(base.subject.name, place.file), outside=True)


def claimed(finding: Finding, facets: BaseFacets, name: str) -> Finding:
    """Add what running texts showed to a finding about a difference on paper."""
    return replace(
        finding,
        severity=max(finding.severity, facets.severity(name), key=lambda severity: severity.rank),
        message=finding.message + facets.tried(name),
        evidence=(*facets.evidence(name), *finding.evidence),
    )


def claimed_of_ids(finding: Finding, facets: BaseFacets, name: str, ids: Sequence[int]) -> Finding:
    """Add a text with differing ids, or an id that decodes differently, to a finding.

    Where neither was found, it is only a difference on paper.  Where nothing can be run, what the
    vocabularies call an id is all there is, and that is stated.
    """
    if not facets.trial.pairs:
        return finding
    shown = facets.evidence(name) or facets.decoded(ids)
    if not shown:
        return claimed(finding, facets, name)
    return replace(finding, evidence=(*shown, *finding.evidence))


def _decoded(encoder: Encoder, id: int) -> str | None:
    """Decode an id; None if it has no token."""
    try:
        found = encoder.decode([[id]])[0]
    except (UpstreamTrouble, SpecError, KeyError):
        return None
    return found if isinstance(found, str) else found.decode("utf-8", "backslashreplace")


@need_from_worker
def base_facets(spec: TokenizerSpec, base: Base, by: BaseTrial) -> BaseFacets:
    """Collect the facets of subject and base that concern the tokenizer itself."""
    return facets_of(spec, base, by.trial)


def facets_of(spec: TokenizerSpec, base: Base, trial: Trial) -> BaseFacets:
    """Collect the facets of any two tokenizers that can run; the first is the base."""
    from tokaudit.products.compare.facets.compared import Searched, decided, of_ids
    from tokaudit.products.compare.facets.decoding import decoder
    from tokaudit.products.compare.facets.stages import post_processor

    left, right = trial.left, trial.right
    about_ids = decided(
        trial,
        list(of_ids(trial)),
        Searched(_suspects(base.spec, spec), bare_texts(base.spec, spec), CONTEXTS),
    )
    facets = [*about_ids, post_processor(left, right, trial), decoder(left, right, trial)]
    return BaseFacets({facet.name: facet for facet in facets}, trial)


def _suspects(base: TokenizerSpec, spec: TokenizerSpec) -> tuple[str, ...]:
    """Return texts around added tokens, and the text of every entry of either vocabulary."""
    return (*added_token_texts(base, spec), *entry_texts(base, spec))
