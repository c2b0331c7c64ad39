"""Writes `docs/missing-merge.svg`, the picture of the start page.

It shows what one missing merge does: the same text, the tokens of two checkpoints that differ in
one merge, and the embedding rows that the model is given.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

import tokaudit
from tokaudit.products.demo.checkpoints import MERGE, write_checkpoints
from tokaudit_reference.tokenizer import ReferenceTokenizer

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "missing-merge.svg"
TEXT = "to the end"
WIDTH, TOP, BAND, STEP = 740, 64, 132, 64
LEFT = 170
STYLE = """\
.card{fill:#f8fafc;stroke:#94a3b8}.text{fill:#0f172a}.quiet{fill:#475569}
.box{fill:#e0e7ff;stroke:#4f46e5}.other{fill:#ffe4e6;stroke:#be123c}.line{stroke:#64748b}
@media (prefers-color-scheme:dark){.card{fill:#0f172a;stroke:#475569}.text{fill:#f1f5f9}
.quiet{fill:#cbd5e1}.box{fill:#312e81;stroke:#a5b4fc}.other{fill:#881337;stroke:#fda4af}.line{stroke:#94a3b8}}
"""


@dataclass(frozen=True)
class Written:
    """The tokens that one checkpoint makes of the text."""

    name: str
    tokens: tuple[tuple[int, str], ...]


def picture() -> str:
    """The picture as SVG, of what the reference makes of the text."""
    with tempfile.TemporaryDirectory() as folder:
        write_checkpoints(Path(folder))
        both = [_written(Path(folder, name)) for name in ("checkpoint", "finetuned")]
    learned = {token for token, _ in both[0].tokens}
    bands = [part for at, each in enumerate(both) for part in _band(each, TOP + at * BAND, learned)]
    height = TOP + 2 * BAND + 34
    return "\n".join([*_frame(height), *bands, _last(height), "</svg>"]) + "\n"


def _written(folder: Path) -> Written:
    with tokaudit.open(folder) as opened:
        spec = opened.spec
    ids = ReferenceTokenizer(spec).encode(TEXT).ids
    return Written(folder.name, tuple((each, str(_shown(spec.pieces[each].value))) for each in ids))


def _shown(value: bytes | str) -> str:
    text = value.decode("utf-8") if isinstance(value, bytes) else value
    return text.replace(" ", "␣")


def _frame(height: int) -> Iterator[str]:
    merge = " + ".join(f"“{part.replace('Ġ', '␣')}”" for part in MERGE)
    title = f"The same text “{TEXT}”, with and without the merge {merge}"
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'font-family="system-ui, sans-serif" font-size="14">'
    )
    yield f"<title>{escape(title)}: other tokens, other embedding rows</title>"
    yield f"<style>{STYLE}</style>"
    yield f'<rect class="card" x="1" y="1" width="{WIDTH - 2}" height="{height - 2}" rx="10"/>'
    yield _words(24, 36, title, "text", 17)


def _band(written: Written, top: int, learned: set[int]) -> Iterator[str]:
    yield _words(24, top + 32, written.name, "text", 15)
    yield _words(24, top + 90, "rows of the embedding", "quiet", 11)
    width = min(STEP * 1.5, (WIDTH - LEFT - 24) / max(1, len(written.tokens)))
    for at, (token, piece) in enumerate(written.tokens):
        x, kind = LEFT + at * width, "box" if token in learned else "other"
        middle = x + (width - 8) / 2
        yield _box(kind, x, top + 10, width - 8, 34)
        yield _words(middle, top + 32, piece, "text", 15, "middle")
        yield f'<path class="line" d="M{middle:g} {top + 46}V{top + 70}"/>'
        yield _box(kind, x, top + 72, width - 8, 28)
        yield _words(middle, top + 91, f"row {token}", "text", 12, "middle")


def _last(height: int) -> str:
    said = (
        "Nothing crashes and every token is known, but the model is given other rows for this text."
    )
    return _words(24, height - 22, said, "quiet", 13)


def _box(kind: str, x: float, y: float, width: float, height: float) -> str:
    return (
        f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4"/>'
    )


def _words(x: float, y: float, text: str, kind: str, size: int, anchor: str = "start") -> str:
    return (
        f'<text class="{kind}" x="{x:g}" y="{y:g}" font-size="{size}" text-anchor="{anchor}">'
        f"{escape(text)}</text>"
    )


def main() -> None:
    """Write it."""
    PICTURE.write_text(picture(), encoding="utf-8")
