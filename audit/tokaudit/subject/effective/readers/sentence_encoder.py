"""Tabulate what sentence-transformers uses: modules, length, pooling, prompts.

It is a reader on top of transformers: where its own files state no length, it takes that of the
tokenizer, but at most the positions of the model.

Source: `Transformer` and `Pooling` of sentence-transformers, `_parse_model_config` of its model.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.report.recorded import LoaderValue, SaidBy
from tokaudit.subject.configs import LARGEST_CONFIG
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.safe_json import parse, pointer
from tokaudit.subject.upstream.model_type import value_of
from tokaudit.subject.upstream.sentence_encoders import (
    encoder_settings,
    older_names,
    pooling_switches,
    prompts_of_every_encoder,
)
from tokaudit.subject.upstream.versions import FIVE, SENTENCE_TRANSFORMERS

MODULES, PROMPTS_FILE = "modules.json", "config_sentence_transformers.json"
LISTED, LENGTH, LOWERS, POOLING = "modules", "max_seq_length", "do_lower_case", "pooling"
PROMPTS, DEFAULT, WITH_PROMPT = "prompts", "default_prompt_name", "include_prompt"
MODEL, TYPE, MODE = "config.json", "model_type", "pooling_mode"
SIMILARITY, KIND = "similarity_fn_name", "SentenceTransformer"
USUAL_SIMILARITY = {KIND: "cosine", "SparseEncoder": "dot"}
"""The similarity of each kind of encoder that states none, by the property in its model.py."""
TOKENIZER_LENGTH, HANDED = "model_max_length", ("tokenizer_args", "processor_kwargs")
POSITIONS = ("max_position_embeddings", "n_positions")
USUAL_MODE, NO_POSITIONS = "mean", -1
NAME = f"sentence-transformers {SENTENCE_TRANSFORMERS} (its files)"
Values = Mapping[str, Any]


@dataclass(frozen=True)
class _Stated:
    """A settings file and its values; both empty without a file."""

    file: SourceFile | None
    values: Values

    def cell(self, key: str, value: Any, at: str) -> LoaderValue:
        name = "" if self.file is None else self.file.name
        return LoaderValue(key, NAME, value, SaidBy.FILE, name, pointer(at))


@dataclass(frozen=True)
class SentenceEncoder:
    """A folder with modules; `tokenizer` is version 5's length for its tokenizer."""

    subject: Subject
    tokenizer: LoaderValue | None

    def cells(self) -> Iterator[LoaderValue]:
        """Yield the values of every known key; none for a folder without modules."""
        file = self._file(MODULES)
        if file is None or not self._modules:
            return
        kinds = ", ".join(kind for kind, _ in self._modules)
        yield LoaderValue(LISTED, NAME, kinds, SaidBy.FILE, file.name)
        folder = next((path for kind, path in self._modules if kind == "Transformer"), None)
        if folder is not None:
            yield from self._of_transformer(folder)
        for kind, path in self._modules:
            if kind == "Pooling":
                yield from self._of_pooling(self._stated(_within(path, MODEL)))
        yield from self._of_prompts(self._stated(PROMPTS_FILE))
        yield from self._of_similarity(self._stated(PROMPTS_FILE))

    @cached_property
    def _modules(self) -> Sequence[tuple[str, str]]:
        """Return the class and folder of each module, in order."""
        found = self._read(MODULES)
        listed = (each for each in found if isinstance(each, dict)) if _is_list(found) else ()
        texts = ((each.get("type"), each.get("path")) for each in listed)
        return [
            (kind.rpartition(".")[2], path)
            for kind, path in texts
            if isinstance(kind, str) and isinstance(path, str)
        ]

    def _of_transformer(self, folder: str) -> Iterator[LoaderValue]:
        """Yield length and lower-casing, from the first settings file with content."""
        named = (self._stated(_within(folder, name)) for name in encoder_settings())
        own = next((each for each in named if each.values), _Stated(None, {}))
        if (length := self._length(own, self._stated(_within(folder, MODEL)))) is not None:
            yield length
        if LOWERS in own.values:
            yield own.cell(LOWERS, own.values[LOWERS], LOWERS)
        else:
            yield LoaderValue(LOWERS, NAME, False, SaidBy.LIBRARY)

    def _length(self, own: _Stated, model: _Stated) -> LoaderValue | None:
        """Return the truncation length: stated, or the tokenizer's up to the positions."""
        handed = next((key for key in HANDED if key in own.values), "")
        arguments = own.values.get(handed)
        if isinstance(arguments, dict) and TOKENIZER_LENGTH in arguments:
            return own.cell(LENGTH, arguments[TOKENIZER_LENGTH], handed)
        if own.values.get(LENGTH) is not None:
            return own.cell(LENGTH, own.values[LENGTH], LENGTH)
        positions = self._positions(model)
        if self.tokenizer is None or not isinstance(self.tokenizer.value, int | float):
            return None
        least = self.tokenizer if positions is None else min(self.tokenizer, positions, key=_value)
        return replace(least, key=LENGTH, loader=NAME)

    def _positions(self, model: _Stated) -> LoaderValue | None:
        kind = model.values.get(TYPE)
        for key in POSITIONS:
            if isinstance(model.values.get(key), int) and model.values[key] != NO_POSITIONS:
                return model.cell(LENGTH, model.values[key], key)
            known = value_of(kind, key) if isinstance(kind, str) else None
            taken = known.by_version().get(f"transformers {FIVE}") if known is not None else None
            if taken and isinstance(taken[0], int):
                return LoaderValue(LENGTH, NAME, taken[0], SaidBy.CLASS, class_name=f"a {kind}")
        return None

    def _of_pooling(self, stated: _Stated) -> Iterator[LoaderValue]:
        """Yield the modes in joining order, in the words of either version."""
        values, switches = stated.values, pooling_switches()
        on = [mode for key, mode in switches.items() if values.get(key)]
        if MODE in values:
            said = values[MODE]
            modes, at = (said if _is_list(said) else [said]), MODE
        else:
            modes = on or [USUAL_MODE]
            at = next((key for key in switches if values.get(key)), "")
        if unknown := [mode for mode in modes if mode not in switches.values()]:
            yield stated.cell(POOLING, f"refused: ValueError: mode {unknown[0]!r}", at)
        elif at:
            yield stated.cell(POOLING, ", ".join(modes), at)
        else:
            yield LoaderValue(POOLING, NAME, USUAL_MODE, SaidBy.LIBRARY)
        if WITH_PROMPT in values:
            yield stated.cell(WITH_PROMPT, values[WITH_PROMPT], WITH_PROMPT)
        else:
            yield LoaderValue(WITH_PROMPT, NAME, True, SaidBy.LIBRARY)

    def _of_prompts(self, stated: _Stated) -> Iterator[LoaderValue]:
        """Yield the prompts, with the built-in ones, and the one before every text."""
        given, default = stated.values.get(PROMPTS, {}), stated.values.get(DEFAULT)
        if not isinstance(given, dict):
            yield stated.cell(PROMPTS, "refused: AttributeError: prompts are no object", PROMPTS)
            return
        named = dict.fromkeys(sorted(prompts_of_every_encoder()), "")
        named |= {name: "" if text is None else text for name, text in given.items()}
        shown = json.dumps(named, ensure_ascii=False, sort_keys=True)
        if given:
            yield stated.cell(PROMPTS, shown, PROMPTS)
        else:
            yield LoaderValue(PROMPTS, NAME, shown, SaidBy.LIBRARY)
        if DEFAULT not in stated.values:
            yield LoaderValue(DEFAULT, NAME, None, SaidBy.NOBODY)
        elif default is not None and default not in named:
            yield stated.cell(DEFAULT, f"refused: ValueError: no prompt {default!r}", DEFAULT)
        else:
            yield stated.cell(DEFAULT, default, DEFAULT)

    def _of_similarity(self, stated: _Stated) -> Iterator[LoaderValue]:
        """The similarity of two vectors, by the kind of encoder where none is stated."""
        usual = USUAL_SIMILARITY.get(str(stated.values.get(TYPE, KIND)))
        if stated.values.get(SIMILARITY) is not None:
            yield stated.cell(SIMILARITY, stated.values[SIMILARITY], SIMILARITY)
        elif usual is not None:
            yield LoaderValue(SIMILARITY, NAME, usual, SaidBy.LIBRARY)

    def _stated(self, name: str) -> _Stated:
        """Return a settings file by full name, with keys renamed to current ones."""
        found = self._read(name)
        values = dict(found) if isinstance(found, dict) else {}
        for today, older in older_names().items():
            if older in values:
                values.setdefault(today, values[older])
        return _Stated(self._file(name), values)

    def _file(self, name: str) -> SourceFile | None:
        return next((file for file in self.subject.files if file.name == name), None)

    def _read(self, name: str) -> Any:
        file = self._file(name)
        try:
            return None if file is None else parse(read_bytes(file, LARGEST_CONFIG), file.name)
        except UnreadableError:
            return None  # files/parse says so


def _within(folder: str, name: str) -> str:
    return f"{folder.strip('/')}/{name}" if folder.strip("/.") else name


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _value(cell: LoaderValue) -> Any:
    return cell.value
