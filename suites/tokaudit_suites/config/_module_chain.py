"""Follow the vector width of a sentence encoder from module to module.

This is not a check: it follows each kind of vectors through the modules, by what their settings and
the shapes of their weights say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from tokaudit.plugin import Contents, Place, SourceFile, Subject, UnreadableError
from tokaudit.subject.safe_json import pointer
from tokaudit.subject.tensors import Tensor
from tokaudit.subject.upstream.checkpoints import width_keys
from tokaudit.subject.upstream.sentence_encoders import (
    Counts,
    EncoderModule,
    Factor,
    older_names,
    pooling_switches,
)
from tokaudit.subject.weights.safetensors import header
from tokaudit_suites.config._pooling_keys import MEAN, MODE, MODELS, POOLING
from tokaudit_suites.shared.listed_modules import LISTED, OURS, ListedModule, parsed

INPUT, OUTPUT = "module_input_name", "module_output_name"  # the kind of vectors, by a config


def torch_weights(file: SourceFile) -> Mapping[str, Tensor]:
    """Read the tensors of a torch file, importing its reader only if there is such a file."""
    from tokaudit.subject.weights.torch_file import torch_tensors

    return torch_tensors(file)


WEIGHTS: Mapping[str, Callable[[SourceFile], Mapping[str, Tensor]]] = {
    "model.safetensors": header,
    "pytorch_model.bin": torch_weights,
}
"""The files of a module's weights, the one that is taken first before the other."""
ENCODER, TASK = "sentence_bert_config.json", "transformer_task"
WIDTHS, LOGITS = (None, "feature-extraction"), "fill-mask"
VOCABULARY, LARGEST = "vocab_size", 2**40


@dataclass(frozen=True, slots=True)
class Size:
    """A size of a module, where it is stated and in which words."""

    number: int
    place: Place
    words: str


@dataclass(frozen=True, slots=True)
class Width:
    """The length of vectors, and the sizes that determine it."""

    number: int
    of: tuple[Size, ...]


@dataclass(frozen=True, slots=True)
class Misfit:
    """A module size that contradicts its input or its own tensor."""

    module: ListedModule
    stated: Size
    wanted: Width
    by_weights: bool = False  # its own config and weights are of two sizes
    stops: bool = True  # the library stops there
    is_last: bool = False  # no module after it states how long the vectors are

    @property
    def cause(self) -> tuple[Size, ...]:
        """Return the sizes that two misfits share if one number causes both."""
        return (self.stated,) if self.by_weights else self.wanted.of


@dataclass(frozen=True, slots=True)
class _Sizes:
    """Settings and tensors of one module."""

    file: str
    stated: Mapping[str, Any]
    tensors: Mapping[str, Size]

    def of(self, key: str) -> Size | None:
        """Return a size by the weights, or else by the config, which builds their containers."""
        made, stated = self.tensors.get(key), self.by_config(key)
        same = made is None or (stated is not None and stated.number == made.number)
        return stated if same else made

    def by_config(self, key: str) -> Size | None:
        older = older_names().get(key, key)
        name = key if key in self.stated else older
        value = self.stated.get(name)
        if type(value) is not int or not 0 < value < LARGEST:
            return None
        place = Place("config", self.file, pointer(name), value)
        return Size(value, place, f"{name} in {self.file} is {value:,}")


@dataclass(frozen=True)
class Chain:
    """Modules of one encoder, in order."""

    subject: Subject
    contents: Contents
    modules: Sequence[ListedModule]

    def misfits(self) -> Iterator[Misfit]:
        """Yield each size that does not fit, in module order."""
        flowing: dict[str, Width] = {}
        for at, module in enumerate(self.modules):
            known = None if module.own_code else module.known
            if known is None:
                flowing.clear()  # it may make anything of any of them
                continue
            sizes = self._sizes(module, known)
            yield from _refuted(module, known, sizes)
            kind = _name(sizes, INPUT) or known.reads
            coming, taken = flowing.get(kind), sizes.of(known.takes)
            if coming is not None and taken is not None and taken.number != coming.number:
                rest = [each.known for each in self.modules[at + 1 :]]
                last = not any(each is None or each.takes or each.gives for each in rest)
                yield Misfit(module, taken, coming, stops=known.multiplies, is_last=last)
            giving = self._given(module, known, sizes, coming)
            target = _name(sizes, OUTPUT) or known.writes or kind
            flowing.pop(target, None)
            if giving is not None:
                flowing[target] = giving

    def _sizes(self, module: ListedModule, known: EncoderModule) -> _Sizes:
        name = module.file(known.config)
        return _Sizes(name, self._object(name), dict(self._of_weights(module, known)))

    def _object(self, name: str) -> Mapping[str, Any]:
        files = [file for file in self.subject.files if file.name == name and not file.impostor]
        found: Mapping[str, Any] = parsed(self.contents, files[0], dict) if files else {}
        return found

    def _of_weights(self, module: ListedModule, known: EncoderModule) -> Iterator[tuple[str, Size]]:
        """Yield the size of each axis of the known tensors in a header."""
        there = {file.name: file for file in self.subject.files if not file.impostor}
        names = {module.file(base): read for base, read in WEIGHTS.items()}
        taken = [(name, read) for name, read in names.items() if name in there]
        for name, read in taken[:1] if known.tensors else ():
            try:
                found = read(there[name])
            except UnreadableError:
                continue  # files/weights says so
            for tensor, axes in (known.tensors or {}).items():
                shape = found[tensor].shape if tensor in found else ()
                for key, number in zip(axes, shape, strict=False):
                    words = f"{tensor} in {name} is made for {number:,}"
                    yield key, Size(number, Place("embeddings", name, tensor), words)

    def _given(
        self, module: ListedModule, known: EncoderModule, sizes: _Sizes, coming: Width | None
    ) -> Width | None:
        """Return a module's output width: the product of its factors, if all are known."""
        taken = sizes.of(known.takes)
        stated = Width(taken.number, (taken,)) if taken is not None else None
        keeps = (stated or coming) if known.multiplies else (coming or stated)
        if not known.gives:
            return keeps
        found = [self._factor(module, factor, sizes, keeps) for factor in known.gives]
        known_all = [each for each in found if each is not None]
        if len(known_all) < len(found):
            return None
        of = tuple(size for each in known_all for size in each.of)
        return Width(prod(each.number for each in known_all), of)

    def _factor(
        self, module: ListedModule, factor: Factor, sizes: _Sizes, keeps: Width | None
    ) -> Width | None:
        value = sizes.stated.get(factor.key)
        match factor.counts:
            case Counts.TAKEN:
                return keeps
            case Counts.MODEL | Counts.VOCABULARY:
                return self._of_model(module, sizes, factor.counts)
            case Counts.NUMBER:
                size = sizes.of(factor.key)
                if size is not None:
                    return Width(size.number, (size,))
            case Counts.MODES:
                return _counted(sizes, MODE, _modes(sizes.stated))
            case Counts.TWO if isinstance(value, bool):
                return _counted(sizes, factor.key, 2 if value else 1)
            case Counts.ENTRIES if isinstance(value, list):
                return _counted(sizes, factor.key, len(value))
            case Counts.DIFFERENT if isinstance(value, list):
                return _counted(sizes, factor.key, len({str(each) for each in value}))
        return Width(factor.default, ()) if factor.default and value is None else None

    def _of_model(self, module: ListedModule, sizes: _Sizes, counts: Counts) -> Width | None:
        """Return the width of the model, or the row count of a head that fills gaps."""
        own = self._object(module.file(ENCODER))
        if own.get(OUTPUT) is not None:
            return None
        if counts is Counts.VOCABULARY or own.get(TASK) == LOGITS:
            keys: Sequence[str] = (VOCABULARY,)
        else:
            keys = width_keys() if own.get(TASK) in WIDTHS else ()
        found = [size for key in keys if (size := sizes.by_config(key)) is not None]
        same = len({size.number for size in found}) == 1
        return Width(found[0].number, (found[0],)) if same else None


def _refuted(module: ListedModule, known: EncoderModule, sizes: _Sizes) -> Iterator[Misfit]:
    """Yield keys whose tensor has another size: the library loads the one into the other."""
    factors = [factor.key for factor in known.gives]
    for key in dict.fromkeys((known.takes, *factors)):
        stated, made = sizes.by_config(key), sizes.tensors.get(key)
        if stated is not None and made is not None and stated.number != made.number:
            yield Misfit(module, stated, Width(made.number, (made,)), by_weights=True)


def _name(sizes: _Sizes, key: str) -> str:
    """Return the kind of vectors that a config names."""
    value = sizes.stated.get(key)
    return value if isinstance(value, str) else ""


def _counted(sizes: _Sizes, key: str, number: int | None) -> Width | None:
    if not number:
        return None
    if number == 1:
        return Width(1, ())
    words = f"{sizes.file} has {number} times as many by its {key}"
    return Width(number, (Size(number, Place("config", sizes.file), words),))


def _modes(stated: Mapping[str, Any]) -> int | None:
    """Return the number of vectors that pooling joins; None if versions disagree."""
    if (mode := stated.get(MODE)) is not None:
        return len(mode) if isinstance(mode, list) else 1
    on = sum(1 for name in pooling_switches() if stated.get(name) is True)
    return None if on and MEAN not in stated else max(on, 1)


def implied_modules(subject: Subject) -> Iterator[tuple[ListedModule, ...]]:
    """Yield the implied chain of model and pooling if no list names modules."""
    here = {file.name for file in subject.files}
    for name in sorted(here):
        above = name.removesuffix(POOLING)
        models = [above + each for each in MODELS if above + each in here]
        if above != name and models and above + LISTED not in here:
            parts = ((models[0], "Transformer"), (name, "Pooling"))
            yield tuple(_implied(file.rpartition("/")[0], kind) for file, kind in parts)


def _implied(folder: str, kind: str) -> ListedModule:
    return ListedModule(OURS + kind, folder, folder, Place("config", folder))
