"""The first stage at which two references do not do the same."""

from __future__ import annotations

from tokaudit.report.model import TokenView
from tokaudit.report.recorded import TracedBySides, TracedPart, TracedPiece
from tokaudit_reports.arranged.parting import Parting, first_parting


def part(normalized: str, *pieces: TracedPiece) -> TracedPart:
    return TracedPart("ab", None, normalized, pieces)


def piece(text: str, *merges: tuple[str, str], id: int = 1) -> TracedPiece:
    return TracedPiece(text, merges, (TokenView(id, text),))


def parted(left: TracedPart, right: TracedPart) -> Parting | None:
    return first_parting(TracedBySides("ab", (left,), (right,)))


def test_the_normalized_text_is_before_the_pieces() -> None:
    assert parted(part("ab", piece("ab")), part("AB", piece("AB"))) == Parting(
        "normalized text", ("ab",), ("AB",)
    )


def test_the_first_piece_that_is_another_is_shown() -> None:
    cut = part("ab", piece("a"), piece("b"))
    assert parted(cut, part("ab", piece("a"))) == Parting("pieces", ("b",), ())


def test_a_merge_is_shown_with_both_its_parts() -> None:
    merged = part("ab", piece("ab", ("a", "b")))
    assert parted(merged, part("ab", piece("ab"))) == Parting("merges", ("a", "+", "b"), ())


def test_the_same_tokens_may_have_other_ids() -> None:
    one, other = part("ab", piece("ab")), part("ab", piece("ab", id=2))
    assert parted(one, other) == Parting("ids", ("1",), ("2",))


def test_an_added_token_and_a_text_of_the_same_letters_part() -> None:
    added = TracedPart("ab", 7, "")
    assert parted(added, part("ab")) == Parting(
        "added tokens", ("ab", "as an added token"), ("ab",)
    )


def test_nothing_parts_what_is_the_same_or_has_no_stages() -> None:
    same = part("ab", piece("ab"))
    assert parted(same, same) is None
    assert first_parting(TracedBySides("ab", (same,), None)) is None
