"""Check a side against its tokenizer.json with a second, simple reader.

Finder and checkers of proofs work on the same specs, so that a fault in reading files would give
both the same wrong ones.  Each part of a file that a proof is about is held to the file here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property
from math import isclose
from typing import Any

from tokaudit.engine.facet_names import ADDED, IDS, MERGES, STAGES
from tokaudit.engine.sides.side import Side
from tokaudit.products.compare.proofs.all_entries import entries_of
from tokaudit.products.compare.proofs.alphabet import letters_of
from tokaudit.products.compare.proofs.cuts.splitting import writes_bytes
from tokaudit.products.compare.proofs.surface import surface
from tokaudit_reference.spec import ModelType

FORMAT = "tokenizer.json"
FLAGS = {"special": False, "lstrip": False, "rstrip": False, "single_word": False}
FLAGS |= {"normalized": True}
SWITCHES = ("ignore_merges", "fuse_unk", "byte_fallback")
MARKS = ("continuing_subword_prefix", "end_of_word_suffix")


class AsStated:
    """One side and its file; other formats are not checked."""

    def __init__(self, side: Side) -> None:
        self.side, self.spec = side, side.spec

    def misread(self, facet: str) -> str:
        """Explain what the file states differently about a facet; "" if nothing."""
        if self._file is None:
            return ""
        known: dict[str, Callable[[], bool]] = {
            IDS: self._entries,
            MERGES: lambda: self._merges() and self._settings(),
            ADDED: self._added,
        }
        stage = STAGES.get(facet)
        right = known.get(facet, lambda: stage is None or self._stage(stage))()
        return "" if right else f"{self.side.name} was not read as its file states it: {facet}"

    @cached_property
    def _file(self) -> dict[str, Any] | None:
        """Return the content of the file; None without a file of this format."""
        subject, names = self.side.subject, self.spec.files
        file = subject.file(names[0]) if subject is not None and names else None
        if file is None or self.spec.format != FORMAT:
            return None
        found = json.loads(file.content.read(0, file.content.size))
        return found if isinstance(found, dict) else None

    @property
    def _stated(self) -> dict[str, Any]:
        return self._file or {}

    @property
    def _model(self) -> dict[str, Any]:
        return dict(self._stated["model"])

    def _entries(self) -> bool:
        read = [(letters_of(surface(self.spec, each)), id) for id, each in entries_of(self.spec)]
        return sorted(read) == sorted(self._ids())

    def _ids(self) -> list[tuple[str, int]]:
        vocab = self._model["vocab"]
        if isinstance(vocab, Mapping):
            return list(vocab.items())
        return [(token, id) for id, (token, _) in enumerate(vocab)]

    def _merges(self) -> bool:
        if self.spec.model_type is not ModelType.BPE:
            return self.spec.merges is None
        listed = self._model["merges"]
        pairs = (each.split(" ") if isinstance(each, str) else each for each in listed)
        read = [[letters_of(part) for part in pair] for pair in self.spec.merges or ()]
        in_bytes = sum(writes_bytes(self.spec, stage) for stage in ("normalizer", "pre_tokenizer"))
        return read == list(map(list, pairs)) and self.spec.byte_level == bool(in_bytes)

    def _settings(self) -> bool:
        model, spec = self._model, self.spec
        switches = all(bool(model.get(name)) == getattr(spec, name) for name in SWITCHES)
        marks = all(_text(model.get(name)) == getattr(spec, name) for name in MARKS)
        stated = model.get("max_input_chars_per_word")
        longest = (100 if stated is None else stated) == spec.max_input_chars_per_word
        dropped = bool(model.get("dropout")) == bool(spec.dropout)
        named = str(model.get("type") or spec.model_type).lower() == spec.model_type
        return switches and marks and longest and dropped and named and self._scores()

    def _scores(self) -> bool:
        """Return whether scores and unknown token match; serde reads scores less exactly."""
        model, spec = self._model, self.spec
        if spec.model_type is not ModelType.UNIGRAM:
            named = model.get("unk_token")
            id = dict(self._ids()).get(named) if isinstance(named, str) else None
            lacking = isinstance(named, str) and id is None and spec.model_type is ModelType.BPE
            return (id, lacking) == (spec.unk_id, spec.unk_lacks_entry)
        stated = {id: score for id, (_, score) in enumerate(model["vocab"])}
        near = all(isclose(spec.scores[id], score, rel_tol=1e-12) for id, score in stated.items())
        return near and stated.keys() == spec.scores.keys() and model.get("unk_id") == spec.unk_id

    def _added(self) -> bool:
        read = [
            [each.id, each.content, *(getattr(each, flag) for flag in FLAGS)]
            for each in self.spec.added_tokens
        ]
        return read == [
            [each["id"], each["content"], *(bool(each.get(f, no)) for f, no in FLAGS.items())]
            for each in self._stated.get("added_tokens") or []
        ]

    def _stage(self, stage: str) -> bool:
        stated: Any = self._stated.get(stage)
        return bool(stated == getattr(self.spec, stage).options)


def _text(value: Any) -> str:
    """Return a stated text; any other value counts as None."""
    return value if isinstance(value, str) else ""
