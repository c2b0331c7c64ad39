"""On small tables every text up to eight letters is tried: the verdicts are true, and decided."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from merge_tables import changed, first_difference, objection_to, random_pairs, spec_of

from tokaudit.products.compare.proofs.merges.model import merge_model
from tokaudit.products.compare.proofs.merges.prove import compare_models
from tokaudit.products.compare.proofs.merges.verdict import Differs, Proved

LENGTH = 8


def judged(seed: int, pairs: int) -> Counter[str]:
    """What the comparison says of so many pairs of tables, each verdict checked on all texts."""
    random, found = Random(seed), Counter[str]()
    while found.total() < pairs:
        one = random_pairs(random)
        other = changed(random, one)
        a, b = merge_model(spec_of(one)), merge_model(spec_of(other))
        if one == other or a.form.not_canonical or b.form.not_canonical:
            continue
        verdict, text = compare_models(a, b), first_difference(one, other, LENGTH)
        if isinstance(verdict, Proved):
            assert text is None, (one, other)
            assert objection_to(verdict.certificate, a.spec, b.spec) == ""
        elif isinstance(verdict, Differs):
            shown = verdict.witness.text
            assert first_difference(one, other, len(shown)) is not None, (one, other)
            assert text is None or len(shown) == len(text), (one, other, shown, text)
        else:
            assert text is None, (one, other)
        found[type(verdict).__name__] += 1
    return found


@pytest.mark.parametrize("seed", range(3))
def test_verdicts_on_small_tables_are_true_and_at_least_97_percent_are_decided(seed: int) -> None:
    found = judged(seed, 120)
    assert found["Proved"] >= 20
    assert found["NotProved"] <= 0.03 * (found["NotProved"] + found["Differs"])


@pytest.mark.published
@pytest.mark.parametrize("seed", range(100, 120))
def test_verdicts_on_thousands_of_small_tables_are_true(seed: int) -> None:
    found = judged(seed, 500)
    assert found["NotProved"] <= 0.03 * (found["NotProved"] + found["Differs"])


@pytest.mark.parametrize("seed", range(2))
def test_tables_in_any_order_are_proved_equal_only_where_no_text_differs(seed: int) -> None:
    """Merges listed before their parts have no canonical form; the form in order is sound too."""
    random, proved = Random(seed), 0
    for _ in range(400):
        one = list(random_pairs(random))
        random.shuffle(one)
        other = changed(random, tuple(one))
        a, b = merge_model(spec_of(tuple(one))), merge_model(spec_of(other))
        if (a.form.name, a.form.digest) == (b.form.name, b.form.digest):
            proved += 1
            assert first_difference(tuple(one), other, 7) is None, (one, other)
    assert proved >= 20


def test_two_ways_to_make_the_same_token_may_be_one_and_the_same_to_every_text() -> None:
    """The form tells them apart, no text does: that is said as not proved, with what was tried."""
    one = (("a", "b"), ("b", "c"), ("ab", "c"))
    other = (("b", "c"), ("a", "b"), ("a", "bc"))
    assert first_difference(one, other, 7, "abc") is None
    verdict = compare_models(merge_model(spec_of(one, "abc")), merge_model(spec_of(other, "abc")))
    assert "the merges that can fire differ" in verdict.why
    assert verdict.texts > 100
