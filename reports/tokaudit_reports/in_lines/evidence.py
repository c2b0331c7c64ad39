"""Draws evidence in text: its words, and two rows of tokens with the first difference marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tokaudit.plugin import EMPTY, Evidence, TokenView, text_of, visible
from tokaudit_reports.arranged.order import Column, has_row, ids_apart, token_window, value_text

if TYPE_CHECKING:
    from rich.text import Text

IDS = 24  # ids listed of a long list
PIECE = 40  # characters shown of one token
ROWS = ("expected", "actual")


def evidence_lines(evidence: Evidence, width: int) -> Iterator[Text | str]:
    """Yield the lines of one piece of evidence; the strings are not made visible yet."""
    from rich.text import Text

    text = text_of(evidence.text, evidence.text_base64)
    if text is not None:
        yield Text(f"{evidence.kind}: “{visible(text, spaces=True)}”")
    if evidence.expected or evidence.actual:
        yield from _token_rows(evidence, width)
    if ids := ids_apart(evidence):
        more = f" … {len(ids) - IDS:,} more" if len(ids) > IDS else ""
        yield "ids: " + " ".join(map(str, ids[:IDS])) + more
    for name, value in sorted(evidence.facts.items()):
        yield f"{name}: {value_text(value)}"
    if evidence.note:
        yield evidence.note


def _token_rows(evidence: Evidence, width: int) -> Iterator[Text]:
    from rich.text import Text

    window = token_window(evidence)
    labels = {
        "expected": visible(evidence.expected_label),
        "actual": visible(evidence.actual_label),
    }
    margin = max(_cells(label) for label in labels.values()) + 2
    if window.before:
        yield Text(f"{'':{margin}}… {window.before:,} tokens before, the same in both", "dim")
    for columns in _blocks(window.columns, width - margin):
        for row in ROWS:
            if has_row(evidence, row):
                yield from _row(columns, row, _padded(labels[row], margin))
        yield from _mark(columns, margin)
    if window.after:
        yield Text(f"{'':{margin}}… {window.after:,} tokens after", "dim")


def _row(columns: Sequence[Column], row: str, label: str) -> Iterator[Text]:
    """Yield the pieces of a row, then their ids; the ids alone if no piece has a name."""
    from rich.text import Text

    tokens = [_token(column, row) for column in columns]
    ids_alone = any(tokens) and all(token is None or token.piece is None for token in tokens)
    margin = label if ids_alone else " " * _cells(label)
    pieces, ids = Text(label, no_wrap=True), Text(margin, no_wrap=True)
    for column, token in zip(columns, tokens, strict=True):
        style = ("red" if row == "actual" else "green") if column.first else ""
        pieces.append(
            _padded(_piece(token), _width(column)), f"bold {style}".strip() if style else ""
        )
        ids.append(_padded(_id(token), _width(column)), style or "dim")
    if not ids_alone:
        yield pieces
    yield ids


def _mark(columns: Sequence[Column], margin: int) -> Iterator[Text]:
    from rich.text import Text

    before = 0
    for column in columns:
        if column.first:
            yield Text(
                " " * (margin + before) + f"▲ first difference, token {column.index}", "bold"
            )
        before += _width(column)


def _blocks(columns: Sequence[Column], width: int) -> Iterator[Sequence[Column]]:
    """The columns broken into blocks that fit the width."""
    start, used = 0, 0
    for index, column in enumerate(columns):
        if index > start and used + _width(column) > width:
            yield columns[start:index]
            start, used = index, 0
        used += _width(column)
    yield columns[start:]


def _token(column: Column, row: str) -> TokenView | None:
    return column.expected if row == "expected" else column.actual


def _piece(token: TokenView | None) -> str:
    if token is None or token.piece is None:
        return "·" if token is None else ""
    return visible(token.piece, spaces=True, limit=PIECE) or EMPTY


def _id(token: TokenView | None) -> str:
    return "" if token is None else str(token.id)


def _width(column: Column) -> int:
    tokens = (column.expected, column.actual)
    return max(max(_cells(_piece(token)), _cells(_id(token))) for token in tokens) + 2


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _cells(text))


def _cells(text: str) -> int:
    """Return how many terminal columns the text takes."""
    from rich.cells import cell_len

    return cell_len(text)
