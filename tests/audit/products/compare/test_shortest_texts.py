"""Against a search over every text up to four characters: no verdict is wrong, no text longer."""

from __future__ import annotations

from collections import Counter

import pytest
from run_here import trial_here
from small_tokenizers import first_difference, random_pair

from tokaudit.engine.sides.side import Side
from tokaudit.engine.texts.probes import CONTEXTS
from tokaudit.engine.texts.suspects import added_token_texts, entry_texts
from tokaudit.products.compare.facets.compared import Searched, compared
from tokaudit.report.comparison import Comparison, Relation
from tokaudit_reference.spec import TokenizerSpec

LENGTH = 4


def against(one: TokenizerSpec, other: TokenizerSpec) -> Comparison:
    suspects = (*added_token_texts(one, other), *entry_texts(one, other))
    trial = trial_here(Side("left", one), Side("right", other))
    return compared(trial, Searched(suspects, (), CONTEXTS))


def judged(seeds: range) -> Counter[str]:
    """What is said of each pair, checked against the search."""
    found = Counter[str]()
    for seed in seeds:
        one, other = random_pair(seed)
        said, text = against(one, other), first_difference(one, other, LENGTH)
        if said.minimal is None:
            assert text is None, (seed, said.relation, text)
            found["proved" if said.relation is Relation.SAME else "searched"] += 1
        else:
            shown = said.minimal.text
            assert shown is not None
            assert text is None or len(shown) == len(text), (seed, shown, text)
            assert text is not None or len(shown) > LENGTH, (seed, shown)
            found["differs"] += 1
    return found


def test_no_text_is_longer_than_the_shortest_there_is() -> None:
    found = judged(range(60))
    assert found["differs"] >= 30
    assert found["proved"] >= 5


@pytest.mark.published
@pytest.mark.parametrize("part", range(8))
def test_no_text_of_many_pairs_is_longer_than_the_shortest_there_is(part: int) -> None:
    judged(range(1_000 + 100 * part, 1_100 + 100 * part))
