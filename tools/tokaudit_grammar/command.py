"""Writes the table of conversations that templates are tried on, and its page.

`make grammar` runs it after a value was added to `features.py`.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path

from tokaudit.products.chat.rendering import grammar
from tokaudit.products.chat.rendering.grammar.covering import TABLE
from tokaudit.products.chat.rendering.grammar.features import FEATURES
from tokaudit_grammar.page import page
from tokaudit_grammar.pairs import covering

ROOT = Path(__file__).parents[2]


def table() -> str:
    """The rows as CSV."""
    written = io.StringIO()
    rows = csv.DictWriter(written, FEATURES, lineterminator="\n")
    rows.writeheader()
    rows.writerows(covering())
    return written.getvalue()


def main() -> None:
    """Write both files."""
    Path(grammar.__path__[0], TABLE).write_text(table(), encoding="utf-8")
    (ROOT / "docs" / "conversations.md").write_text(page(), encoding="utf-8")
