"""Assign differing texts to facets, and find the shortest text for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, cached_property
from itertools import islice

from tokaudit.engine.evidence import token_value
from tokaudit.engine.facet_names import ADDED, IDS, MERGES
from tokaudit.engine.sides.side import Open
from tokaudit.engine.sides.trial import Seen, Trial
from tokaudit.engine.texts.shrink import minimise
from tokaudit.foundation.errors import OutOfTime, UpstreamTrouble
from tokaudit.products.compare.encoders import length_then_print
from tokaudit.products.compare.proofs.entries.prove import same_but_entries
from tokaudit.runtimes.mixed import mixed
from tokaudit.runtimes.protocol import EncodeOptions
from tokaudit_reference.spec import Priority, TokenizerSpec

MOST = 200  # differing texts that are looked at, the shortest first
OWN = 40  # and so many of those on which a difference of a facet would show
Tokens = tuple[tuple[int, ...], list[bytes | None]]


class Blame:
    """Assigns texts to open facets.

    A text whose tokens are the same, at other ids, is blamed on the ids, or on the added tokens
    where they are the ones that have other ids.  Any other is blamed on the facets that, taken over
    from the second side one at a time, change what the first side makes of it.  Where only one
    facet is open, and no other is proved of two sides that are written differently, there is
    nothing to ask.  Such `claims` are suspects too: a text that differs may refute any of them.
    """

    def __init__(self, trial: Trial, waiting: Sequence[Open], claims: Sequence[Open] = ()) -> None:
        self._trial, self._waiting = trial, [*waiting, *claims]
        self._ids = [each for each in waiting if each.name == IDS]
        self._others = [each for each in self._waiting if each.name != IDS]
        self._mixed = cache(self._mixture)

    def of(self, seen: Seen) -> list[Open]:
        """Return the facets to blame for a text; at least one."""
        ours, theirs = self._trial.pieces(seen)
        if ours == theirs:
            return self._of_moved(seen, ours) or self._ids or self._waiting[:1]
        if len(self._others) <= 1 and not (self._ids and self._lacking(seen)):
            return self._others or self._ids
        found = [each for each in self._others if self._changes(each, seen.text)]
        if self._ids and self._lacking(seen):
            found = [each for each in found if each.name != MERGES or not self._by_entries]
            found.append(self._ids[0])
        return found or self._nearest(seen) or self._ids

    def _nearest(self, seen: Seen) -> list[Open]:
        """Return the suspects without a reference: those with this text, or else all."""
        own = [each for each in self._others if seen.text in each.texts]
        return own or self._others[:1]

    def _changes(self, facet: Open, text: str) -> bool:
        """Return whether taking a facet from the second side changes a text's tokens.

        An added token may take over the id of an entry that the first side has there: that changes
        the name of a token, but not what becomes of a text.
        """
        first, found = self._encoded(None, text), self._encoded(facet, text)
        if first is None or found is None or facet.name != ADDED:
            return found != first
        return found[0] != first[0] and found[1] != first[1]

    def shortest(self, seen: Sequence[Seen]) -> dict[str, Seen]:
        """Return for each blamed facet the shortest text that shows it."""
        found: dict[str, Seen] = {}
        for each in self._looked_at(seen):
            for facet in self.of(each):
                found.setdefault(facet.name, each)
            if len(found) == len(self._waiting):
                break
        return {name: self._shrunk(name, each) for name, each in found.items()}

    def _looked_at(self, seen: Sequence[Seen]) -> list[Seen]:
        """Return the shortest texts, over all and by facet, so that no facet is crowded out.

        What everybody who was asked confirms comes first.
        """
        ordered = sorted(seen, key=lambda one: (one.unconfirmed, *length_then_print(one.text)))
        chosen = set(range(min(MOST, len(ordered))))
        for facet in self._waiting:
            texts = set(facet.texts)
            own = (at for at, one in enumerate(ordered) if one.text in texts)
            chosen.update(islice(own, OWN))
        return [ordered[at] for at in sorted(chosen)]

    def _shrunk(self, name: str, seen: Seen) -> Seen:
        def fails(texts: Sequence[str]) -> list[bool]:
            differing = {one.text: one for one in self._trial.run(texts)}
            return [
                text in differing
                and {*seen.who} <= {*differing[text].who}
                and any(each.name == name for each in self.of(differing[text]))
                for text in texts
            ]

        return replace(self._trial.seen[minimise(seen.text, fails)], minimal=True)

    def _of_moved(self, seen: Seen, tokens: Sequence[bytes | None]) -> list[Open]:
        """Return the facets whose tokens have other ids: entries, added tokens, or both."""
        rows = zip(tokens, seen.left, seen.right, strict=True)
        moved = {token for token, ours, theirs in rows if ours != theirs}
        added = {
            token.content.encode("utf-8", "surrogatepass")
            for token in self._trial.left.spec.added_tokens
        }
        found = self._ids if moved - added else []
        return [*found, *(each for each in self._others if each.name == ADDED and moved & added)]

    @cached_property
    def _by_entries(self) -> bool:
        """Return whether an entry missing on one side affects only ids.

        So it is where the entries say what merges, and where nothing else of the models differs.
        """
        specs = self._trial.left.spec, self._trial.right.spec
        by_product = all(spec.priority is Priority.PRODUCT for spec in specs)
        return by_product or same_but_entries(*specs)

    def _lacking(self, seen: Seen) -> bool:
        """Return whether either row has a token that the other side lacks."""
        ours, theirs = self._trial.pieces(seen)
        left, right = self._trial.left.every_value, self._trial.right.every_value
        return not (right.issuperset(ours) and left.issuperset(theirs))

    def _encoded(self, changed: Open | None, text: str) -> Tokens | None:
        """Return the ids and tokens of a text on the first side, with a facet of the second."""
        fields = changed.fields if changed else ()
        mixture = self._trial.mixed
        if mixture is None:
            return None
        try:
            found = mixture.encoder.encode([text], EncodeOptions(taken=fields))[0]
        except (UpstreamTrouble, OutOfTime):
            return None
        if found.error is not None:
            return None
        spec = self._mixed(fields)
        return found.ids, [token_value(spec, id) for id in found.ids]

    def _mixture(self, fields: tuple[str, ...]) -> TokenizerSpec:
        return mixed(self._trial.left.spec, self._trial.right.spec, fields)
