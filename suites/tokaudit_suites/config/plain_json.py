"""Values in settings files that Python reads and other JSON readers refuse."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from tokaudit.plugin import Basis, Finding, Harm, Place, Severity, Subject, check
from tokaudit_suites.config._settings_read import MOST, SettingsRead
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.wording import plural


@check(
    "config/plain-json",
    title="Settings are JSON that every reader takes",
    why="Python's JSON parser accepts NaN, Infinity, numbers of any length and half of a "
    "surrogate pair; JSON parsers in Rust, C++ and JavaScript refuse a file that contains any of "
    "these, or read another value. An engine whose JSON parser refuses a settings file runs "
    "without any settings of this file.",
    remedy="Write {pointer|the value} in {file|the file} as valid JSON, or delete the key.",
    repair=person_decides("the value does not say what was meant"),
    severity=Severity.WARNING,
    harm=Harm.CRASH,
    milder="transformers reads the file; only engines with another reader of JSON refuse it.",
    basis=Basis.INTRINSIC,
    incident="A published config.json with a bare Infinity, which readers of strict JSON refuse "
    "(ai-dynamo/dynamo #3043, huggingface/transformers #42959). RFC 8259, section 6, permits none.",
)
def plain_json(read: SettingsRead, subject: Subject) -> Iterator[Finding]:
    """Report each file once, without values of a type that no loader accepts."""
    typed = {(fact.file, fact.pointer) for fact in subject.facts if fact.expected}
    left = [each for each in read.odd if (each.file, each.pointer) not in typed]
    for file, odd in groupby(left, key=lambda each: each.file):
        first, *others = odd
        more = f", and {plural(len(others), 'value')} more" if others else ""
        yield Finding(
            Severity.WARNING,
            f"{first.pointer or 'the object'} in {file} {first.why}{more}: JSON parsers other than "
            "Python's refuse the file.",
            tuple(Place("config", file, each.pointer) for each in (first, *others)[:MOST]),
            cause="odd value",
        )
