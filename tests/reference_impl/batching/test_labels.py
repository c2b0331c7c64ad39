"""Labels follow the roles of the characters, and borders follow the rule that was chosen."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tokaudit_reference.batching.labels import RoleSpan, labelled
from tokaudit_reference.batching.spans import Interval, Rule

TEXT = "<user>hi<end><assistant>hello<end>"
SPANS: list[RoleSpan] = [("user", 6, 8), ("assistant", 24, 34)]


@st.composite
def conversations(draw: st.DrawFn) -> tuple[list[Interval], list[RoleSpan]]:
    """Tokens that cut a text, and roles that cut it elsewhere."""
    edges = sorted(draw(st.sets(st.integers(1, 19), max_size=8)) | {0, 20})
    borders = sorted(draw(st.sets(st.integers(1, 19), max_size=5)) | {0, 20})
    who = st.sampled_from(["user", "assistant", "system"])
    offsets = list(itertools.pairwise(edges))
    return offsets, [(draw(who), *span) for span in itertools.pairwise(borders)]


@settings(deadline=None, derandomize=True, database=None)
@given(conversations(), st.sampled_from(Rule))
def test_labels_are_minus_100_exactly_where_the_mask_is_0(
    conversation: tuple[list[Interval], list[RoleSpan]], rule: Rule
) -> None:
    offsets, spans = conversation
    found = labelled(range(len(offsets)), offsets, spans, rule=rule, length=20)
    for id, (label, mask) in enumerate(zip(found.labels, found.assistant_mask, strict=True)):
        assert (label, mask) in [(id, 1), (-100, 0)]


@settings(deadline=None, derandomize=True, database=None)
@given(conversations())
def test_whole_trains_on_no_character_of_another_role_and_any_on_all_of_its_own(
    conversation: tuple[list[Interval], list[RoleSpan]],
) -> None:
    offsets, spans = conversation
    written = {place: role for role, start, end in spans for place in range(start, end)}
    trained = {}
    for rule in Rule:
        mask = labelled(range(len(offsets)), offsets, spans, rule=rule).assistant_mask
        tokens = [token for token, inside in zip(offsets, mask, strict=True) if inside]
        trained[rule] = {place for start, end in tokens for place in range(start, end)}
    own = {place for place, role in written.items() if role == "assistant"}
    assert trained[Rule.WHOLE] <= own <= trained[Rule.ANY]
    assert trained[Rule.WHOLE] <= trained[Rule.START] <= trained[Rule.ANY]


def test_the_assistant_s_words_and_end_of_turn_are_trained_on() -> None:
    offsets = [(0, 6), (6, 8), (8, 13), (13, 24), (24, 29), (29, 34)]
    found = labelled([1, 20, 2, 3, 21, 2], offsets, SPANS, length=len(TEXT))
    assert found.labels == [-100, -100, -100, -100, 21, 2]
    assert found.assistant_mask == [0, 0, 0, 0, 1, 1]


def test_other_roles_may_be_chosen() -> None:
    offsets = [(6, 8), (24, 29)]
    assert labelled([5, 6], offsets, SPANS, roles=("user",)).labels == [5, -100]
    assert labelled([5, 6], offsets, SPANS, roles=("user", "assistant")).labels == [5, 6]
    assert labelled([5, 6], offsets, SPANS, roles="user").labels == [5, -100]


def test_a_token_that_the_post_processor_adds_is_never_trained_on() -> None:
    assert labelled([0, 7], [(0, 0), (0, 2)], [("assistant", 0, 2)]).labels == [-100, 7]


@pytest.mark.parametrize(
    ("offsets", "spans", "says"),
    [
        ([(0, 1)], [("user", 0, 1)], "2 ids but 1 offsets"),
        ([(0, 1), (1, 9)], [("user", 0, 1)], r"offset of token 1 is \(1, 9\)"),
        ([(0, 1), (1, 2)], [("user", 3, 1)], r"span of 'user' is \(3, 1\)"),
        (
            [(0, 1), (1, 2)],
            [("user", 0, 3), ("assistant", 2, 4)],
            "'user' and 'assistant' overlap at 2",
        ),
        ([(0, 1), (1, 2)], [("a", 0, 4), ("b", 0, 1), ("c", 2, 3)], "'b' and 'a' overlap at 0"),
    ],
)
def test_intervals_that_do_not_fit_are_refused(
    offsets: list[Interval], spans: list[RoleSpan], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        labelled([1, 2], offsets, spans, length=5)
