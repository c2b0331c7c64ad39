"""Detect the kind of a file from its name and its first bytes, which may disagree."""

from __future__ import annotations

import re

from tokaudit.subject.formats import all_formats
from tokaudit.subject.formats.tiktoken_ranks import LINE as RANK_LINE
from tokaudit.subject.upstream.engine_files import engine_files

CONFIGS = (
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "config.json",
    "generation_config.json",
    "processor_config.json",
    "sentence_bert_config.json",
)
TEMPLATES = ("chat_template.jinja", "chat_template.json")
OTHERS = (  # what checks read by its name without there being a fact in it
    "adapter_config.json",
    "config_sentence_transformers.json",
    "modules.json",
    "preprocessor_config.json",
    "video_preprocessor_config.json",
)
INDEX, WEIGHTS = "model.safetensors.index.json", "model.safetensors"
NAMED = (*CONFIGS, *TEMPLATES, *OTHERS, INDEX, WEIGHTS)
"""Every name of a file that is read without being a tokenizer's own."""
ZIP = b"PK\x03\x04"
GIT_LFS = "a git-lfs pointer, not the file; run git lfs pull"
TEXT_IMPOSTORS = {  # in lower case: HTML may be written in either
    b"version https://git-lfs": GIT_LFS,
    b"<!doctype html": "an HTML page, not the file; the download failed",
    b"<html": "an HTML page, not the file; the download failed",
}
BINARY_IMPOSTORS = {
    b"\x1f\x8b": "gzip; unpack it first",
    ZIP: "a zip archive; unpack it first",
    b"\x80\x04": "a pickle; never read",
    b"\x80\x05": "a pickle; never read",
    b"\x80\x02": "a pickle; never read",
}
UNDER_ANOTHER_NAME = {  # what is read by another name, or never, under the name of a tokenizer
    b"GGUF": "a GGUF file under the name of another format",
    b"PAR1": "a Parquet file, which holds data and no tokenizer",
    b"\x89HDF": "an HDF5 file, which holds weights or data and no tokenizer",
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
    b"SQLite format 3": "a database of SQLite",
    b"BZh": "bzip2; unpack it first",
    b"\xfd7zXZ": "xz; unpack it first",
    b"\x28\xb5\x2f\xfd": "zstd; unpack it first",
    b"7z\xbc\xaf": "a 7z archive; unpack it first",
    b"\x7fELF": "a program",
}
PLAIN_TEXT = "plain text, not a SentencePiece model; the model that goes with it is elsewhere"
PIECES = (".model", ".spm")
OF_TEXT = (b"minbpe", b"{")
JSON_BEGINS = (b'{"', b"{\n", b"{\r\n")  # a list of merges may begin with "{ "
NEVER_JSON = (".model", ".tiktoken", ".gguf", "merges.txt", "vocab.txt", "vocab.bpe", "bpe.codes")
LEGACY_TORCH = bytes.fromhex("80028a0a6cfc9c46f9206aa850192e80")  # a pickled number, and the next
PICKLE = b"\x80"
METADATA = ".metadata"  # of a distributed checkpoint
TORCH_SUFFIXES = (".bin", ".pt", ".pth")
TORCH, ONNX, UNREAD_WEIGHTS = "torch weights", "ONNX weights", "weights (not read)"
DISTRIBUTED, PARTS = "distributed checkpoint of torch", "parts of a distributed checkpoint"
INDEX_OF_WEIGHTS, INDEX_OF_TORCH = "index of weights", "index of torch weights"
TRAINING_STATE = re.compile(
    r"(^|/)(training_args|optimizer|scheduler|scaler|rng_state|random_states|optim_states|mp_rank)"
)
UNREAD = {
    ".h5": UNREAD_WEIGHTS,
    ".msgpack": UNREAD_WEIGHTS,
    ".onnx": ONNX,
    ".distcp": PARTS,
    ".vocab": "a listing for people; loaders read the .model next to it",
}


def role_of(name: str, head: bytes) -> str:
    """Return a format's name, `config`, `settings`, `template`, `weights`, or why it is unread."""
    base = name.rsplit("/", 1)[-1]
    suffix = base[base.rfind(".") :].lower() if "." in base else ""
    impostor = impostor_of(name, head)
    # Believe the bytes, not the name: a loader reads the bytes.
    if impostor:
        return impostor
    # Ask more than the suffix: `.bin` and `.pt` are used for many things.
    if suffix in TORCH_SUFFIXES and (of_torch := _of_torch(name, head)):
        return of_torch
    if base.endswith(".safetensors"):
        return "weights"
    if base == METADATA and head.startswith(PICKLE):
        return DISTRIBUTED
    if suffix in UNREAD:
        return UNREAD[suffix]
    if base in TEMPLATES or (suffix == ".jinja" and "additional_chat_templates/" in name):
        return "template"
    if base in CONFIGS or name.endswith("1_Pooling/config.json"):
        return "config"
    if base in OTHERS or base in engine_files():
        return "settings"
    if base.endswith(".safetensors.index.json"):
        return INDEX_OF_WEIGHTS
    if base.endswith(".bin.index.json"):
        return INDEX_OF_TORCH
    # Name an empty file before formats are asked: none would recognise it.
    if not head and base.endswith((".json", ".model", ".txt", ".tiktoken", ".gguf")):
        return "an empty file"
    recognised = (f.name for f in all_formats() if f.recognise(name, head))
    return next(recognised, "unread")


def _of_torch(name: str, head: bytes) -> str:
    """Return weights by torch's first bytes or a library's file name; empty for others."""
    base = name.rpartition("/")[2]
    if TRAINING_STATE.search(name):
        return "a trainer's state (not read)"
    if head.startswith((ZIP, LEGACY_TORCH)) or base.startswith(("pytorch_model", "consolidated.")):
        return TORCH
    return UNREAD_WEIGHTS if base.startswith("model") else ""


def is_weights(role: str) -> bool:
    """Return whether a file of this role holds weights, read or not.

    >>> is_weights("weights"), is_weights("torch weights"), is_weights("config")
    (True, True, False)
    """
    return role in ("weights", TORCH, DISTRIBUTED, PARTS, ONNX, UNREAD_WEIGHTS)


def impostor_of(name: str, head: bytes) -> str:
    """Name the actual kind of a misnamed file; empty if the name may be right.

    >>> impostor_of("tokenizer.json", b"PK\x03\x04")
    'a zip archive; unpack it first'
    >>> impostor_of("tokenizer.model", b'{"version": "1.0"}')
    'JSON under the name of another format'

    A safetensors file begins with a length, which may be any bytes, but not those of a text: as a
    length they would be larger than any disk.
    """
    known = name.endswith((".safetensors", ".distcp", METADATA, *TORCH_SUFFIXES))
    binary = {} if known else BINARY_IMPOSTORS
    small = head[:64].lower()
    found = [what for start, what in binary.items() if head.startswith(start)]
    found += [what for start, what in TEXT_IMPOSTORS.items() if small.startswith(start)]
    if name.endswith(NEVER_JSON) and head.startswith(JSON_BEGINS):
        found.append("JSON under the name of another format")
    if name.endswith((*NEVER_JSON, ".json", ".spm")):
        others = UNDER_ANOTHER_NAME.items()
        found += [
            what
            for start, what in others
            if head.startswith(start) and not (start == b"GGUF" and name.endswith(".gguf"))
        ]
    if name.endswith(PIECES) and _is_plain_text(head):
        found.append(PLAIN_TEXT)
    return found[0] if found else ""


def _is_plain_text(head: bytes) -> bool:
    """Return whether a head is plain text and in no known text format."""
    if not head or head.startswith(OF_TEXT) or RANK_LINE.match(head):
        return False
    return not any(byte < 32 and byte not in b"\t\n\r" for byte in head)
