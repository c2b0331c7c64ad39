"""The page of the functions and types for Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import tokaudit
from tokaudit_pages.plugin import first_sentence_of
from tokaudit_tools.tables import head, row

HEAD = """\
# In Python

Each command is a function of the same name, with the command's options as keyword arguments. A
subject is named as on the command line, or is what `tokaudit.open` returns. An invalid setting
raises `tokaudit.UsageError` before any work. The examples run in the folder that `tokaudit demo`
writes."""


@dataclass(frozen=True)
class Section:
    """Names that belong together, and an example."""

    title: str
    names: Sequence[str]
    example: str


SECTIONS = (
    Section(
        "Audit",
        ("audit", "run_check", "preflight", "Mismatch", "gate", "Gate", "demo"),
        """\
>>> import tokaudit
>>> report = tokaudit.audit("models/cut", select=["embeddings"])
>>> report.ok, report.verdict.value
(False, 'fail')
>>> report.causes[0].finding.check
'embeddings/config-vocab-size'
>>> tokaudit.run_check("vocab/holes", "models/checkpoint").status.value
'passed'
""",
    ),
    Section(
        "Reports",
        (
            *("Report", "render", "Verdict", "Cause", "Finding", "Severity", "Evidence", "Place"),
            *("CheckResult", "Status", "Basis", "Measurement", "Suppressed"),
        ),
        """\
>>> for finding in report.errors[:1]:
...     print(finding.severity, finding.check, finding.places[0].file)
error embeddings/config-vocab-size tokenizer.json
>>> report.save("report.html")  # the suffix chooses the format
>>> report.to_dict()["verdict"]
'fail'
""",
    ),
    Section(
        "Repairs",
        ("fix", "Fixed", "Repair", "Change", "ChangeKind", "Alternative", "Decider"),
        """\
>>> tokaudit.fix("models/checkpoint", select=["embeddings"]).patch
''
""",
    ),
    Section(
        "Comparisons",
        ("compare", "recheck", "Comparison", "Facet", "Outcome", "Relation"),
        """\
>>> compared = tokaudit.compare("models/checkpoint", "models/finetuned", tier="quick")
>>> compared.ok
False
""",
    ),
    Section(
        "Identity and releases",
        ("identify", "manifest", "verify", "Drift", "Drifts"),
        """\
>>> stated = tokaudit.manifest("models/checkpoint")
>>> tokaudit.verify("models/checkpoint", stated).ok
True
>>> tokaudit.identify("models/checkpoint") == tokaudit.identify("models/cut")
True
""",
    ),
    Section(
        "One tokenizer",
        ("open", "Opened", "trace"),
        """\
>>> with tokaudit.open("models/checkpoint") as opened:
...     opened.spec.model_type.value, opened.reference.encode(["the end"])[0].ids
('bpe', (83, 281, 453, 67))
""",
    ),
    Section(
        "Chats",
        ("chat", "hold_chats", "HeldChats"),
        """\
>>> chats = tokaudit.chat("models/checkpoint")  # conversations="FILE" renders yours
>>> chats[2]
<Transcript reasoning: 27 tokens>
""",
    ),
    Section("Token ids on disk", ("data", "who_wrote", "Writers", "expect_data"), ""),
    Section("Engines", ("compare_runtimes", "vectors", "replay"), ""),
    Section("Training", ("train", "train_sizes", "retrain", "reproduce"), ""),
    Section(
        "Checks of your own, and errors",
        (
            *("Check", "check", "Skip", "NotApplicable", "UpstreamTrouble"),
            *("TokauditError", "UsageError", "UnreadableError"),
        ),
        """\
>>> try:
...     tokaudit.audit("models/checkpoint", select=["vocab/hole"])
... except tokaudit.UsageError as error:
...     print(str(error).partition(";")[0])
select 'vocab/hole': is neither a check nor a suite
""",
    ),
)


def page() -> str:
    """Markdown: a section for each purpose, with an example and a row for each name."""
    return "\n\n".join([HEAD, *map(_section, SECTIONS)]) + "\n"


def _section(section: Section) -> str:
    block = ["```python", section.example, "```", ""] if section.example else []
    return "\n".join([f"## {section.title}", "", *block, *_rows(section.names)])


def _rows(names: Sequence[str]) -> Iterator[str]:
    yield head("name", "what it is")
    for name in names:
        yield row(f"`{name}`", first_sentence_of(getattr(tokaudit, name)))
