"""Render conversations with both templates and tokenizers, and compare."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tokaudit.engine.evidence import TokenRow, two_rows
from tokaudit.engine.facet_names import CHAT_TEMPLATE
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import NotApplicable, OutOfTime, Skip, UpstreamTrouble
from tokaudit.products.chat.rendering.grammar.covering import shaped_conversations
from tokaudit.products.chat.rendering.rendering import Rendering
from tokaudit.products.chat.rendering.segments import Span, learned_apart
from tokaudit.products.chat.work.chat_client import renderer_of
from tokaudit.products.chat.work.renderings import ChatRenderings, render_all
from tokaudit.products.compare.work.prepared import Compared
from tokaudit.report.comparison import Comparison, Facet, Outcome, Relation
from tokaudit.report.model import Evidence
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.subject.conversations.conversation import Conversation

OF_MATRIX, OF_ALL = "the role matrix", "the role matrix and the grammar"
TOLD_APART = (Relation.SAME, Relation.UNDIFFERING, Relation.UNKNOWN)


@dataclass(frozen=True)
class WrittenBySides:
    """A conversation as both templates render it, and its trained parts."""

    conversation: str
    left: Rendering
    right: Rendering
    learned: tuple[tuple[Span, ...], tuple[Span, ...]] | None = None  # where it is not the same

    @property
    def differs(self) -> bool:
        """Return whether the texts or their trained parts differ."""
        same_text = (self.left.text, self.left.ok) == (self.right.text, self.right.ok)
        return not same_text or self.learned is not None


def with_templates(
    found: Comparison, left: Compared, right: Compared, workers: Workers
) -> Comparison:
    """Replace facets of templates that may differ by rendered conversations."""
    facets = [
        rendered(each, left, right, workers)
        if each.name == CHAT_TEMPLATE and each.outcome is Outcome.UNKNOWN and each.places
        else each
        for each in found.facets
    ]
    differs = any(f.name == CHAT_TEMPLATE and f.outcome is Outcome.DIFFERS for f in facets)
    told = differs and found.relation in TOLD_APART
    relation = Relation.DIFFERENT if told else found.relation
    return replace(found, facets=tuple(facets), relation=relation)


def rendered(facet: Facet, left: Compared, right: Compared, workers: Workers) -> Facet:
    """Decide a facet by conversations; leave it if a template cannot be rendered.

    The few of the role matrix are tried first, then those of the grammar too.
    """
    grammar = tuple(one.given for one in shaped_conversations())
    both = list[WrittenBySides]()
    for more, of in (((), OF_MATRIX), (grammar, OF_ALL)):
        both = _by_both(left, right, workers, more)
        if not both:  # what neither writes shows nothing
            return facet
        if differing := [each for each in both if each.differs]:
            shortest = min(differing, key=lambda each: (not each.left.ok, len(each.left.text)))
            why = f"{len(differing):,} of {len(both):,} texts of {of} differ"
            why += f"; the shortest is {shortest.conversation}"
            shown = _shown(shortest, left, right)
            evidence = () if shown is None else (shown,)
            return replace(facet, outcome=Outcome.DIFFERS, why=why, evidence=evidence)
    equal_or_not, _, _ = facet.why.partition(";")
    why = f"{equal_or_not}, and write {len(both):,} texts of {OF_ALL} alike"
    return replace(facet, outcome=Outcome.UNDIFFERING, why=why)


def _by_both(
    left: Compared, right: Compared, workers: Workers, more: tuple[Conversation, ...]
) -> list[WrittenBySides]:
    """Return the texts that at least one renders; empty if a template cannot be."""
    try:
        renderer = renderer_of(workers)
        ours, theirs = (
            render_all(each.subject, each.side.spec, renderer, more) for each in (left, right)
        )
    except (NotApplicable, Skip, UpstreamTrouble, OutOfTime):
        return []
    return [each for each in _written(ours, theirs) if each.left.ok or each.right.ok]


def _written(ours: ChatRenderings, theirs: ChatRenderings) -> Iterator[WrittenBySides]:
    """Yield every conversation by the loaders' templates, without and with a prompt."""
    one, other = ours.all[0].rendered, theirs.all[0].rendered
    roles = {each.id: each.roles for each in ours.conversations}
    for mine in one.conversations:
        its = other.conversation(mine.id)
        if its is None:
            continue
        learned = learned_apart(mine, its, roles[mine.id])
        yield WrittenBySides(mine.id, mine.whole.plain, its.whole.plain, learned)
        if mine.whole.prompted is not None and its.whole.prompted is not None:
            yield WrittenBySides(mine.id, mine.whole.prompted, its.whole.prompted)


def _shown(each: WrittenBySides, left: Compared, right: Compared) -> Evidence | None:
    """Show the text of the first side with the tokens of both sides."""
    ours, theirs = _row(left, each.left), _row(right, each.right)
    if ours is None or theirs is None:
        return None
    other = repr(each.right.text) if each.right.ok else each.right.error
    note = f"conversation {each.conversation}; {right.side.name} writes {other}"
    if each.left.text == each.right.text and each.learned is not None:
        mine, its = each.learned
        note = f"conversation {each.conversation}; trained: {mine}, {its}"
    return two_rows(each.left.text or each.right.text, ours, theirs, note)


def _row(side: Compared, written: Rendering) -> TokenRow | None:
    encoder: WorkerTokenizer | None = side.reference or side.upstream
    if encoder is None:
        return None
    try:
        ids = encoder.encode([written.text])[0].ids if written.ok else ()
    except (UpstreamTrouble, OutOfTime):
        return None
    return TokenRow(side.side.name, ids, side.side.names)
