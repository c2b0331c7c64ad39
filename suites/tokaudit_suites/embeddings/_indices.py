"""Shard indices that loaders cannot read, and shards that no index names.

This is not a check.  Source: `get_checkpoint_shard_files` of transformers 4.57.6 and 5.24.0, which
reads `metadata` and opens the files that `weight_map` names, and no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tokaudit.plugin import Contents, Finding, Place, Severity, SourceFile, Subject
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_suites.shared.listed_modules import parsed

WHOLE = ("model.safetensors", "pytorch_model.bin")  # what loaders take where there is no index
SUFFIX = ".index.json"
SHARD = re.compile(r"(model|pytorch_model)-\d{5}-of-(\d{5})\.(safetensors|bin)")
BOTH = f"transformers {FOUR} and {FIVE}"


def unread_shards(subject: Subject, contents: Contents) -> Iterator[Finding]:
    """Check each folder with shards: its index, and shards missing from it."""
    files = {file.name: file for file in subject.files if not file.impostor}
    folders: dict[str, list[str]] = {}
    for name in files:
        folder, _, base = name.rpartition("/")
        folders.setdefault(f"{folder}/" if folder else "", []).append(base)
    for folder, bases in folders.items():
        shards = [base for base in bases if SHARD.fullmatch(base)]
        indices = [base for base in bases if base in {f"{each}{SUFFIX}" for each in WHOLE}]
        if shards and not indices and not {*WHOLE} & {*bases}:
            yield _without_index(folder, shards)
        for index in indices if shards else ():
            yield from _of_index(files[folder + index], contents, folder, shards)


def _without_index(folder: str, shards: list[str]) -> Finding:
    kind = SHARD.fullmatch(shards[0])
    assert kind is not None
    index = f"{folder}{kind[1]}.{kind[3]}{SUFFIX}"
    return Finding(
        Severity.ERROR,
        f"{folder}{shards[0]} is a part of the weights, but the folder lacks {index}, the index in "
        f"which loaders look up the parts: {BOTH} find no weights.",
        (Place("embeddings", folder + shards[0]),),
        cause="no index",
    )


def _of_index(
    file: SourceFile, contents: Contents, folder: str, shards: list[str]
) -> Iterator[Finding]:
    stated = parsed(contents, file, dict)
    named = stated.get("weight_map")
    if not stated or not isinstance(named, dict):
        return  # the headers say so
    if not isinstance(stated.get("metadata"), dict):
        at = "/metadata" if "metadata" in stated else ""
        yield Finding(
            Severity.ERROR,
            f"{file.name} has no object 'metadata': {BOTH} stop with a KeyError or a TypeError.",
            (Place("embeddings", file.name, at),),
            cause="no metadata",
        )
    kind = file.base.removesuffix(SUFFIX).split(".")
    counts = {str(each)[-len(kind[1]) - 6 : -len(kind[1]) - 1] for each in named.values()}
    for shard in shards:
        found = SHARD.fullmatch(shard)
        same = found is not None and [found[1], found[3]] == kind and found[2] in counts
        if (same or not named) and shard not in named.values():
            yield Finding(
                Severity.ERROR,
                f"{file.name} names {folder}{shard} for no tensor: {BOTH} do not open that shard, "
                "and fill the tensors that only that shard has at random.",
                (
                    Place("embeddings", file.name, "/weight_map"),
                    Place("embeddings", folder + shard),
                ),
                cause="shard not named",
            )
