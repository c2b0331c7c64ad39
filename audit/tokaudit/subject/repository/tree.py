"""A repository as a tree: each tokenizer in it, with the files that belong to it.

A folder that holds a tokenizer is the home of one.  A file belongs to the home that it lies in, or
else to the nearest one above; a folder of a pipeline's text encoder to the tokenizer that is named
with the same number; a checkpoint without a tokenizer to the one above it, apart from the other
checkpoints.  What belongs to none says why and is not read.  A home with a tokenizer for each side
of a translation is two parts.

`vocab.txt`, `vocab.json` and `bpe.codes` are names that data sets use too.  Such a file makes its
folder a home where settings next to it say so, or it shows what its loader needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.configs import LARGEST_CONFIG
from tokaudit.subject.formats import all_formats
from tokaudit.subject.formats.bytes_alone import names_itself
from tokaudit.subject.formats.vocab_txt import UNKNOWN
from tokaudit.subject.material import WHOLE, SourceFile, TranslationSide, read_bytes
from tokaudit.subject.repository.sides import two_sides
from tokaudit.subject.safe_json import parse_object
from tokaudit.subject.sniff import INDEX_OF_TORCH, INDEX_OF_WEIGHTS, TORCH
from tokaudit.subject.upstream.tokenizer_class import every_class

PIPELINE = "model_index.json"
TOKENIZER, ENCODER = "tokenizer", "text_encoder"
CHECKPOINT = re.compile(r"(checkpoint|step|epoch|iter|global_step)[-_]?\d+")
COPIES = re.compile(
    r"original|onnx.*|gguf.*|openvino.*|mlx.*|coreml.*|ckpt.*|" + CHECKPOINT.pattern
)
OF_NONE = "of no tokenizer: {}"
NOT_A_TOKENIZER = "of no tokenizer: a list of words without settings or the unknown token"
READ_WITH: Mapping[str, tuple[str, ...]] = {
    "vocab.json": ("merges.txt",),
    "bpe.codes": ("vocab.txt",),
}
LINES = "vocab.txt"
LONGEST = 8_000_000  # bytes in which the unknown token is looked for; longer ones are believed
MODELS = ("weights", TORCH, INDEX_OF_WEIGHTS, INDEX_OF_TORCH)
READ = ("config", "template", *MODELS)


@dataclass(frozen=True, slots=True)
class Part:
    """One tokenizer of a repository: the folder or file that names it, and its files.

    `original` is the label of the tokenizer that this one is a copy of.
    """

    label: str
    files: tuple[SourceFile, ...]
    original: str | None = None
    side: TranslationSide = WHOLE


@dataclass(frozen=True, slots=True)
class Tree:
    """Parts of a repository, the main one first, and the files that belong to none.

    `beyond` names tokenizers that are left out, as there are more than one audit takes.
    """

    parts: tuple[Part, ...]
    others: tuple[SourceFile, ...]
    beyond: tuple[str, ...] = ()


def tree_of(files: Sequence[SourceFile]) -> Tree:
    """Group the files of a folder by tokenizer."""
    folders = _by_folder(files)
    homes = [folder for folder, inside in folders.items() if _is_home(inside)]
    shown = [home for home in homes if not _is_loose(folders[home])]
    loose = [home for home in homes if shown and home not in shown]
    folders |= {home: [_as_list(file) for file in folders[home]] for home in loose}
    homes = shown or homes
    homes.sort(key=lambda folder: (folder.count("/") + bool(folder), folder))
    owners: dict[str, str] = {}
    others: list[SourceFile] = []
    apart: list[str] = []
    for folder, inside in folders.items():
        owner, reason = _owner(folder, homes, folders)
        if reason:
            others += [_left_out(file, reason) for file in inside]
        elif folder not in homes and owner is not None and _is_apart(folder, folders, homes):
            apart.append(folder)
        elif owner is not None:
            owners[folder] = owner
        else:
            others += inside
    parts = [_part(home, owners, folders, homes) for home in homes]
    parts += [_checkpoint(folder, homes, folders) for folder in apart]
    parts = [each for part in parts for each in _with_sides(part, homes)]
    return Tree(tuple(parts), tuple(others))


def _by_folder(files: Sequence[SourceFile]) -> dict[str, list[SourceFile]]:
    folders: dict[str, list[SourceFile]] = {}
    for file in files:
        folders.setdefault(file.name.rpartition("/")[0], []).append(file)
    return folders


def _is_home(files: Sequence[SourceFile]) -> bool:
    """Return whether a folder has a tokenizer, even as a pointer or page with its name."""
    return any(_is_tokenizer(file) for file in files)


def _is_loose(files: Sequence[SourceFile]) -> bool:
    """Return whether a home has a tokenizer's lists only by name."""
    return all(_is_name_alone(file, files) for file in files if _is_tokenizer(file))


def _is_name_alone(file: SourceFile, inside: Sequence[SourceFile]) -> bool:
    """Return whether a file has a list's name, and nothing else shows a tokenizer."""
    if file.base != LINES and file.base not in READ_WITH:
        return False
    if any(each.role in ("config", "settings") and ".json" in each.base for each in inside):
        return False
    bases = {each.base for each in inside}
    if file.base == LINES and "bpe.codes" not in bases:
        return file.size <= LONGEST and not _has_unknown(file)
    return bases.isdisjoint(READ_WITH.get(file.base, ("bpe.codes",)))


def _has_unknown(file: SourceFile) -> bool:
    """Return whether a line is the unknown token of some class."""
    own = {known.vocabulary.unknown or "" for known in every_class().values()}
    wanted = {token.encode() for token in (UNKNOWN, *own) if token}
    return not wanted.isdisjoint(file.content.read(0, file.size).split())


def _as_list(file: SourceFile) -> SourceFile:
    return replace(file, role=NOT_A_TOKENIZER) if _is_tokenizer(file) else file


def _is_tokenizer(file: SourceFile) -> bool:
    formats = all_formats()
    if file.impostor:
        return any(format.recognise(file.name, b"") for format in formats)
    return any(file.role == format.name for format in formats) or names_itself(file)


def _owner(
    folder: str, homes: Sequence[str], folders: dict[str, list[SourceFile]]
) -> tuple[str | None, str]:
    """Return the home of a folder's files, or why they have none."""
    if folder in homes:
        return folder, ""
    above, _, base = folder.rpartition("/")
    if base.startswith(ENCODER):
        prefix = f"{above}/" if above else ""
        if (paired := prefix + base.replace(ENCODER, TOKENIZER)) in homes:
            return paired, ""
    if _in_pipeline(folder, folders):
        return None, OF_NONE.format("a component of a pipeline")
    over = [home for home in homes if _is_below(folder, home)]
    if over:
        return over[-1], ""
    below = [home for home in homes if _is_below(home, folder)]
    if len(below) > 1 and any(file.role in READ for file in folders[folder]):
        return None, OF_NONE.format(f"there are {len(below)} below, and none here")
    return (below[0] if len(below) == 1 else None), ""


def _in_pipeline(folder: str, folders: dict[str, list[SourceFile]]) -> bool:
    """Return whether a folder above is a pipeline's, whose components are not tokenizers."""
    while folder:
        folder = folder.rpartition("/")[0]
        if any(f.base == PIPELINE for f in folders.get(folder, ())):
            return True
    return False


def _is_below(folder: str, home: str) -> bool:
    return folder != home and (not home or folder.startswith(f"{home}/"))


def _is_apart(folder: str, folders: dict[str, list[SourceFile]], homes: Sequence[str]) -> bool:
    """Return whether a folder below a tokenizer has its own model to be judged by."""
    if not CHECKPOINT.fullmatch(folder.rpartition("/")[2]):
        return False
    return any(file.role in READ for file in folders[folder])


def _part(
    home: str,
    owners: dict[str, str],
    folders: dict[str, list[SourceFile]],
    homes: Sequence[str],
) -> Part:
    mine = [folder for folder, owner in owners.items() if owner == home]
    files = [file for folder in mine for file in _read_as(folder, home, folders[folder])]
    return Part(home, tuple(sorted(files, key=_name)), _original(home, homes))


def _read_as(folder: str, home: str, files: Sequence[SourceFile]) -> Iterator[SourceFile]:
    """Yield a folder's files for its home, without another kind of model."""
    foreign = folder != home and _is_below(folder, home) and _is_model(files)
    for file in files:
        if foreign and file.role in READ:
            yield _left_out(file, OF_NONE.format("a model in a folder without one"))
        else:
            yield file


def _is_model(files: Sequence[SourceFile]) -> bool:
    """Return whether a folder holds a model: a config with its type, or weights."""
    return any(file.role in MODELS for file in files) or any(
        file.base == "config.json" and _names_a_model(file) for file in files
    )


def _names_a_model(file: SourceFile) -> bool:
    if file.role != "config":
        return False
    try:
        data = parse_object(read_bytes(file, LARGEST_CONFIG), file.name)
    except UnreadableError:
        return True
    return "model_type" in data or "architectures" in data


def _original(home: str, homes: Sequence[str]) -> str | None:
    """Return the tokenizer that one copies: the nearest above, or a checkpoint's first."""
    if not COPIES.fullmatch(home.rpartition("/")[2]):
        return None
    over = [other for other in homes if _is_below(home, other)]
    if over:
        return over[-1]
    above = home.rpartition("/")[0]
    siblings = [other for other in homes if other.rpartition("/")[0] == above and other != home]
    first = min(other for other in (*siblings, home) if COPIES.fullmatch(other.rpartition("/")[2]))
    return first if first != home else None


def _checkpoint(folder: str, homes: Sequence[str], folders: dict[str, list[SourceFile]]) -> Part:
    """Build a part for a checkpoint without a tokenizer, with the files from above."""
    home = _over(folder, homes)
    config = ("config.json", "generation_config.json")
    lent = [file for file in folders[home] if file.role not in MODELS and file.base not in config]
    return Part(folder, tuple(sorted((*lent, *folders[folder]), key=_name)))


def _with_sides(part: Part, homes: Sequence[str]) -> Iterator[Part]:
    """Yield a part, then its target side if its folder has two tokenizers."""
    home = part.label if part.label in homes else _over(part.label, homes)
    sides = two_sides(part.files, home)
    if not sides:
        yield part
        return
    source, target = sides
    yield replace(part, files=source.files, side=source.side)
    base, folder, original = target.main.rpartition("/")[2], part.label, part.original
    again = None if original is None else _joined(original, base)
    yield Part(_joined(folder, base), target.files, again, target.side)


def _over(folder: str, homes: Sequence[str]) -> str:
    """Return the home that lends its tokenizer to a checkpoint without one."""
    return [home for home in homes if _is_below(folder, home)][-1]


def _joined(folder: str, base: str) -> str:
    return f"{folder}/{base}" if folder else base


def _left_out(file: SourceFile, reason: str) -> SourceFile:
    return replace(file, role=reason) if file.role in READ else file


def _name(file: SourceFile) -> str:
    return file.name
