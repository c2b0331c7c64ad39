"""The repairs that the audit states do repair: a sample of what `make remedies` tries."""

from __future__ import annotations

import pytest

from tokaudit_remedies.cases import examples, operators
from tokaudit_remedies.table import share, table
from tokaudit_remedies.trying import Outcome, tried

SAMPLE = (  # one of each kind of change: a value, a list, a key to remove, a choice, a base
    "config/named-ids",
    "config/switches",
    "merges/duplicates",
    "merges/dropout",
    "padding/side",
    "special_tokens/names-fit",
    "special_tokens/role-ids",
    "agreement/vocab",
    "vocab/holes",
)


@pytest.mark.process
def test_a_sample_of_repairs_works_and_makes_no_new_error() -> None:
    outcomes = [each for case in examples() if case.name in SAMPLE for each in tried(case)]
    found = {each.case.name: each.outcome for each in outcomes}
    repaired = [name for name in SAMPLE if found[name] is Outcome.REPAIRED]
    assert repaired == [*SAMPLE[:4], *SAMPLE[5:7]]
    assert (found["padding/side"], found["agreement/vocab"]) == (Outcome.CHOICE, Outcome.CHOICE)
    assert found["vocab/holes"] is Outcome.BASE
    assert share(outcomes) == 1.0
    assert "| **share repaired** | 100.0 % | 100.0 % |" in table(outcomes)


def test_every_operator_of_the_mutants_is_a_case_once() -> None:
    names = [case.name.rpartition(" (")[0] for case in operators()]
    assert len(names) == len(set(names)) > 100
