"""An adapter over a base whose embedding and head are tied.

Unless its settings tie them, peft gives each side its own part, and merging puts both into the one
matrix.  This is not a check: embeddings/tied asks.

Source: peft at 5d602fdbff04, `_check_tied_modules` and `_unload_and_optionally_merge` of
tuners/tuners_utils.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tokaudit.plugin import (
    Base,
    Decider,
    Finding,
    NotApplicable,
    Place,
    Severity,
    Subject,
    Tensor,
    decision,
)
from tokaudit.subject.upstream.versions import VERSIONS
from tokaudit.subject.weights import WeightHeaders
from tokaudit_suites.embeddings._adapter_files import DELTA, SETTINGS, TIES, WEIGHTS
from tokaudit_suites.embeddings._tying import KEY, alike, tying_by_version
from tokaudit_suites.shared.stated_keys import StatedKeys

INPUTS, OUTPUTS = ("embed_tokens", "wte", "word_embeddings", "embed_in"), ("lm_head", "embed_out")
Tensors = Mapping[str, Tensor]


def is_adapter(weights: WeightHeaders) -> bool:
    """Return whether these weights are an adapter's alone."""
    files = [file.rpartition("/")[2] for file in weights.files]
    return bool(files) and all(file.startswith(WEIGHTS) for file in files)


def of_adapter(
    subject: Subject, weights: WeightHeaders, keys: StatedKeys, base: Base | None
) -> Iterator[Finding]:
    """Find which side of the base's tied matrix the adapter changes, and how."""
    if base is None or not _ties(base.subject):
        raise NotApplicable("no base is named (--base) whose embedding and head are one matrix")
    if any((key.base, key.key) == (SETTINGS, TIES) and key.value is True for key in keys.all):
        return
    whole, parts = _sides(weights, whole=True), _sides(weights, whole=False)
    if len(whole) == 2:
        stored = [tensor for side in whole.values() for tensor in side.values()]
        if len({t.shape for t in stored}) > 1 or alike(subject, stored) is False:
            does = f"saves both whole, with other values: merged, {VERSIONS[0]} loads one of them"
            yield _finding(base, whole.values(), "two matrices", f"{does} for both")
    elif whole:
        (layer,) = whole
        other = "the head" if layer in INPUTS else "the embedding"
        does = f"saves {layer} whole and not {other}, which keeps the rows of the base"
        yield _finding(base, whole.values(), "one side", f"{does} until a merge ties them again")
    elif parts:
        does = f"changes {' and '.join(parts)}: merged, what is meant for one side changes the"
        yield _finding(base, parts.values(), "merged into both", f"{does} other too")


def _ties(base: Subject) -> bool:
    flag, switches = base.fact(KEY), tying_by_version(base)
    return any(switches.values()) if switches else flag is not None and flag.value is True


def _sides(weights: WeightHeaders, *, whole: bool) -> Mapping[str, Tensors]:
    """Return the tensors of each side: a replacement matrix, or an addition to it."""
    found: dict[str, dict[str, Tensor]] = {}
    for name, tensor in weights.tensors.items():
        parts = name.split(".")
        layer = next((each for each in (*INPUTS, *OUTPUTS) if each in parts), None)
        here = name.endswith(f"{layer}.weight") is whole and not name.endswith(DELTA)
        if layer is not None and here:
            found.setdefault(layer, {})[name] = tensor
    return found


def _finding(base: Base, sides: Iterable[Tensors], cause: str, does: str) -> Finding:
    places = [Place("embeddings", t.file, name) for side in sides for name, t in side.items()]
    return Finding(
        Severity.WARNING,
        f"Embedding and head of the base {base.subject.name} are one matrix, and {places[0].file} "
        f"{does}. Whether it is merged, no file says.",
        tuple(places),
        remedy="Train with ensure_weight_tying, or load and save the base untied "
        "(tie_word_embeddings false) before the adapter is merged into it.",
        cause=cause,
        repair=decision(Decider.PERSON, "how the adapter will be loaded is not in the files"),
    )
