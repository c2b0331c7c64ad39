"""Misspelled file names that loaders do not find."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from tokaudit.plugin import Basis, Finding, Harm, Place, Severity, Subject, check
from tokaudit.subject.sniff import NAMED
from tokaudit.subject.upstream.versions import BOTH
from tokaudit_suites.shared.near_names import nearest_key
from tokaudit_suites.shared.repairs import person_decides

CONFIG, TOKENIZER = "config.json", "tokenizer_config.json"
OF_TOKENIZERS = ("tokenizer.json", "tokenizer.model", "vocab.json", "vocab.txt", "merges.txt")
READ = (*NAMED, *OF_TOKENIZERS)
OF_THE_MODEL = tuple(
    f"{weights}{index}"
    for weights in ("model.safetensors", "pytorch_model.bin")
    for index in ("", ".index.json")
)
WEIGHT_SUFFIXES = (".safetensors", ".bin")
OTHER_MODELS = ("adapter_config.json", "modules.json", "params.json", "model_index.json")
# A second file of a name, as browsers and desktops call it; a suffix that an editor adds.
COPY = re.compile(r"( ?\(\d+\)| copy|[-_.]copy)(?=\.)")
MORE = re.compile(r"(\.json|\.txt|\.jinja)(\.txt|2)$")


@check(
    "files/names",
    title="Files have the names that loaders read",
    why="Loaders look for each file under one exact name. If a file has another spelling, capital "
    "letters or a number that a browser added, loaders read nothing from it and use their "
    "defaults, without an error. Without config.json, no loader builds the model.",
    remedy="Rename {file|the file} to the name that loaders read.",
    repair=person_decides("a file may be kept under another name on purpose"),
    severity=Severity.WARNING,
    harm=Harm.OTHER_PROMPT,
    harms={"no config": Harm.CRASH},
    milder="a file may be kept under another name on purpose.",
    basis=Basis.INTRINSIC,
    incident="transformers takes generation_config.json by this name alone, and generates by its "
    "defaults where it is missing (huggingface/transformers, generation/utils.py).",
)
def names(subject: Subject) -> Iterator[Finding]:
    """Look for near misses of names that loaders read, next to files that they do read."""
    pointers = any(file.impostor for file in subject.files if file.base.endswith(WEIGHT_SUFFIXES))
    folders: dict[str, set[str]] = {}
    for file in subject.files:
        folder, _, base = file.name.rpartition("/")
        folders.setdefault(folder, set()).add(base)
    for folder, here in folders.items():
        if here.isdisjoint(READ):
            continue
        near = {base: meant for base in sorted(here) if (meant := _meant(base, here))}
        for base, meant in near.items():
            name = f"{folder}/{base}".lstrip("/")
            yield Finding(
                Severity.WARNING,
                f"{name} is not read: loaders look for {meant}, which the folder lacks.",
                (Place("settings", name),),
                remedy=f"Rename {name} to {meant}.",
                cause=meant,
            )
        if not folder and CONFIG not in near.values() and _lacks_config(here) and not pointers:
            weights = next(each for each in OF_THE_MODEL if each in here)
            yield Finding(
                Severity.WARNING,
                f"{weights} is here, but no {CONFIG}: {BOTH} do not load the model.",
                (Place("weights", weights),),
                remedy=f"Add the {CONFIG} of the model that the weights belong to.",
                cause="no config",
            )


def _meant(base: str, here: Collection[str]) -> str | None:
    """Return the name that this one misspells; None if the real file exists as well.

    >>> _meant("Config.json", ()), _meant("chat-template.jinja2", ()), _meant("config (1).json", ())
    ('config.json', 'chat_template.jinja', 'config.json')
    >>> _meant("generation_confg.json", ()), _meant("README.md", ())
    ('generation_config.json', None)
    >>> _meant("Config.json", ("config.json",))
    """
    if base in READ:
        return None
    plain = MORE.sub(r"\1", COPY.sub("", base.lower())).replace("-", "_").replace(" ", "_")
    meant = plain if plain in READ else nearest_key(plain, READ)
    return None if meant in here else meant


def _lacks_config(here: Collection[str]) -> bool:
    """Return whether a folder has tokenizer and weights of transformers but no config."""
    known = {*NAMED} - {CONFIG}
    others = (each for each in here if "config" in each.lower() and each not in known)
    return (
        TOKENIZER in here
        and not {*here}.isdisjoint(OF_THE_MODEL)
        and {*here}.isdisjoint(OTHER_MODELS)
        and not any(others)
    )
