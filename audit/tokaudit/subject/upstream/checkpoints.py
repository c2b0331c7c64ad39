"""Names used in configs and weights of published models."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from tokaudit.subject.upstream.records import CHECKPOINTS, Record, hand_written


@cache
def nested_parts() -> tuple[str, ...]:
    """Return the keys of nested parts whose settings are read, in order."""
    return tuple(hand_written(CHECKPOINTS)["parts"])


@cache
def parts_that_read_text() -> tuple[str, ...]:
    """Return the keys of parts that read text.

    >>> "text_config" in parts_that_read_text(), "decoder" in parts_that_read_text()
    (True, False)
    """
    stated = hand_written(CHECKPOINTS)["parts"].items()
    return tuple(key for key, said in stated if said["reads_text"])


@cache
def width_keys() -> tuple[str, ...]:
    """Return config keys for the width of a model's output per token."""
    return _sizes_of("width")


@cache
def sizes_of_a_whole() -> tuple[str, ...]:
    """Return config keys of which every whole model has one."""
    return _sizes_of("whole")


@cache
def keys_of_more_rows() -> tuple[str, ...]:
    """Return config keys that add undeclared rows to a model."""
    return _sizes_of("more rows")


@cache
def keys_of_added_rows() -> tuple[str, ...]:
    """Return config keys that count the rows of a second matrix."""
    return _sizes_of("added rows")


def _sizes_of(kind: str) -> tuple[str, ...]:
    return tuple(key for key, kinds in hand_written(CHECKPOINTS)["sizes"].items() if kind in kinds)


@cache
def last_token_classifiers() -> frozenset[str]:
    """Return the classes that classify a text by its last token, found by the pad id.

    >>> "BloomForSequenceClassification" in last_token_classifiers()
    True
    """
    listed = hand_written(CHECKPOINTS)["last_token"]["classifiers"].split()
    return frozenset(f"{name}ForSequenceClassification" for name in listed)


@cache
def first_tokens_of_towers() -> Mapping[str, int]:
    """Return the tokens before the patches, by type of a fixed-size tower.

    >>> first_tokens_of_towers()["siglip_vision_model"]
    0
    """
    found: Mapping[str, int] = hand_written(CHECKPOINTS)["towers"]
    return found


@cache
def uncounted_rows() -> Mapping[str, int]:
    """Return the embedding rows that a class adds beyond its config, by model type.

    >>> uncounted_rows()["mllama"]
    8
    """
    found: Mapping[str, int] = hand_written(CHECKPOINTS)["uncounted"]
    return found


@cache
def embedding_names() -> tuple[str, ...]:
    """Return names of matrices with a row for each input id.

    >>> "wte.weight" in embedding_names(), "lm_head.weight" in embedding_names()
    (True, False)
    """
    return _tensors_of("embeddings")


@cache
def whole_embedding_names() -> tuple[str, ...]:
    """Return such matrix names that are complete tensor names."""
    return _tensors_of("whole embeddings")


@cache
def bias_names() -> tuple[str, ...]:
    """Return names of vectors with a number for each output id.

    >>> "final_logits_bias" in bias_names()
    True
    """
    return _tensors_of("biases")


@cache
def output_names() -> tuple[str, ...]:
    """Return names of matrices with a row for each output id."""
    return _tensors_of("outputs")


@cache
def position_names() -> tuple[str, ...]:
    """Return names of tables with a row for each position."""
    return _tensors_of("positions")


@cache
def packed_names() -> tuple[str, ...]:
    """Return names of quantised matrices whose shapes do not show their rows."""
    return _quantised("packed")


@cache
def scale_names() -> tuple[str, ...]:
    """Return names of scales of quantised matrices, one for each row."""
    return _quantised("scale")


def _quantised(kind: str) -> tuple[str, ...]:
    stated = hand_written(CHECKPOINTS)["quantised"].items()
    return tuple(name for name, is_a in stated if is_a == kind)


def _tensors_of(kind: str) -> tuple[str, ...]:
    return tuple(
        name for name, is_of in hand_written(CHECKPOINTS)["tensors"].items() if is_of == kind
    )


@dataclass(frozen=True, slots=True)
class RowsOf:
    """Matrices with a row for each item that a config counts, and the models they apply to."""

    tensors: tuple[str, ...]
    of: str
    source: str
    counts: tuple[str, ...] = ()
    fewer: tuple[str, ...] = ()  # counts of a smaller vocabulary, by which tokens may lack rows
    unstated: int | None = None
    models: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    tokens: bool = False
    foreign: bool = False
    filler: int | None = None  # rows next to those of the ids, where there are as many as that

    def is_of(self, model: str, classes: tuple[str, ...]) -> bool:
        """Return whether the record applies to a model type with these classes."""
        of_model = not self.models or model in self.models
        return of_model and (not self.classes or any(c.endswith(self.classes) for c in classes))

    def names(self, tensor: str) -> bool:
        """Return whether a tensor is one of these matrices."""
        return _pattern(self.tensors).search(tensor) is not None


@cache
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Combine names into a pattern: `*` is one part, `^` the beginning."""
    spelled = (re.escape(name.removeprefix("^")).replace(r"\*", "[^.]+") for name in names)
    starts = ("^" if name.startswith("^") else "(?:^|[.])" for name in names)
    each = (start + name + "$" for start, name in zip(starts, spelled, strict=True))
    return re.compile("|".join(each))


@cache
def stated_rows() -> Mapping[str, RowsOf]:
    """Return matrices whose rows are not tokens, or tokens at special places.

    >>> stated_rows()["types"].names("bert.embeddings.token_type_embeddings.weight")
    True
    >>> [each.of for each in stated_rows().values() if each.names("lm_heads.0.weight")]
    ['token']
    """
    return {name: _rows_of(said) for name, said in hand_written(CHECKPOINTS)["rows"].items()}


def _rows_of(said: Record) -> RowsOf:
    listed = {key: tuple(value) for key, value in said.items() if isinstance(value, list)}
    return RowsOf(**{**said, **listed})
