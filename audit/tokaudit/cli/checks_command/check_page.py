"""The page of a check as Markdown: for `tokaudit checks ID` and for the site."""

from __future__ import annotations

from tokaudit.cli.checks_command.folded import folded
from tokaudit.products.audit.checks import BAD, GOOD, Check, ExampleFile, example

# What ends a line in some reader, shown as Python writes it.
ESCAPED = {ord(end): repr(end)[1:-1] for end in "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"}


def section(check: Check) -> str:
    """The healthy fact, why it matters, what was seen, the remedy, and an example of each."""
    asked = f"Passes when: {_sentence(check.title)}"
    harm = f"; harm: {check.harm}" if check.harm else ""
    decides = f"Severity {check.severity}{harm}; evidence: {', '.join(check.basis)}"
    required = "; required for a pass" if check.required else ""
    shown = [(kind, example(check, kind)) for kind in (BAD, GOOD)]
    paragraphs = [
        f"### {check.id}",
        f"{asked} {decides}; tier {check.tier}{required}.",
        _sentence(check.why),
        *([f"Milder than its harm: {_sentence(check.milder)}"] if check.milder else []),
        *([f"Seen in: {_sentence(check.incident)}"] if check.incident else []),
        f"**Remedy.** {_sentence(check.remedy)}",
        *(f"{kind.capitalize()}:\n\n{_block(found)}" for kind, found in shown if found),
        *([_sentence(check.no_example)] if check.no_example else []),
    ]
    return "\n\n".join(paragraphs)


def _block(found: tuple[ExampleFile, ...]) -> str:
    return f"```text\n{chr(10).join(map(_file, found))}\n```"


def _file(file: ExampleFile) -> str:
    """The name of a file and its text: in one line, or in lines of their own below the name."""
    text = folded(file.data.decode("utf-8", "replace").translate(ESCAPED))
    lines = text.removesuffix("\n").split("\n")
    return f"{file.name}: {lines[0]}" if len(lines) == 1 else "\n  ".join([f"{file.name}:", *lines])


def _sentence(text: str) -> str:
    """The text with one full stop at its end.

    >>> _sentence("It failed (#12)."), _sentence("it failed"), _sentence("did it?")
    ('It failed (#12).', 'it failed.', 'did it?')
    """
    return text if text.endswith((".", "?", "!")) else text + "."
