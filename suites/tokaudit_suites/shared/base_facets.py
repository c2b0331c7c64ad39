"""The facets of a tokenizer and its base: what a check asks before it claims a difference."""

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
    """The facets of ids, the base being the first side, and the trial behind them."""

    by_name: Mapping[str, Facet]
    trial: Trial

    def proved(self, name: str) -> bool:
        """Return whether a facet is proved to be the base's, however it is written."""
        return self.by_name[name].outcome in PROVED

    @property
    def rewritten(self) -> list[Facet]:
        """The facets that are written differently, and proved the same."""
        return [each for each in self.by_name.values() if each.outcome is Outcome.EQUIVALENT]

    def evidence(self, name: str) -> tuple[Evidence, ...]:
        """The text on which the two differ by this facet, where one was found."""
        return self.by_name[name].evidence

    def decoded(self, ids: Sequence[int]) -> tuple[Evidence, ...]:
        """The first of some ids that the base and this decode into different texts."""
        for pair in self.trial.pairs:
            for id in ids[:MOST_DECODED]:
                texts = _decoded(pair.left, id), _decoded(pair.right, id)
                if texts[0] != texts[1]:
                    names = self.trial.left.name, self.trial.right.name
                    facts = dict(zip(names, texts, strict=True))
                    return (Evidence("ids", ids=(id,), facts=facts, note=f"run by {pair.who}"),)
        return ()

    def severity(self, name: str) -> Severity:
        """Return the severity of a difference on paper: an error only where something differed."""
        return SEVERITY.get(self.by_name[name].outcome, Severity.ERROR)

    def tried(self, name: str) -> str:
        """Return the note on a difference on paper that no text was found to show."""
        facet = self.by_name[name]
        if facet.outcome is Outcome.UNDIFFERING:
            tried = in_words(facet.why.rpartition("tried: ")[2])
            return f" No difference was found: tokaudit tried {tried}."
        return f" Not shown: {facet.why}." if facet.outcome is Outcome.UNKNOWN else ""


def of_base(base: Base, place: Place) -> Place:
    """A place of the base, with its folder, so that nobody looks for it in the subject.

    Places of an original are in the same repository, by whose paths all files are named.
    """
    if base.within:
        return place
    return replace(place, file=located(base.subject.name, place.file), outside=True)


def claimed(finding: Finding, facets: BaseFacets, name: str) -> Finding:
    """A finding about a difference on paper, with what running texts has shown of it."""
    return replace(
        finding,
        severity=max(finding.severity, facets.severity(name), key=lambda severity: severity.rank),
        message=finding.message + facets.tried(name),
        evidence=(*facets.evidence(name), *finding.evidence),
    )


def claimed_of_ids(finding: Finding, facets: BaseFacets, name: str, ids: Sequence[int]) -> Finding:
    """A finding about ids, with a text whose ids differ, or an id that is decoded differently.

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
    """Decode an id; None where it has no token."""
    try:
        found = encoder.decode([[id]])[0]
    except (UpstreamTrouble, SpecError, KeyError):
        return None
    return found if isinstance(found, str) else found.decode("utf-8", "backslashreplace")


@need_from_worker
def base_facets(spec: TokenizerSpec, base: Base, by: BaseTrial) -> BaseFacets:
    """Every facet of the subject and the base that is about the tokenizer itself."""
    return facets_of(spec, base, by.trial)


def facets_of(spec: TokenizerSpec, base: Base, trial: Trial) -> BaseFacets:
    """The facets of any two tokenizers that can be tried, the first of which is the base."""
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
