"""The facets of a tokenizer and its base: what every check of this suite asks before it claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tokaudit.comparison.facets.compared import PROVED, Searched, decided, of_ids
from tokaudit.comparison.facets.side import Side
from tokaudit.comparison.facets.stages import decoder, post_processor
from tokaudit.comparison.facets.trial import Trial, in_process
from tokaudit.comparison.probes import CONTEXTS
from tokaudit.comparison.suspects import added_token_texts, entry_texts
from tokaudit.engine.needs import Base
from tokaudit.engine.resolver import need
from tokaudit.report.model import Evidence, Facet, Finding, Outcome, Severity
from tokaudit_reference.spec import TokenizerSpec

SEVERITY = {Outcome.UNDIFFERING: Severity.INFO, Outcome.UNKNOWN: Severity.WARNING}
ORDER = [Severity.ERROR, Severity.WARNING, Severity.INFO]  # the last of two is the milder
MOST_ENTRIES = 30_000  # texts of vocabulary entries that are run in this process


@dataclass(frozen=True)
class BaseFacets:
    """What is known about each facet that this suite speaks of, the base being the first side."""

    by_name: Mapping[str, Facet]

    def proved(self, name: str) -> bool:
        """Whether a facet is proved to be the base's, however it is written."""
        return self.by_name[name].outcome in PROVED

    def evidence(self, name: str) -> tuple[Evidence, ...]:
        """The text on which the two differ by this facet, where one was found."""
        return self.by_name[name].evidence

    def severity(self, name: str) -> Severity:
        """How bad a difference on paper is: an error only where something was seen to differ."""
        return SEVERITY.get(self.by_name[name].outcome, Severity.ERROR)

    def tried(self, name: str) -> str:
        """What to add to a message about a difference on paper that no text was found to show."""
        facet = self.by_name[name]
        if facet.outcome is Outcome.UNDIFFERING:
            return f" No difference found: {facet.why.rpartition('tried: ')[2]}."
        return f" Not shown: {facet.why}." if facet.outcome is Outcome.UNKNOWN else ""


def claimed(finding: Finding, facets: BaseFacets, name: str) -> Finding:
    """A finding about a difference on paper, with what running texts has shown of it."""
    return replace(
        finding,
        severity=max(finding.severity, facets.severity(name), key=ORDER.index),
        message=finding.message + facets.tried(name),
        evidence=(*facets.evidence(name), *finding.evidence),
    )


@need
def base_facets(spec: TokenizerSpec, base: Base) -> BaseFacets:
    """Every facet that is about the tokenizer itself."""
    left = Side(base.subject.name, base.spec, base.subject)
    right = Side("this", spec)
    trial = Trial(left, right, in_process(left, right))
    about_ids = decided(trial, of_ids(trial), Searched(_suspects(base.spec, spec), CONTEXTS))
    facets = [*about_ids, post_processor(left, right, trial), decoder(left, right)]
    return BaseFacets({facet.name: facet for facet in facets})


def _suspects(base: TokenizerSpec, spec: TokenizerSpec) -> tuple[str, ...]:
    entries = entry_texts(base, spec)
    step = -(-len(entries) // MOST_ENTRIES) or 1
    return (*added_token_texts(base, spec), *entries[::step])
