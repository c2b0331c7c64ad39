"""Folders that are not tokenizers: what they are, what is missing, what to do."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.safe_json import parse_object

Recognise = Callable[[Sequence[SourceFile]], str]
LONGEST_NAME = 120  # characters of what a file says
FIRST_BYTES = 4_096
VERSION_LINE = b"#version:"
END_OF_WORD = b"</w>"
ARCHIVES = (b"PK\x03\x04", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"7z\xbc\xaf")
CLIPS_MERGES = "bpe_simple_vocab_"
TORCH_SUFFIXES = (".bin", ".pt", ".pth")  # archives and pickles by nature
EXPORTED = (".onnx", ".tflite", ".mlmodel", ".mlpackage", "saved_model.pb", "openvino_model.xml")
OF_DATA_SETS = ("dataset_infos.json", "dataset_info.json", "dataset_dict.json")
DATA = (".parquet", ".jsonl", ".arrow", ".csv", ".tsv", ".jsonl.gz", ".jsonl.zst", ".npy")


def what_it_is(subject: Subject) -> str:
    """Describe a folder without a tokenizer, as the end of a sentence; empty if unknown.

    >>> from pathlib import Path
    >>> what_it_is(Subject("empty", Path(), (), (), {}))
    ''
    """
    return next((said for known in KNOWN if (said := known(subject.files))), "")


def _adapter(files: Sequence[SourceFile]) -> str:
    file = _named(files, "adapter_config.json")
    if file is None:
        return ""
    base = str(_json(file).get("base_model_name_or_path") or "")[:LONGEST_NAME]
    whose = f"that of {base}" if base else "its base model's"
    return (
        f"is an adapter without a tokenizer; loaders take {whose}. Audit that folder, or put the "
        "tokenizer's files here"
    )


def _merges_alone(files: Sequence[SourceFile]) -> str:
    file = next((file for file in files if _first(file).startswith(VERSION_LINE)), None)
    if file is None:
        return ""
    if END_OF_WORD in _first(file):
        return (
            f"has merges of subword-nmt in {file.name}, and no ids: those are in the model's "
            "dictionary. Convert both to a tokenizer.json, and audit that"
        )
    return (
        f"has merges in {file.name}, and no vocabulary, so no token has an id. Put the vocab.json "
        "of the same tokenizer here"
    )


def _clips_merges(files: Sequence[SourceFile]) -> str:
    file = next((each for each in files if each.base.startswith(CLIPS_MERGES)), None)
    if file is None:
        return ""
    return (
        f"has the merges of CLIP ({file.name}), from which its own code makes ids. Audit the "
        "tokenizer.json, or the vocab.json and merges.txt, of the CLIP model that uses it"
    )


def _pipeline(files: Sequence[SourceFile]) -> str:
    file = _named(files, "meta.json")
    stated = {} if file is None else _json(file)
    if not {"lang", "pipeline"} <= stated.keys():
        return ""
    return (
        "is a pipeline of spaCy, which cuts text into words by rules and has no token ids. Audit "
        "the folder of the transformer that it uses, if there is one"
    )


def _archive(files: Sequence[SourceFile]) -> str:
    file = next((file for file in files if _is_archive(file)), None)
    if file is None or file.name.endswith(TORCH_SUFFIXES):
        return ""
    return f"holds an archive, {file.name}. Unpack it, and audit the folder that comes out"


def _is_archive(file: SourceFile) -> bool:
    return _first(file).startswith(ARCHIVES) or file.name.endswith(".tar")


def _pickled(files: Sequence[SourceFile]) -> str:
    file = next((each for each in files if each.impostor.startswith("a pickle")), None)
    if file is None or file.name.endswith(TORCH_SUFFIXES):
        return ""
    return (
        f"holds a pickle, {file.name}, which runs code when it is loaded and is never read. Save "
        "the tokenizer in a format of its own, such as tokenizer.json, and audit that"
    )


def _weights_alone(files: Sequence[SourceFile]) -> str:
    file = next((file for file in files if "weights" in file.role), None)
    file = file or next((each for each in files if each.name.endswith(EXPORTED)), None)
    if file is None:
        return ""
    exported = file.name.endswith(EXPORTED)
    return (
        f"is {'an exported model' if exported else 'a model'} ({file.name}) without a tokenizer. "
        "Put the tokenizer.json of the model that it was made from here, or audit that folder"
    )


def _data_set(files: Sequence[SourceFile]) -> str:
    file = next((file for file in files if file.base in OF_DATA_SETS), None)
    file = file or next((each for each in files if each.name.endswith(DATA)), None)
    if file is None:
        return ""
    return (
        f"is a data set ({file.name}), not a tokenizer. Audit the tokenizer's folder; check ids on "
        "disk with tokaudit data, conversations with tokaudit chat DIR --conversations FILE --check"
    )


def _model_without_files(files: Sequence[SourceFile]) -> str:
    named = (_named(files, base) for base in ("config.json", "tokenizer_config.json"))
    file = next((each for each in named if each is not None), None)
    if file is None:
        return ""
    return (
        f"has {file.name} and no file of a tokenizer. Put the tokenizer.json, or the vocabulary "
        "files of its class, here"
    )


KNOWN: tuple[Recognise, ...] = (
    *(_clips_merges, _merges_alone, _adapter, _pipeline, _archive, _pickled),
    *(_weights_alone, _data_set, _model_without_files),
)


def _named(files: Sequence[SourceFile], base: str) -> SourceFile | None:
    return next((file for file in files if file.base == base and file.regular), None)


def _json(file: SourceFile) -> dict[str, Any]:
    try:
        return parse_object(read_bytes(file), file.name)
    except (UnreadableError, json.JSONDecodeError):
        return {}


def _first(file: SourceFile) -> bytes:
    return file.content.head(FIRST_BYTES) if file.regular else b""
