"""Tokenizer files whose content does not match their name."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Contents,
    Finding,
    Harm,
    Place,
    Severity,
    SourceFile,
    Subject,
    UnreadableError,
    check,
)
from tokaudit.subject.safe_json import parse
from tokaudit.subject.sniff import OTHERS
from tokaudit.subject.weights import not_fetched
from tokaudit_suites.shared.listed_modules import LISTED
from tokaudit_suites.shared.repairs import person_decides

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
WIDE = (b"\xff\xfe", b"\xfe\xff")  # marks of UTF-16 and UTF-32
OURS = (".json", ".txt", ".model", ".tiktoken", ".gguf", ".jinja", ".safetensors", ".vocab")


@check(
    "files/kind",
    title="Every file holds what its name promises",
    why="If a Git LFS pointer, an error page or an archive is saved under the name of a tokenizer "
    "file, loading fails, or loaders silently use another file.",
    remedy="Download the real {file|file} again (for Git LFS: git lfs pull).",
    repair=person_decides("the content of the file is where it was published"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.INTRINSIC,
    incident="A Llama-3 tokenizer.model stub stopped conversion with 'could not parse ModelProto' "
    "(google/sentencepiece #1054).",
)
def file_kind(subject: Subject, contents: Contents) -> Iterator[Finding]:
    """Check the first bytes of every tokenizer or checkpoint file, and settings as a whole."""
    for file in subject.files:
        if not file.known.endswith(OURS):
            continue
        kind = kind_of(file) or _marked(file) or _not_settings(file, contents)
        if kind and file not in not_fetched(subject):  # which files/weights reports
            yield Finding(
                Severity.ERROR,
                f"{file.name} is {kind}.",
                (Place("file", file.name, "", kind),),
                cause="file",
            )


def _marked(file: SourceFile) -> str:
    """Name a byte order mark that JSON readers refuse and some editors write."""
    if not file.known.endswith(".json"):
        return ""
    first = file.content.beginning
    if first.startswith(BYTE_ORDER_MARK):
        return "JSON after a byte order mark, which loaders refuse"
    wide = first.startswith(WIDE) or b"\0" in first[:4]  # JSON in UTF-8 has no byte of zero
    return "JSON that is not in UTF-8, which loaders refuse" if wide else ""


def _not_settings(file: SourceFile, contents: Contents) -> str:
    """Name what is in a settings file that no fact is read from, where its loader refuses it."""
    if file.base not in OTHERS:
        return ""
    try:
        stated = parse(contents.whole(file), file.name)
    except UnreadableError as refused:
        return str(refused).rpartition(f"{file.name}: ")[2].removeprefix("is ").rstrip(".")
    kind, said = (list, "a list") if file.base == LISTED else (dict, "an object")
    return "" if isinstance(stated, kind) else f"JSON, but not {said}, which its loader expects"


def kind_of(file: SourceFile) -> str:
    """Name the actual kind of a misnamed file; empty if nothing is wrong."""
    if not file.impostor and file.size == 0 and not file.known.endswith("merges.txt"):
        return "empty"
    return file.impostor
