"""Tokens and ids in a processor's settings that the tokenizer lacks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Place, Severity, check
from tokaudit.subject.upstream.setting_key import compared_by
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.config._compared_keys import ComparedKeys
from tokaudit_suites.shared.near_names import markers_of, nearest
from tokaudit_suites.shared.repairs import person_decides, repaired, set_to
from tokaudit_suites.shared.rows_and_positions import ModelSizes
from tokaudit_suites.shared.stated_keys import StatedKeys
from tokaudit_suites.shared.token_settings import DEEPEST, leaves
from tokaudit_suites.shared.vocab_entries import id_of, name_of
from tokaudit_suites.shared.wording import quote

FILES = ("preprocessor_config.json", "processor_config.json", "video_preprocessor_config.json")
IDS, TEXTS = ("_token_id", "_token_index", "_token_ids"), ("_token",)
ELSEWHERE = "config/tokens"  # looks the texts up that it knows, at the top of a file


@check(
    "config/processor-tokens",
    title="Tokens that processors name exist",
    why="A multimodal processor writes placeholder tokens into the prompt in place of images and "
    "audio. If the id of a placeholder token is beyond the model's embedding rows, the first "
    "request with an image fails. If a setting names a placeholder that is not a token of the "
    "tokenizer, the model ignores the placeholder, and answers without seeing the image.",
    remedy="Correct {pointer|the key} in {file|the file named}, or add the token to the tokenizer.",
    repair=person_decides("which token the processor is meant to write is not in the files"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=(Basis.CROSS_FILE, Basis.WEIGHTS),
    left_to_code=True,
    incident="image_token_index 128256 with a vocab_size of 128256 stopped with an index error "
    "(kongds/E5-V #7).",
)
def processor_tokens(
    keys: StatedKeys, spec: TokenizerSpec, sizes: ModelSizes, compared: ComparedKeys
) -> Iterator[Finding]:
    """Look up each id and each text of a token key, at any depth."""
    known = compared_by(ELSEWHERE)
    found = [
        (stated.file, *leaf)
        for stated in keys.all
        if stated.base in FILES and (stated.base, stated.key) not in known
        for leaf in leaves(stated.place().pointer, stated.key, stated.value, DEEPEST)
    ]
    if not found:
        raise NotApplicable("no processor's settings name a token")
    listed = compared.context.lists_added_tokens
    for file, pointer, key, value in found:
        place = Place("special_roles", file, pointer, value)
        text = value if key.endswith(TEXTS) and listed and isinstance(value, str) else ""
        if key.endswith(IDS):
            yield from _ids(spec, sizes, key, value, place)
        elif text and id_of(spec, text) is None:
            near = nearest(text, markers_of(spec))
            what = f"{key} in {file} is {quote(text)}, which is not a token"
            yield Finding(
                Severity.WARNING if near is None else Severity.ERROR,
                f"{what}: the tokenizer splits its text."
                if near is None
                else f"{what}; did you mean {quote(near)}?",
                (place,),
                cause="no token",
                repair=None if near is None else repaired(set_to(place, near)),
            )


def _ids(
    spec: TokenizerSpec, sizes: ModelSizes, key: str, value: Any, place: Place
) -> Iterator[Finding]:
    """Report ids that no token has; negative ones mean none in some processors."""
    listed = value if isinstance(value, list) else [value]
    lost = [id for id in listed if type(id) is int and id >= 0 and name_of(spec, id) is None]
    for id in lost[:1]:
        rows, rows_at = sizes.rows, sizes.rows_at
        beyond = rows is not None and rows_at is not None and id >= rows
        says = f", and the model has only {rows:,} embedding rows" if beyond else ""
        yield Finding(
            Severity.ERROR if beyond else Severity.WARNING,
            f"{key} in {place.file} is {id}, an id that no token has{says}.",
            (place, *([rows_at] if beyond and rows_at is not None else [])),
            cause="no row" if beyond else "no id",
        )
