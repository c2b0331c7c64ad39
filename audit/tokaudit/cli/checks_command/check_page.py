"""The page of a check as Markdown, for `tokaudit checks ID` and for the site."""

from __future__ import annotations

import json
import re

from tokaudit.products.audit.checks import BAD, GOOD, Check, ExampleFile, example

STRING = r'"(?:[^"\\]|\\.)*"'
ENTRY = re.compile(rf"\[{STRING}(?:, {STRING})*\]|{STRING}(?:: \d+)?")
ENTRIES = re.compile(rf"(?:(?:{ENTRY.pattern}), ){{3,}}(?:{ENTRY.pattern})")
PART = re.compile(r"0x[0-9A-F]{2}|\d+|.", re.DOTALL)
FEWEST = 4  # entries in a row of which the middle is left out


# What ends a line in some reader, shown as Python writes it.
ESCAPED = {ord(end): repr(end)[1:-1] for end in "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"}


def section(check: Check) -> str:
    """Format the healthy fact, why it matters, the remedy, and an example of each."""
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
    """Format a file's name and text, on one line or several."""
    text = folded(file.data.decode("utf-8", "replace").translate(ESCAPED))
    lines = text.removesuffix("\n").split("\n")
    return f"{file.name}: {lines[0]}" if len(lines) == 1 else "\n  ".join([f"{file.name}:", *lines])


def _sentence(text: str) -> str:
    """Return the text with one full stop at its end.

    >>> _sentence("It failed (#12)."), _sentence("it failed"), _sentence("did it?")
    ('It failed (#12).', 'it failed.', 'did it?')
    """
    return text if text.endswith((".", "?", "!")) else text + "."


def folded(text: str) -> str:
    """Fold numbered JSON entries between the first and the last.

    >>> folded('{"a": 0, "b": 1, "c": 2, "d": 3, "x": 9}')
    '{"a": 0, ..., "d": 3, "x": 9}'
    """
    return ENTRIES.sub(lambda found: ", ".join(_runs(ENTRY.findall(found[0]))), text)


def _runs(entries: list[str]) -> list[str]:
    shown: list[str] = []
    run: list[str] = []
    for entry in entries:
        if run and not _follows(run[-1], entry):
            shown += _run(run)
            run = []
        run.append(entry)
    return shown + _run(run)


def _run(entries: list[str]) -> list[str]:
    return entries if len(entries) < FEWEST else [entries[0], "...", entries[-1]]


def _follows(one: str, next_one: str) -> bool:
    """Return whether an entry continues another: each part is equal or one higher.

    >>> _follows('"a9": 9', '"b10": 10'), _follows('"<0x0F>"', '"<0x10>"'), _follows('"a"', '"c"')
    (True, True, False)
    """
    before, after = (PART.findall("\0".join(_plain(entry))) for entry in (one, next_one))
    steps = {_step(*parts) for parts in zip(before, after, strict=False)}
    return len(before) == len(after) and 1 in steps and steps <= {0, 1}


def _plain(entry: str) -> list[str]:
    """Return the strings and the number of an entry."""
    found: list[str] = [json.loads(string) for string in re.findall(STRING, entry)]
    return [*found, re.sub(STRING, "", entry)]


def _step(before: str, after: str) -> int:
    if before.startswith("0x") and after.startswith("0x"):
        return int(after, 16) - int(before, 16)
    if before.isdecimal() and after.isdecimal():
        return int(after) - int(before)
    return ord(after) - ord(before) if len(before) == len(after) == 1 else int(before != after) * 2
