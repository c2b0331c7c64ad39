"""Read sizes and settings of a model in memory and its config, by duck typing.

Nothing of a framework is imported.  A matrix of which this process holds a part (ZeRO-3, FSDP)
states its whole height elsewhere: `num_embeddings`, `ds_shape`; a shape of no rows counts as none.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.subject.safe_json import parse_object
from tokaudit.subject.upstream.checkpoints import (
    embedding_names,
    output_names,
    parts_that_read_text,
)

WRAPPERS = ("module", "_orig_mod")  # DistributedDataParallel and its like; torch.compile
CONFIG = "config.json"
ROLES = ("bos", "eos", "pad")
PLAIN = (str, int, float, bool, type(None))


@dataclass(frozen=True, slots=True)
class Size:
    """A number of ids that something has room for, and its source."""

    count: int
    stated_by: str
    component: str
    writes: bool = False  # it has a row for each id that the model can write


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """Sizes of the model, and its settings in the form of config files."""

    sizes: tuple[Size, ...] = ()
    config: Mapping[str, Any] = field(default_factory=dict)
    generation: Mapping[str, Any] = field(default_factory=dict)

    def least(self, *, writes: bool) -> Size | None:
        """Return the smallest size that ids, or labels, must fit in."""
        fitting = [size for size in self.sizes if writes or not size.writes]
        return min(fitting, key=lambda size: size.count, default=None)

    @property
    def shifts_labels(self) -> bool:
        """Return whether the model may shift labels itself, as all of transformers do."""
        return not self.config or "model_type" in self.config

    @property
    def is_encoder_decoder(self) -> bool:
        """Return whether labels are another text than the ids."""
        return self.config.get("is_encoder_decoder") is True


def model_facts(model: object, config: object) -> ModelFacts:
    """Read the sizes of a model, and of the given config or the model's own."""
    model = _unwrapped(model)
    if config is None and model is not None:
        config = getattr(model, "config", None)
    settings = _settings("config", config)
    sizes = [*_stated_sizes(settings), *_matrix_sizes(model)]
    if model is not None and not sizes:
        raise UsageError(
            f"model: {type(model).__qualname__} has no embedding that tokaudit finds and no "
            "vocab_size; pass config=, either a config or the vocabulary size"
        )
    settings = {**_role_ids(settings), **settings}
    generation = _settings("generation_config", getattr(model, "generation_config", None))
    return ModelFacts(tuple(sizes), settings, generation)


def _unwrapped(model: object) -> Any:
    for _ in range(4):
        inner = next((getattr(model, each) for each in WRAPPERS if hasattr(model, each)), None)
        if inner is None or hasattr(model, "get_input_embeddings"):
            break
        model = inner
    return model


def _settings(what: str, given: object) -> dict[str, Any]:
    """Convert a config to JSON data; raise `UsageError` if it is none."""
    if given is None:
        return {}
    if isinstance(given, bool):
        raise UsageError(f"{what}: {given!r} is not a config, a path or a vocabulary size")
    if isinstance(given, int):
        return {"vocab_size": given}
    if isinstance(given, str | os.PathLike):
        return _read(Path(given))
    if callable(to_dict := getattr(given, "to_dict", None)):
        given = to_dict()
    elif not isinstance(given, Mapping):
        given = {**_class_values(type(given)), **getattr(given, "__dict__", {})}
    return {str(key): plain for key, value in given.items() for plain in _plain(value)}  # type: ignore[attr-defined]


def _role_ids(settings: Mapping[str, Any]) -> dict[str, int]:
    """Return role ids under transformers' keys, for settings of another library."""
    found = {f"{role}_token_id": settings.get(f"{role}_id") for role in ROLES}
    return {key: id for key, id in found.items() if isinstance(id, int) and id >= 0}


def _read(path: Path) -> dict[str, Any]:
    file = path / CONFIG if path.is_dir() else path
    try:
        return parse_object(file.read_bytes(), str(file))
    except OSError as error:
        raise UnreadableError(f"{file}: {error.strerror}") from error


def _class_values(kind: type) -> dict[str, Any]:
    """Return the defaults of a settings class, if an object holds only differences."""
    return {key: value for key, value in vars(kind).items() if not key.startswith("_")}


def _plain(value: object, depth: int = 0) -> Iterator[Any]:
    """Yield the value as JSON data, or nothing if that is impossible."""
    if isinstance(value, PLAIN):
        yield value
    elif depth < 16 and isinstance(value, Mapping):
        yield {str(key): plain for key, each in value.items() for plain in _plain(each, depth + 1)}
    elif depth < 16 and isinstance(value, list | tuple):
        yield [plain for each in value for plain in _plain(each, depth + 1)]


def _stated_sizes(settings: Mapping[str, Any]) -> Iterator[Size]:
    """Yield the size of the text part, or the top-level one."""
    for part in parts_that_read_text():
        inner = settings.get(part)
        if isinstance(inner, Mapping) and _is_count(inner.get("vocab_size")):
            yield Size(inner["vocab_size"], f"{part}.vocab_size of the config", "config")
            return
    if _is_count(settings.get("vocab_size")):
        yield Size(settings["vocab_size"], "vocab_size of the config", "config")


def _matrix_sizes(model: Any) -> Iterator[Size]:
    """Yield the rows of input and output matrices, by the model's methods or by name."""
    if model is None:
        return
    found = False
    for method, component in (
        ("get_input_embeddings", "embedding"),
        ("get_output_embeddings", "output"),
    ):
        try:
            rows = _rows(getattr(model, method)())
        except Exception:  # a model that has none says so in many ways
            rows = None
        if rows is not None:
            found = True
            yield Size(rows, f"the {component} matrix", component, component == "output")
    named = getattr(model, "named_parameters", None)
    if not found and callable(named):
        yield from _named_sizes(named())


def _named_sizes(parameters: Any) -> Iterator[Size]:
    for name, matrix in parameters:
        for names, component in ((embedding_names(), "embedding"), (output_names(), "output")):
            rows = _height(matrix)
            if rows is not None and str(name).endswith(tuple(names)):
                yield Size(rows, str(name), component, component == "output")
                break


def _rows(layer: Any) -> int | None:
    """Return the rows of a layer, complete even if this process holds a part."""
    for key in ("num_embeddings", "out_features"):
        if _is_count(getattr(layer, key, None)):
            return int(getattr(layer, key))
    return _height(getattr(layer, "weight", layer))


def _height(matrix: Any) -> int | None:
    shape = getattr(matrix, "ds_shape", None) or getattr(matrix, "shape", None)
    if not isinstance(shape, Sequence) or len(shape) != 2 or not _is_count(shape[0]):
        return None
    return int(shape[0])


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0
