"""Holds the table of values to what both versions make of a drawn folder, cell by cell."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from tokaudit.foundation.errors import UnreadableError
from tokaudit.report.recorded import LoaderValue
from tokaudit.subject.configs import ROLES
from tokaudit.subject.effective.built_of_pieces import built_of_pieces
from tokaudit.subject.effective.class_choice import TOKENIZER, class_choice
from tokaudit.subject.effective.handed_settings import handed_settings, stated_to_five
from tokaudit.subject.effective.loaders import CURRENT, Loader
from tokaudit.subject.effective.refused import refusals
from tokaudit.subject.effective.settings_object import settings_object
from tokaudit.subject.effective.tokenizer_file import chosen_tokenizer_file
from tokaudit.subject.effective.tokens_added import tokens_added
from tokaudit.subject.effective.value_table import FILE, value_table
from tokaudit.subject.material import Subject, read_bytes
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit.subject.upstream.ends import PREFIX
from tokaudit.subject.upstream.pipeline import family, in_five
from tokaudit.subject.upstream.tokenizer_class import AS_FILE, AS_STATED, class_named
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_loaders.drawing import Judge
from tokaudit_loaders.drawn_folders import TEXTS, WHOLE, DrawnFolder
from tokaudit_reference.spec import TokenizerSpec

Parsed = Sequence[tuple[Any, TokenizerSpec]]
ALONE = "tokenizers (its file alone)"
Cells = Mapping[str, LoaderValue]
IDS, MARK = "ids of texts", "<"
STEPS = {PREFIX, "do_lower_case", "strip_accents", "tokenize_chinese_chars"}
"""Settings by which version 4 changes the steps of a file."""
CHARSMAP = "Precompiled"
UNKNOWN = "unk_token"  # by which version 5 changes the model
REFUSED, ADDS, AROUND = "refused", "tokens added", ("before a text", "after a text")
ANSWERED = ("padding_side", "truncation_side", "model_max_length", "split_special_tokens")
SENTINEL = "<extra_id_"  # what T5's class adds by itself
SAME = (*ANSWERED, "clean_up_tokenization_spaces")


@dataclass(frozen=True)
class Disagreement:
    """A cell of a version that is not what the version has."""

    version: str
    key: str
    ours: Any
    its: Any

    @property
    def place(self) -> tuple[str, str]:
        """The cell without its value."""
        return self.version, self.key


@dataclass
class Tally:
    """How many cells of a key were compared, and of how many the table says nothing."""

    compared: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)


def disagreements(
    drawn: DrawnFolder, into: Path, judges: Mapping[str, Judge], tally: Tally
) -> list[Disagreement]:
    """What the table has otherwise than the versions."""
    folder = drawn.write(into)
    try:
        subject = open_subject(folder)
    except UnreadableError:
        tally.unknown["no file of a tokenizer"] += 1
        return []
    parsed = parse_all(subject).parsed
    table = value_table(subject, parsed)
    found = [*_of_library(folder, table, tally)]
    for loader in CURRENT:
        answer = judges[loader.version](folder, TEXTS)
        name = f"{loader.name} (emulated)"
        cells = {cell.key: cell for cell in table if cell.loader == name}
        if class_choice(subject, loader.version) is None:
            tally.unknown["class"] += 1
            continue
        if _is_another_kind(subject, loader, parsed):
            tally.unknown["another kind of model"] += 1
            continue
        refused = refusals(subject, loader.version)
        raised = answer.get(REFUSED) or answer.get("encoding")
        tally.compared[REFUSED] += 1
        if bool(refused) != bool(raised):
            said = "; ".join(f"{each.key}: {each.says}" for each in refused)
            found.append(Disagreement(loader.version, REFUSED, said, raised))
        if refused or raised:
            continue
        pairs = [*_compared(cells, answer, tally)]
        spec = next((spec for _, spec in parsed if spec.format == WHOLE), None)
        if spec is not None and FILE in cells:
            pairs.append((ADDS, *_added(subject, spec, loader, answer)))
        pairs += _ids(subject, loader, spec, answer, tally)
        for key, ours, its in pairs:
            tally.compared[key] += 1
            if ours != its:
                found.append(Disagreement(loader.version, key, ours, its))
    return found


def _ids(
    subject: Subject, loader: Loader, spec: TokenizerSpec | None, answer: Any, tally: Tally
) -> Iterator[tuple[str, Any, Any]]:
    """The ids of texts without special tokens, of what the emulation builds or takes as it is."""
    whole = _built(subject, loader.version, spec)
    if whole is None:
        tally.unknown[IDS] += 1
        return
    made = Tokenizer.from_str(json.dumps(whole))
    made.no_padding()
    made.no_truncation()
    for at, text in enumerate(TEXTS):
        if MARK not in text:  # of tokens that settings add, `tokens added` speaks
            yield IDS, made.encode(text, add_special_tokens=False).ids, answer["inner"][at]


def _built(subject: Subject, version: str, spec: TokenizerSpec | None) -> dict[str, Any] | None:
    """The tokenizer.json that stands for what a version runs; None where none is emulated.

    None is of a vocabulary that is spelled otherwise than those of the class.
    """
    if (pieces := built_of_pieces(subject, version)) is not None:
        return dict(pieces.saved)
    choice = class_choice(subject, version)
    file = chosen_tokenizer_file(subject, version, settings_object(subject, TOKENIZER))
    if choice is None or file is None or spec is None or not choice.is_fast:
        return None
    whole: dict[str, Any] = json.loads(read_bytes(file))
    known, handed = class_named(choice.name), handed_settings(subject)
    if choice.name in (AS_FILE, AS_STATED):
        return None if version == FOUR and PREFIX in handed else whole
    if version == FOUR:
        return None if known is None or STEPS & handed.keys() else whole
    if known is None or not known.pipelines.in_five or UNKNOWN in handed:
        return None
    found = family(known.pipelines.in_five)
    ends = whole["model"].get("end_of_word_suffix") or ""
    if found.spelling.bytes != spec.byte_level or found.spelling.ends_words != ends:
        return None
    stages = in_five(found, known, stated_to_five(subject, known))
    maps = (step for step in _steps(whole["normalizer"]) if step["type"] == CHARSMAP)
    normalizer = next(maps, None) if found.keeps_charsmap else stages.normalizer
    return whole | {"normalizer": normalizer, "pre_tokenizer": stages.pre_tokenizer}


def _steps(stage: Any) -> Iterator[dict[str, Any]]:
    """The steps of a stage, those within a sequence one by one."""
    inner = (stage or {}).get("normalizers")
    for each in [stage] if stage and inner is None else inner or ():
        yield from _steps(each) if "normalizers" in each else (each,)


def _of_library(folder: Path, table: Iterable[LoaderValue], tally: Tally) -> Iterator[Disagreement]:
    """The cells of tokenizer.json alone, held to the library of tokenizers."""
    cells = {cell.key: cell.value for cell in table if cell.loader == ALONE}
    if not cells:
        return
    made = Tokenizer.from_file(str(folder / WHOLE))
    made.no_padding()
    around, inner = made.encode("the cat"), made.encode("the cat", add_special_tokens=False)
    answer = {"ids": [around.ids], "inner": [inner.ids], "names": [around.tokens]}
    for key, its in zip(AROUND, _around(answer), strict=True):
        tally.compared[f"{key}, by tokenizers"] += 1
        if cells[key] != its:
            yield Disagreement("tokenizers", key, cells[key], its)


def _is_another_kind(subject: Subject, loader: Loader, parsed: Parsed) -> bool:
    """Whether version 5 builds another kind of model from the vocabulary than the file has."""
    choice = class_choice(subject, loader.version)
    known = None if choice is None else class_named(choice.name)
    kinds = {spec.model_type.lower() for _, spec in parsed if spec.format == WHOLE}
    builds = "" if known is None or loader.version != FIVE else known.builds
    return bool(builds and kinds) and builds.lower() not in kinds


def _added(
    subject: Subject, spec: TokenizerSpec, loader: Loader, answer: Any
) -> tuple[list[str], list[str]]:
    known = {token.content for token in spec.added_tokens}
    for piece in spec.every_piece():
        text = piece.value
        known.add(text.decode("utf-8", "replace") if isinstance(text, bytes) else text)
    both = (tokens_added(subject, spec, loader, by_class=True), {*answer["added"]} - known)
    ours, its = (sorted({each for each in side if SENTINEL not in each}) for side in both)
    return ours, its


def _compared(cells: Cells, answer: Any, tally: Tally) -> Iterator[tuple[str, Any, Any]]:
    """Pairs of a cell and the answer."""

    def pair(key: str, its: Any) -> Iterator[tuple[str, Any, Any]]:
        if key in cells:
            yield key, cells[key].value, its
        else:
            tally.unknown[key] += 1

    yield from pair("tokenizer_class", answer["class"])
    for role in ROLES:
        yield from pair(f"{role}_token", answer["tokens"].get(role))
    for key in SAME:
        yield from pair(key, answer[key])
    templates = answer["chat_template"]
    names = None if templates is None else "default"
    if isinstance(templates, dict):
        names = ", ".join(templates)
    yield from pair("chat_template", names)
    for key, its in answer.get("generated", {}).items():
        yield from pair(key, its)
    if "rows" in answer:
        yield from pair("vocab_size", answer["rows"])
    for key, tokens in zip(AROUND, _around(answer), strict=True):
        yield from pair(key, tokens)


def _around(answer: Any) -> tuple[Any, Any]:
    """The tokens around the first text, by the ids of it with and without them."""
    whole, inner, names = answer["ids"][0], answer["inner"][0], answer["names"][0]
    for at in range(len(whole) - len(inner) + 1):
        if whole[at : at + len(inner)] == inner:
            before, after = names[:at], names[at + len(inner) :]
            return " ".join(before) or None, " ".join(after) or None
    return names, names
