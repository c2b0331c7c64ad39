"""What a side's class takes for a setting that no file states, where its versions take the same."""

from __future__ import annotations

from tokaudit.comparison.facets.side import Side
from tokaudit.subject.upstream.setting_key import defaults_of
from tokaudit.subject.upstream.tokenizer_class import ClassSetting, TokenizerClass
from tokaudit.subject.upstream.versions import ABSENT, NO_ARGUMENT
from tokaudit_reference.spec import Standing, TokenizerSpec

BOS, EOS = "add_bos_token", "add_eos_token"
CLEANS_UP, CUT_SIDE = "clean_up_tokenization_spaces", "truncation_side"
PAD_SIDE = "padding_side"
VALUES: dict[str, bool | str] = {"true": True, "false": False, "left": "left", "right": "right"}
NOBODY = ("", "")


def takes(known: TokenizerClass | None, key: str) -> bool:
    """Whether a class is known to take a key, in one of its versions at least."""
    own = None if known is None else known.settings.get(key)
    return own is not None and not {own.four, own.five} <= {NO_ARGUMENT, ABSENT}


def taken_by_class(side: Side, known: TokenizerClass | None, key: str) -> bool | str | None:
    """What every version of a class takes; None where they differ, or nobody knows."""
    if known is None:
        return None
    own = known.settings.get(key) or ClassSetting(key, NO_ARGUMENT, NO_ARGUMENT)
    of_all = defaults_of(key) if _is_open(side.spec, key) else NOBODY
    pairs = zip((own.four, own.five), of_all, strict=True)
    four, five = (default if stated == NO_ARGUMENT else stated for stated, default in pairs)
    return VALUES.get(four) if four == five else None


def _is_open(spec: TokenizerSpec, key: str) -> bool:
    """Whether the default of all classes holds: a tokenizer.json may state it in its own way."""
    if key in (BOS, EOS):
        return spec.post_processor.standing is Standing.UNSTATED
    by_file = {CLEANS_UP: None, CUT_SIDE: spec.truncation.options, PAD_SIDE: spec.padding.options}
    return key in by_file and not by_file[key]
