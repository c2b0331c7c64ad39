"""The answers of both versions, side by side, in the form in which records state them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tokaudit.subject.upstream.tokenizer_class import SLOW
from tokaudit.subject.upstream.versions import ABSENT, NO_ARGUMENT

ASK = Path(__file__).with_name("ask.py")
BUILT_ON = {
    "TokenizersBackend": "tokenizers",
    "SentencePieceBackend": "sentencepiece",
    "PythonBackend": "python",
}
FOUND_ANYWAY = "tokenizer.model"  # by version 5 in any folder, whatever files a class names
NOTHING = {"", "false", ABSENT}  # what a config that states nothing is taken to say
WHOLE = "tokenizer.json"
SHARED = (WHOLE, "tokenizer_config.json")
ANSWER = '{"classes"'  # before it a library may print what it likes


@dataclass(frozen=True)
class Answers:
    """What version 4 and version 5 of transformers say, in this order."""

    both: tuple[Mapping[str, Any], Mapping[str, Any]]

    def of_class(self, name: str) -> Sequence[Mapping[str, Any]]:
        """What both versions say of a class."""
        return [each["classes"][name] for each in self.both]

    def source(self, name: str) -> str:
        """The module of the class, in the first version that has it."""
        module = next(each["module"] for each in self.of_class(name) if each)
        return str(module).replace(".", "/") + ".py"

    def files(self, name: str) -> list[str]:
        """The files that the class is made from, of the first version in which it names any."""
        lists = (own_files(each) for each in self.of_class(name) if each)
        return next(filter(None, lists), [])

    def builds(self, name: str) -> str:
        """The kind of model that version 5 builds; empty where it takes the file's."""
        return str(self.of_class(name)[1].get("builds", ""))

    def has(self, name: str) -> list[str]:
        """What each version has of the class."""
        four, five = self.of_class(name)
        base = next((b for b in five["bases"] if b in BUILT_ON), "") if five else ""
        sides = " and ".join(four["sides"]) if four else ABSENT
        if four and five and _drops_its_files(own_files(four), own_files(five)):
            return [sides, WHOLE]
        return [sides, BUILT_ON.get(base, ABSENT) if five else ABSENT]

    def tokens(self, name: str) -> dict[str, str]:
        """The token of each role, of version 4 where it has the class, if its sides agree."""
        answers = (each for each in self.of_class(name) if each)
        first: Mapping[str, Any] = next(answers, {"tokens": {}})
        found = {
            key.removesuffix("_token"): {str(each) for each in v if each != NO_ARGUMENT}
            for key, v in first["tokens"].items()
        }
        return {role: t.pop() for role, t in found.items() if len(t) == 1 and t != {"None"}}

    def tokens_by_version(self, name: str) -> dict[str, list[str]]:
        """What either version takes for a role, where they or the sides of one do not agree."""
        four, five = ({"settings": each["tokens"]} if each else {} for each in self.of_class(name))
        if not four:
            return {}
        keys = dict.fromkeys([*four["settings"], *(five or four)["settings"]])
        pairs = {key: [_stated(side, key) for side in (four, five)] for key in keys}
        return {
            key.removesuffix("_token"): pair
            for key, pair in pairs.items()
            if _disagree(*pair) or (key == "pad_token" and "" in pair)
        }

    def other_files(self, name: str) -> list[str]:
        """The files that version 5 names for a class, where they are none of its record's."""
        five = self.of_class(name)[1]
        named = own_files(five) if five else []
        return [] if named == self.files(name) else named

    def settings(self, name: str) -> dict[str, list[str]]:
        """Each key that a version of the class takes, with what either takes for it."""
        four, five = self.of_class(name)
        keys = dict.fromkeys([*four.get("settings", ()), *five.get("settings", ())])
        return {key: [_stated(side, key) for side in (four, five)] for key in keys}

    def others(self) -> set[str]:
        """The classes that a version has, and that were not asked about."""
        return {name for each in self.both for name in each["others"]}

    def keys_of(self, file: str) -> set[str]:
        """The keys of a settings file that the classes of a version have."""
        return {key for each in self.both for key in each["keys_of_files"].get(file, ())}

    def arguments(self) -> dict[str, set[str]]:
        """The classes that take an argument, in either version, by its name."""
        found: dict[str, set[str]] = {}
        for each in self.both:
            for name, said in each["classes"].items():
                for argument in said.get("arguments", ()):
                    found.setdefault(argument, set()).add(name)
        return found

    def tokenizers(self, kind: str) -> list[str]:
        """The class that either version takes for a model type where no file names one."""
        return [_one(each["tokenizers"].get(kind)) for each in self.both]

    def types(self) -> set[str]:
        """Every model type that a version names a tokenizer for, or that was asked about."""
        return {kind for each in self.both for kind in (*each["tokenizers"], *each["values"])}

    def misnamed(self, kind: str) -> bool:
        """Whether version 5 knows that published files of the type name a wrong class."""
        return kind in self.both[1]["misnamed"]

    def values(self, kind: str) -> dict[str, list[str]]:
        """Each key that a config of the type has in a version, with what either takes for it."""
        four, five = (each["values"].get(kind) for each in self.both)
        keys = sorted({*(four or ()), *(five or ())})
        pairs = {key: [_of_config(side, key) for side in (four, five)] for key in keys}
        return {key: pair for key, pair in pairs.items() if set(pair) - NOTHING}

    def ties(self, kind: str) -> list[str]:
        """The letters of either version for a model with a text part: is its head the embedding?"""
        return [each["ties"].get(kind, "") for each in self.both]

    def fields(self, kind: str) -> list[str]:
        """The letters of the types that version 5 holds the fields of a config to; other floats."""
        found: list[str] = self.both[1]["fields"].get(kind, [])
        return found

    def named(self, at: int) -> list[bool]:
        """Whether either version names the key of a settings file that was asked about there."""
        return [each["keys"][at][0] for each in self.both]

    def default(self, at: int) -> list[str]:
        """What either version takes for that key whatever the model."""
        return [_text(each["keys"][at][1]) for each in self.both]


def _disagree(four: str, five: str) -> bool:
    """Whether two versions take two tokens, or one of them none, or the sides of one take two."""
    if SLOW in four:
        return True
    return four != five != ABSENT and {four, five} != {"", NO_ARGUMENT}


def own_files(side: Mapping[str, Any]) -> list[str]:
    """The files that a class names, without those that every class shares."""
    names = (n for each in side["files"] for n in ([each] if isinstance(each, str) else each))
    return [name for name in names if name not in SHARED]


def _drops_its_files(four: Sequence[str], five: Sequence[str]) -> bool:
    """Whether version 5 reads none of the files that version 4 makes the tokenizer from."""
    return bool(four) and not five and FOUND_ANYWAY not in four


def ask(pythons: Sequence[Path], request: Mapping[str, Any]) -> Answers:
    """Put a request to the Python of each version."""
    four, five = (_answer(python, request) for python in pythons)
    return Answers((four, five))


def _answer(python: Path, request: Mapping[str, Any]) -> Mapping[str, Any]:
    run = subprocess.run(
        [python, ASK], input=json.dumps(request), capture_output=True, text=True, check=True
    )
    answer: Mapping[str, Any] = json.loads(run.stdout[run.stdout.index(ANSWER) :])
    return answer


def _stated(side: Mapping[str, Any], key: str) -> str:
    if not side:
        return ABSENT
    if key not in side["settings"]:
        return NO_ARGUMENT
    first, *others = map(_text, side["settings"][key])
    return f"{first}{SLOW}{others[0]})" if others and others[0] != first else first


def _of_config(side: Mapping[str, Any] | None, key: str) -> str:
    return ABSENT if side is None else _text(side.get(key))


def _text(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _one(named: str | Sequence[str | None] | None) -> str:
    names = [named] if isinstance(named, str) or named is None else named
    return next((name.removesuffix("Fast") for name in names if name), "")
