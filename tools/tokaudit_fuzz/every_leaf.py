"""Every leaf of settings files with a value of every type, all of them, in one process.

What is drawn at random seldom meets the one key that one check multiplies by.  Settings are few
enough to try them all: each value of each file becomes each of `VALUES`, each key that loaders know
and a file lacks is added as each of `ADDED`, and the checks that need no worker are asked about the
folder.
"""

from __future__ import annotations

import json
import math
import resource
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import tokaudit
from tokaudit.report.reading import decode_report
from tokaudit.subject.upstream.records import settings_files
from tokaudit.subject.upstream.setting_key import every_setting, taken_kinds
from tokaudit_fuzz.mutation import Path as Place
from tokaudit_fuzz.mutation import changed_at, places
from tokaudit_fuzz.running import where
from tokaudit_fuzz.sample import Files
from tokaudit_fuzz.samples import SAMPLES, built, checkpoint, speech
from tokaudit_fuzz.targets import COMPUTING, computing, refuse_crashes, refused

HUGE = 10**18
VALUES: Mapping[str, Any] = {
    "null": None,
    "true": True,
    "minus one": -1,
    "huge": HUGE,
    "fraction": 1.5,
    "not a number": math.nan,
    "empty text": "",
    "text": "a text",
    "empty list": [],
    "list": [None],
    "object": {"a": 0},
}
ADDED: tuple[str, ...] = ("null", "true", "minus one", "text", "empty text", "list", "object")
"""The values that a key gets that the file lacks; every type is the wrong one of some keys."""
OF_FACTS = ("config.json", "generation_config.json", "tokenizer_config.json")
LARGEST = 1_000_000  # bytes of a file whose leaves are tried


@dataclass(frozen=True)
class Settings:
    """A file of settings by its title, and the folder that it is tried in."""

    title: str
    name: str
    files: Files
    keys: tuple[str, ...] = ()  # that the file lacks and gets; none where its leaves are changed


@dataclass
class Tried:
    """What came of one file: how many leaves and cases, and what escaped."""

    title: str
    leaves: int = 0
    cases: int = 0
    taken: int = 0
    slowest: float = 0.0  # seconds of the processor
    escapes: dict[str, str] = field(default_factory=dict)  # where -> the first case


def of_samples() -> Iterator[Settings]:
    """The JSON files of our samples, but for reports and manifests."""
    builds: dict[str, Callable[[], Files]] = {"checkpoint": checkpoint}
    for format, several in SAMPLES.items():
        builds |= {f"{format} {n}": build for n, build in enumerate(several)}
    for title, build in builds.items():
        files = built(build)
        for name in files:
            if name.endswith(".json"):
                yield Settings(f"{title}: {name}", name, files)


def of_keys() -> Iterator[Settings]:
    """Every settings file that loaders know, in every folder, with the keys that it lacks there."""
    folders = {"checkpoint": checkpoint, "speech": speech}
    folders |= {format: several[0] for format, several in SAMPLES.items()}
    for title, build in folders.items():
        files = built(build)
        for name in settings_files():
            value = json.loads(files.get(name, b"{}"))
            keys = tuple(key for key in known_keys(name) if key not in value)
            yield Settings(f"{title} and {name}", name, files, keys)


def known_keys(name: str) -> Iterator[str]:
    """The keys of a settings file that decide something, or are facts wherever they are."""
    of_file = (each.key for each in every_setting() if each.file == name)
    yield from dict.fromkeys((*of_file, *(taken_kinds() if name in OF_FACTS else ())))


def of_material(material: Path) -> Iterator[Settings]:
    """Published settings, each in the sample's folder in place of the file of its name."""
    files = built(checkpoint)
    for path in sorted(material.glob("tokenizers*/*/*.json")):
        name = path.name
        if name in ("vocab.json", "tokenizer.json") or path.stat().st_size > LARGEST:
            continue
        title = path.relative_to(material).as_posix()
        yield Settings(title, name, {**files, name: path.read_bytes()})


def cases(value: Any) -> Iterator[tuple[Place, str, Any]]:
    """Each leaf's place with each value that it is to have: its title and the whole file."""
    for place in places(value):
        for title, new in VALUES.items():
            yield place, title, changed_at(value, place, new)


def added(value: Any, keys: Iterable[str]) -> Iterator[tuple[Place, str, Any]]:
    """Each of some keys that a settings file lacks, with each value that it is to have."""
    for key in keys:
        for title in ADDED:
            yield (key,), title, {**value, key: VALUES[title]}


def tried(settings: Settings) -> Tried:
    """Ask the checks about every case of one file."""
    found = Tried(settings.title)
    value = json.loads(settings.files.get(settings.name, b"{}"))
    found.leaves = len(settings.keys) or sum(1 for _ in places(value))
    with TemporaryDirectory(prefix="tokaudit-leaf-") as folder:
        for name, data in settings.files.items():
            (Path(folder) / name).write_bytes(data)
        every = added(value, settings.keys) if settings.keys else cases(value)
        for place, title, changed in every:
            text = json.dumps(changed)
            (Path(folder) / settings.name).write_text(text, encoding="utf-8")
            attempt(found, Path(folder), f"/{'/'.join(map(str, place))} = {title}")
    return found


def ask(folder: Path) -> None:
    """Ask every check that needs no worker, and write and read the report."""
    report = tokaudit.audit(folder, tier="quick", checks=computing())
    refuse_crashes(report)
    decode_report(report.to_json())


def attempt(found: Tried, folder: Path, case: str) -> None:
    """One case: whatever escapes is kept under where it came from."""
    started = time.process_time()
    try:
        found.taken += refused(ask, folder)
    except Exception as error:
        found.escapes.setdefault(f"{where(error)}: {error}"[:300], case)
    seconds = time.process_time() - started
    found.cases += 1
    found.slowest = max(found.slowest, seconds)
    if seconds > COMPUTING:
        found.escapes.setdefault(f"took {seconds:.0f} s", case)


def table(settings: Iterable[Settings]) -> int:
    """Try all and print a line for each file; 1 if anything escaped."""
    print(f"{'settings':52} {'leaves':>6} {'cases':>7} {'taken':>7} {'escapes':>7} {'slowest':>9}")
    all_tried = []
    for each in settings:
        found = tried(each)
        all_tried.append(found)
        print(
            f"{found.title:52} {found.leaves:6,} {found.cases:7,} {found.taken:7,} "
            f"{len(found.escapes):7} {found.slowest:7.1f} s",
            *(f"\n    {what}\n        first at {case}" for what, case in found.escapes.items()),
            flush=True,
        )
    escapes = sum(len(found.escapes) for found in all_tried)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(
        f"{len(all_tried)} files, {sum(found.cases for found in all_tried):,} cases, "
        f"{escapes} escapes, {memory / 1e6:.0f} MB at most"
    )
    return 1 if escapes else 0
