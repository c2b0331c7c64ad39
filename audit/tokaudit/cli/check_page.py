"""What a check says of itself, as Markdown: for `tokaudit checks ID` and for `docs/checks.md`."""

from __future__ import annotations

from tokaudit.api.checks import Check


def section(check: Check) -> str:
    """The question, why it matters, what was seen, the remedy, and files with and without fault."""
    asked = f"Asks: {_sentence(check.title)}"
    decides = f"Severity {check.severity}; evidence: {', '.join(check.basis)}"
    required = "; required for a pass" if check.required else ""
    paragraphs = [
        f"### {check.id}",
        f"{asked} {decides}; tier {check.tier}{required}.",
        _sentence(check.why),
        *([f"Seen in: {_sentence(check.incident)}"] if check.incident else []),
        f"**Remedy.** {_sentence(check.remedy)}",
        *([f"Bad:\n\n{_files(check.bad)}"] if check.bad else []),
        *([f"Good:\n\n{_files(check.good)}"] if check.good else []),
        *([_sentence(check.no_example)] if check.no_example else []),
    ]
    return "\n\n".join(paragraphs)


def _files(example: str) -> str:
    return f"```text\n{example}\n```"


def _sentence(text: str) -> str:
    """The text with one full stop at its end.

    >>> _sentence("It failed (#12)."), _sentence("it failed"), _sentence("did it?")
    ('It failed (#12).', 'it failed.', 'did it?')
    """
    return text if text.endswith((".", "?", "!")) else text + "."
