"""A sample of `make causes`: one fault is one card, and two faults are two."""

from __future__ import annotations

import pytest

from tokaudit_faults.scores.causes import outcome


@pytest.mark.parametrize(
    "operator",
    [
        "put_two_added_tokens_on_one_id",
        "move_one_token_beyond_the_end",
        "leave_the_end_out_of_the_mask",
        "list_the_first_merge_again",
        "drop_a_byte",
        "list_a_token_that_no_merge_makes",
    ],
)
def test_one_fault_is_one_card(operator: str, processes: None) -> None:
    found = outcome([operator])
    assert found is not None
    assert (found.first_is_the_cause, len(found.cards)) == (True, 1)


def test_two_faults_are_two_cards(processes: None) -> None:
    found = outcome(["put_two_added_tokens_on_one_id", "drop_the_decoder"])
    assert found is not None
    assert found.every_fault_is_a_card
