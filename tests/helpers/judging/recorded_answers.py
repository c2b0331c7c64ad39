"""What transformers said of what is written by hand of it, recorded, and what the records say.

`make classes` asks both versions and writes the files anew; a change in them is a diff to be read.
What is drawn is in the records alone (`drawn_records`).
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from class_folders import of_class

from tokaudit.subject.upstream.pipeline import Stages, family, in_five, of_files
from tokaudit.subject.upstream.records import settings_files
from tokaudit.subject.upstream.setting_key import LISTED, SettingKey, every_setting, listed_keys
from tokaudit.subject.upstream.tokenizer_class import TokenizerClass, class_named, every_class
from tokaudit.subject.upstream.versions import (
    ABSENT,
    FIVE,
    FOUR,
    PEFT,
    SENTENCE_TRANSFORMERS,
    VERSIONS,
)
from tokaudit_reference.spec import Component
from tokaudit_upstream.answers import Answers, ask
from tokaudit_upstream.asked import request

Said = Mapping[str, Any]
HERE = Path(__file__).parents[2] / "audit" / "subject" / "recorded"
WHEELS = Path(sys.prefix) / "settings-wheels" / "unpacked"
OTHERS = {"peft": (PEFT,), "sentence-transformers": (SENTENCE_TRANSFORMERS,)}
GENERATION = {FOUR: "version 4", FIVE: "version 5"}
"""How an answer names a version, so that a newer one changes no other answer."""
BUILT = ("normalizer", "pre_tokenizer")
NOTHING, NAMED = "nothing", "named by a version"
LIBRARY = "transformers"
ANY_KEY = "added_tokens.json"  # its keys are texts of tokens, so that its name is what is asked for
ANY_MODEL = ("config.json", "generation_config.json")  # one class reads them, so a default is one
WITH_ADDED = ("CLIPTokenizer",)
"""Version 5 writes its added tokens into the pattern, version 4 leaves them to the library."""
ASK_BUILT = """
import json, sys, warnings
warnings.filterwarnings("ignore")
import transformers
found = {}
for name, folder in json.load(sys.stdin).items():
    kind = getattr(transformers, name + "Fast", None) or getattr(transformers, name, None)
    try:
        stages = json.loads(kind.from_pretrained(folder).backend_tokenizer.to_str())
        found[name] = {key: stages[key] for key in ("normalizer", "pre_tokenizer")}
    except Exception:
        continue
print("\\x1e" + json.dumps(found))
"""


def python_of(version: str) -> Path:
    """The interpreter of the environment that `make classes` builds."""
    return Path(sys.prefix) / f"transformers-{version}" / "bin" / "python"


@cache
def recorded(kind: str) -> Mapping[str, Said]:
    """The recorded answers by name: `classes` or `settings`."""
    found: Mapping[str, Said] = json.loads((HERE / f"{kind}.json").read_text("utf-8"))
    return found


def write(kind: str, answers: Mapping[str, Said]) -> None:
    """A line for each answer, so that a diff shows what changed."""
    named = (f"{json.dumps(name)}: {_lines(said)}" for name, said in answers.items())
    HERE.mkdir(exist_ok=True)
    (HERE / f"{kind}.json").write_text("{\n" + ",\n".join(named) + "\n}\n", "utf-8")


def _lines(said: Said) -> str:
    each = (f"  {json.dumps(k)}: {json.dumps(v, sort_keys=True)}" for k, v in sorted(said.items()))
    return "{\n" + ",\n".join(each) + "\n}" if said else "{}"


def _of_library() -> list[SettingKey]:
    return [key for key in every_setting() if library_of(key) == LIBRARY]


def _listed() -> list[tuple[str, str]]:
    return [(file, key) for file in settings_files() for key in listed_keys(file)]


@cache
def library() -> Answers:
    """What both versions say when they are asked about all that has a record."""
    keys = [[key.file, _word(key)] for key in _of_library()] + [*map(list, _listed())]
    return ask([python_of(FOUR), python_of(FIVE)], {**request(), "keys": keys})


def asked_of_library(root: Path) -> tuple[dict[str, Said], dict[str, Said]]:
    """The answers of both versions: the stages that classes build, and every key of settings."""
    classes, answers = every_class(), library()
    others = [key for key in every_setting() if library_of(key) != LIBRARY]
    folders = {name: str(of_class(known, root / name)) for name, known in classes.items()}
    built = {version: _built(version, folders) for version in (FOUR, FIVE)}
    return (
        {n: stages for n, known in classes.items() if (stages := dict(_of_class(n, known, built)))},
        {name_of(key): dict(_of_key(key.file, at, answers)) for at, key in enumerate(_of_library())}
        | {name_of(key): {"named": _named_by(library_of(key), key.key)} for key in others}
        | _of_listed(answers),
    )


def _named_by(package: str, key: str) -> list[bool]:
    """Whether a package names a key; nothing is asked of a repository that was read at a commit."""
    return [key in words_of(package)] if package in OTHERS else []


@cache
def words_of(package: str) -> frozenset[str]:
    """The names and words in the modules of a package, whose wheel `make classes` unpacks."""
    modules = (WHEELS / package.replace("-", "_")).rglob("*.py")
    return frozenset().union(*(re.findall(r"\w+", each.read_text("utf-8")) for each in modules))


def _built(version: str, folders: Mapping[str, str]) -> Mapping[str, Said]:
    run = subprocess.run(
        [python_of(version), "-c", ASK_BUILT],
        input=json.dumps(folders),
        capture_output=True,
        text=True,
        check=True,
    )
    found: Mapping[str, Said] = json.loads(run.stdout.split("\x1e")[1])
    return found


def _of_class(
    name: str, known: TokenizerClass, built: Mapping[str, Mapping[str, Said]]
) -> Iterator[tuple[str, Any]]:
    for version in _stages(known):
        theirs = built[version].get(name)
        if theirs is not None and not (version == FOUR and name in WITH_ADDED):
            yield from (
                (f"{stage} of {GENERATION[version]}", theirs[stage])
                for stage in BUILT
                if not _is_charsmap(theirs[stage])
            )


def _is_charsmap(stage: Said | None) -> bool:
    return "precompiled_charsmap" in json.dumps(stage)


def _of_key(file: str, at: int, answers: Answers) -> Iterator[tuple[str, Any]]:
    yield "named", answers.named(at)
    if file in ANY_MODEL:
        yield "default", answers.default(at)


def _of_listed(answers: Answers) -> dict[str, Said]:
    """Which versions name each key that has no section, by the list that it is in."""
    found: dict[str, dict[str, Any]] = {}
    for at, (file, key) in enumerate(_listed(), len(_of_library())):
        found.setdefault(list_of(file), {})[key] = answers.named(at)
    return dict(found)


def list_of(file: str) -> str:
    """The list of a file's other keys, as the recorded answers name it."""
    return f"{file}: {LISTED}"


def library_of(key: SettingKey) -> str:
    """The package that reads a key, as its record says."""
    return key.source.split()[0]


def _word(key: SettingKey) -> str:
    return ANY_KEY.partition(".")[0] if key.file == ANY_KEY else key.key


def name_of(key: SettingKey) -> str:
    """A key as the recorded answers name it."""
    return f"{key.file}: {key.key}"


def said_of_class(name: str) -> Said:
    """The stages that our records say a class builds, in the words of the recorded answers."""
    known = class_named(name)
    return {
        f"{stage} of {GENERATION[version]}": getattr(stages, stage)
        for version, stages in (_stages(known).items() if known else ())
        for stage in BUILT
    }


def said_of_setting(name: str) -> Said:
    """What our records say of a key: which versions name it, and what they take by default.

    Of the list of a file's other keys they say that a version names each.
    """
    file, _, of_file = name.partition(": ")
    if of_file == LISTED:
        return dict.fromkeys(listed_keys(file), NAMED)
    key = next((key for key in every_setting() if name_of(key) == name), None)
    if key is None:
        return {}
    asked = VERSIONS if library_of(key) == LIBRARY else OTHERS.get(library_of(key), ())
    named = [key.source.find(version.rpartition(" ")[2]) >= 0 for version in asked]
    return {"named": named, "default": _default(key)}


def _default(key: SettingKey) -> list[str | None]:
    """A default as the library would say it; None where it is that of a class."""
    clauses = [clause.strip() for clause in key.default.split(";")]
    by_version = dict(clause.split(": ") for clause in clauses if clause[1:2] == ":")
    said = [by_version.get(version, clauses[0]) for version in ("4", "5")]
    return [
        None if each.startswith("by ") else "" if each.startswith("none") else each for each in said
    ]


SAID = {"classes": said_of_class, "settings": said_of_setting}


def _stages(known: TokenizerClass) -> Mapping[str, Stages]:
    """What a class builds where nothing is stated, by version."""
    own, found = known.pipelines, {}
    try:
        if own.of_files and known.four != ABSENT:
            found[FOUR] = of_files(family(own.of_files), known, _nothing)
        if own.in_five:
            found[FIVE] = in_five(family(own.in_five), known, _nothing)
    except FileNotFoundError:
        pass  # a family without a record says nothing
    return found


def _nothing(key: str) -> None:
    """No file states a setting."""


def lost(kind: str, names: Iterable[str] | None = None) -> list[str]:
    """Each recorded answer that the records do not give: whose, which, theirs and ours."""
    of_all, said = recorded(kind), SAID[kind]
    found: list[str] = []
    for name in of_all if names is None else names:
        ours = said(name)
        found += [
            f"{name}: {answer} is {theirs!r} in the library, and {ours.get(answer)!r} here"
            for answer, theirs in of_all[name].items()
            if not _same(answer, theirs, ours.get(answer, NOTHING))
        ]
    return found


def _same(answer: str, theirs: Any, ours: Any) -> bool:
    if ours == NAMED:
        return any(theirs)
    stage = answer.partition(" of ")[0]
    if stage in BUILT and ours != NOTHING:
        return Component(theirs).at(stage).steps == Component(ours).at(stage).steps
    if answer in ("named", "default") and ours != NOTHING:  # a source is one that was read
        silent = False if answer == "named" else None
        return all(own in (silent, said) for own, said in zip(ours, theirs, strict=True))
    return bool(theirs == ours)
