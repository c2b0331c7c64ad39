"""The share of wrong documents that a sample would miss, held to draws."""

from __future__ import annotations

from random import Random

import pytest

from tokaudit.products.data.work.scan import share_missed


@pytest.mark.parametrize("looked_at", [20, 150, 600])
def test_of_a_thousand_samples_about_fifty_have_none_of_the_share_that_is_stated(
    looked_at: int,
) -> None:
    drawn = Random(looked_at)
    share = share_missed(looked_at)
    without = sum(all(drawn.random() >= share for _ in range(looked_at)) for _ in range(1_000))
    assert 30 <= without <= 75
    # A share that is half of it is missed far more often, so that the figure means something.
    half = sum(all(drawn.random() >= share / 2 for _ in range(looked_at)) for _ in range(1_000))
    assert half > 150
