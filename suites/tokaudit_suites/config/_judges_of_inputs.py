"""The rules of settings for what is put beside text: languages, pictures and sound."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tokaudit.report.model import Finding, Place, Severity
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit.subject.upstream.tokenizer_class import input_of
from tokaudit_suites.config._row import Ground, Judge
from tokaudit_suites.shared.stated_key import StatedKey
from tokaudit_suites.shared.vocab_entries import id_of
from tokaudit_suites.shared.wording import quote

MODEL = "config.json"
AS_IT_IS, SPEECH = "{}", "<|{}|>"
CODE = re.compile(r"(<\|)?[a-z]{2}(\|>)?")
VISION = "vision_config"
Way = tuple[str, ...]
OF_THE_MODEL: Mapping[str, tuple[int, tuple[Way, ...]]] = {
    "feature_size": (1, (("num_mel_bins",),)),
    "nb_max_frames": (2, (("max_source_positions",),)),
    "merge_size": (1, ((VISION, "spatial_merge_size"),)),
    "temporal_patch_size": (1, ((VISION, "temporal_patch_size"),)),
    "patch_size": (1, ((VISION, "patch_size"),)),
    "spatial_merge_size": (1, (("spatial_merge_size",),)),
    "vision_feature_select_strategy": (1, (("vision_feature_select_strategy",),)),
    "image_seq_length": (1, (("mm_tokens_per_image",), ("image_seq_length",))),
    "num_query_tokens": (1, (("num_query_tokens",),)),
}
"""Which key of a model's config says the same as one of a processor, and how often it counts."""


def known_language(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """A language is one that the tokenizer has a token for."""
    named = class_of(ground.subject)
    form = "" if named is None else input_of(named.name).language
    if not form or not isinstance(stated.value, str) or not stated.value:
        return
    if form == SPEECH and not CODE.fullmatch(stated.value):
        return  # written out, as "hindi"
    token = stated.value if form == AS_IT_IS else form.format(stated.value.strip("_<|>"))
    if id_of(ground.spec, token) is None:
        message = (
            f"{stated.key} in {stated.file} is {stated.value[:40]!r}, but the tokenizer has no "
            f"token {quote(token)}: the unknown token is put where the language goes, or loading "
            "stops."
        )
        yield stated.reported(Severity.ERROR, message)


def as_the_model(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """A processor makes inputs of the shape that the model was built for."""
    times, ways = OF_THE_MODEL[stated.key]
    for way in ways:
        own = ground.stated(MODEL, *way)
        if not _comparable(own, stated.value):
            continue
        if stated.value != (own * times if times > 1 else own):
            file = next(key.file for key in ground.keys if key.base == MODEL)
            there = "/".join(way)
            message = (
                f"{stated.key} in {stated.file} is {stated.value!r}, but {there} in {file} is "
                f"{own!r}: the processor makes inputs of another shape than the model takes."
            )
            found = stated.reported(Severity.ERROR, message)
            yield Finding(
                found.severity,
                found.message,
                (*found.places, Place("config", file, f"/{there}", own)),
                cause=found.cause,
            )
        return


def _comparable(own: Any, value: Any) -> bool:
    """Whether both are numbers, or both are words; a size in two directions is neither."""
    return any(type(own) is kind and type(value) is kind for kind in (int, str))


JUDGES: Sequence[Judge] = (known_language, as_the_model)
