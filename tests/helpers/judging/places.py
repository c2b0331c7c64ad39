"""Whether the places that findings name are there: the file, the pointer in it, and the line.

`untrue` looks for itself, with other readers than those that made the places.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tokaudit.engine import runner
from tokaudit.engine.check import Check
from tokaudit.engine.harms import exceeds, worst
from tokaudit.engine.needs import Base, Others
from tokaudit.engine.outcome.lines import with_lines
from tokaudit.engine.outcome.present_values import with_present_values
from tokaudit.engine.resolver import Needs
from tokaudit.report.causes.facts import spelled
from tokaudit.report.model import CheckResult, Finding, Place, Status
from tokaudit.report.wording import located
from tokaudit.subject.formats.common.protobuf import fields
from tokaudit.subject.formats.gguf.metadata import metadata
from tokaudit.subject.material import SourceFile, Subject
from tokaudit.subject.weights.torch_file import torch_tensors

ELSEWHERE = re.compile(r"(pkg|hf|tiktoken|call|cmd):")
TORCH = (".bin", ".pt", ".pth")
LINE = re.compile(r"line (\d+)")
MISSING = re.compile(r"'([^'/]+)', which is not in the folder")
PIECE = re.compile(r"pieces/(\d+)(/type)?")
SPEC = re.compile(r"(trainer|normalizer)_spec(\.\w+)?")


def hold_to_places(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at the places of whatever a check finds from now on, in audits and asked alone."""
    asked = runner._asked

    def and_looked_at(check: Check, needs: Needs, started: float) -> CheckResult:
        result = asked(check, needs, started)
        refuse_untrue(result.findings, needs)
        assert too_severe(check, result.findings) == []
        return result

    monkeypatch.setattr(runner, "_asked", and_looked_at)


def refuse_untrue(findings: Sequence[Finding], needs: Needs) -> None:
    """Fail where a finding about the subject of these needs names a place that is not there."""
    subject = needs.optional(Subject)
    if subject is None or not findings:
        return
    original = needs.get(Others).original
    own = [each for each in (original, subject) if each is not None]
    base = needs.optional(Base)
    result = CheckResult("", Status.PASSED, findings=tuple(findings))
    (placed,) = with_lines([result], own, [base.subject] if base else [])
    before, after = (
        [place.pointer for finding in each for place in finding.places]
        for each in (findings, placed.findings)
    )
    assert before == after, "a pointer leads nowhere"
    others = [base.subject] if base else []
    (shown,) = with_present_values([placed], own, others)
    assert untrue(shown.findings, own, others) == []


def too_severe(check: Check, findings: Iterable[Finding]) -> list[str]:
    """Findings above what their check declares, or above what their harm allows."""
    return [
        f"{check.id} ({each.cause}) is {each.severity}"
        for each in findings
        if exceeds(each.severity, check.severity)
        or ((harm := check.harm_of(each.cause)) and exceeds(each.severity, worst(harm)))
    ]


def untrue(
    findings: Iterable[Finding], own: Sequence[Subject], others: Sequence[Subject] = ()
) -> list[str]:
    """What is not so about the places of some findings, and about files said to be missing."""
    findings = list(findings)
    names = {f.name.rpartition("/")[2] for subject in own for f in subject.files}
    return [
        f"{finding.check} ({finding.cause}): {place.file}#{place.pointer} {wrong}"
        for finding in findings
        for place in finding.places
        for wrong in _wrong(place, own, others)
    ] + [
        f"{finding.check} ({finding.cause}): {name} is in the folder"
        for finding in findings
        for name in MISSING.findall(finding.message)
        if name in names
    ]


def _wrong(place: Place, own: Sequence[Subject], others: Sequence[Subject]) -> Iterator[str]:
    if place.implied_by and place.pointer:
        yield f"is stated and implied by {place.implied_by}"
    if not place.file:
        if place.pointer:
            yield "has a pointer and no file"
        return
    if ELSEWHERE.match(place.file):
        return
    path = _outside(others, place.file) if place.outside else _path(own, place.file)
    if path is None or not path.exists():
        yield "is in no such file"
    elif place.pointer and not _leads(path, place.pointer):
        yield "leads nowhere"
    elif place.line is not None and not _on_line(path, place):
        yield f"is not on line {place.line}"
    elif place.line is None and place.pointer[:1] == "/" and _is_json(path):
        yield "has no line"
    elif place.pointer and not place.implied_by:
        yield from _other_value(path, place)


def _other_value(path: Path, place: Place) -> Iterator[str]:
    """What is shown of a place and is not what the file holds there, or has what it lacks."""
    found = _held(path, place.pointer)
    if place.lacks is not None and found and _within(found[0], place.lacks):
        yield f"has {place.lacks!r}"
    if found is None or place.value is None or isinstance(found[0], dict | list):
        return
    now, shown = found[0], place.value
    if LINE.fullmatch(place.pointer):
        if _bare(shown) not in _bare(now):
            yield f"is {now!r} and not {shown!r}"
    elif repr(now) != repr(shown) and not (shown is bool(now) and place.pointer[0] != "/"):
        yield f"is {now!r} and not {shown!r}"


def _held(path: Path, pointer: str) -> tuple[Any] | None:
    """What a file holds at a pointer in its own form, in a tuple; None where this cannot tell."""
    data = path.read_bytes()
    if data[:4] == b"GGUF":
        key, _, place = pointer.partition("/")
        file = SourceFile(path.name, path, len(data), "gguf")
        found = metadata(file, lambda each: each == key)[key]
        return (found[int(place)],) if place else (found,)
    if pointer[:1] == "/":
        return _value(json.loads(data), pointer) if _is_json(path) else None
    if line := LINE.fullmatch(pointer):
        return (data.decode("utf-8-sig", "replace").split("\n")[int(line[1]) - 1],)
    if piece := PIECE.fullmatch(pointer):
        message = [value for number, value in fields(data, "model") if number == 1][int(piece[1])]
        assert isinstance(message, bytes)
        inner = dict(fields(message, "piece"))
        text = inner[1].decode() if isinstance(inner[1], bytes) else inner[1]
        return (inner.get(3, 1),) if piece[2] else ({"piece": text},)
    return None


def _within(value: Any, part: Any) -> bool:
    """Whether a text or number is somewhere in a value, all of them where there are several."""
    if isinstance(part, list | tuple):
        return all(_within(value, each) for each in part)
    if isinstance(value, dict):
        return any(_within(each, part) for pair in value.items() for each in pair)
    if isinstance(value, list):
        return any(_within(each, part) for each in value)
    return _bare(value) == _bare(part)


def _bare(value: Any) -> str:
    return spelled(str(value)).strip("'\"b").strip()


def _outside(others: Sequence[Subject], name: str) -> Path | None:
    files = {located(other.name, file.name): file.path for other in others for file in other.files}
    return files.get(name, Path(name))


def _path(own: Sequence[Subject], name: str) -> Path | None:
    return next((f.path for subject in own for f in subject.files if f.name == name), None)


def _is_json(path: Path) -> bool:
    return path.suffix == ".json" or path.read_bytes()[:200].lstrip()[:1] == b"{"


def _leads(path: Path, pointer: str) -> bool:
    """Whether a pointer leads to something in a file, by the form of the file."""
    data = path.read_bytes()
    if data[:4] == b"GGUF":
        key, _, place = pointer.partition("/")
        file = SourceFile(path.name, path, len(data), "gguf")
        found = metadata(file, lambda each: each == key)
        return key in found and (not place or int(place) < len(found[key]))
    if path.suffix in TORCH:
        return pointer in torch_tensors(SourceFile(path.name, path, len(data), "torch weights"))
    if path.name.endswith(".safetensors"):
        (size,) = struct.unpack("<Q", data[:8])
        return pointer in json.loads(data[8 : 8 + size])
    if _is_json(path):
        return _value(json.loads(data), pointer) is not None
    if line := LINE.fullmatch(pointer):
        return int(line[1]) <= data.count(b"\n") + 1
    return _in_model(data, pointer)


def _value(value: Any, pointer: str) -> tuple[Any] | None:
    """What a JSON pointer leads to, by itself in a tuple."""
    if pointer[:1] not in ("", "/"):
        return None
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return (value,)


def _in_model(data: bytes, pointer: str) -> bool:
    """Whether a SentencePiece model has a piece or one of its messages."""
    numbers = [number for number, _ in fields(data, "model")]
    if piece := PIECE.fullmatch(pointer):
        return int(piece[1]) < numbers.count(1)
    if pointer == "pieces":
        return 1 in numbers
    spec = SPEC.fullmatch(pointer)
    return spec is not None and {"trainer": 2, "normalizer": 3}[spec[1]] in numbers


def _on_line(path: Path, place: Place) -> bool:
    """Whether the line holds the key, where the pointer ends in one."""
    if match := LINE.fullmatch(place.pointer):
        return int(match[1]) == place.line
    data = path.read_bytes()
    line = data.decode("utf-8-sig").split("\n")[(place.line or 0) - 1]
    above, _, last = place.pointer.rpartition("/")
    key = last.replace("~1", "/").replace("~0", "~")
    found = _value(json.loads(data), above)
    if found is None or isinstance(found[0], list):
        return found is not None
    return json.dumps(key) in line or json.dumps(key, ensure_ascii=False) in line
