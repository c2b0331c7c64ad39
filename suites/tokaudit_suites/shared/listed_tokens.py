"""Edits to the added tokens of a tokenizer.json that make loaders assign the right ids.

Hugging Face's tokenizers numbers the tokens that the model lacks in the order of the list, and
ignores its ids: an id that is changed within an entry changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from tokaudit.engine.canonical_steps import numbered_anew
from tokaudit.plugin import Change
from tokaudit_reference.spec import AddedToken, TokenizerSpec
from tokaudit_suites.shared.repairs import WHOLE, set_to
from tokaudit_suites.shared.vocab_entries import added_by_content
from tokaudit_suites.shared.wording import in_added

LISTED = "tokenizer.json"  # the format that has such a list
FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")


def listed_anew(spec: TokenizerSpec, wanted: Iterable[AddedToken]) -> list[Change]:
    """Return changes to the list after which loaders assign these tokens their ids.

    Tokens that exchange ids exchange places, else the whole list is in the order of ids.  There is
    no change where no order of the list gives the ids.
    """
    own, by_content = spec.added_tokens, added_by_content(spec)
    if spec.format != LISTED or len(by_content) < len(own):
        return []
    changed = {token.content: token for token in wanted}
    for after in (_in_places(own, changed), _by_id(own, changed)):
        if not numbered_anew(replace(spec, added_tokens=tuple(after))):
            return list(_changes(spec, after))
    return []


def _in_places(own: Sequence[AddedToken], changed: dict[str, AddedToken]) -> list[AddedToken]:
    """Return the changed tokens by id in their current places, with new ones at the end."""
    here = {token.content for token in own} & changed.keys()
    in_order = sorted(changed.values(), key=lambda token: token.id)
    moved = (token for token in in_order if token.content in here)
    new = (token for token in in_order if token.content not in here)
    return [*(next(moved) if token.content in here else token for token in own), *new]


def _by_id(own: Sequence[AddedToken], changed: dict[str, AddedToken]) -> list[AddedToken]:
    after = {**{token.content: token for token in own}, **changed}
    return sorted(after.values(), key=lambda token: token.id)


def _changes(spec: TokenizerSpec, after: Sequence[AddedToken]) -> Iterator[Change]:
    """Yield the changes of single entries."""
    whole, count = in_added(spec), len(spec.added_tokens)
    if not count:
        yield set_to(replace(whole, pointer=WHOLE["added_tokens"]), [_entry(t) for t in after])
        return
    for old, new in zip(spec.added_tokens, after, strict=False):
        place = in_added(spec, old.content)
        if old.content == new.content and old != new:
            yield set_to(replace(place, pointer=f"{place.pointer}/id", value=old.id), new.id)
        elif old != new:
            yield set_to(place, _entry(new))
    last = replace(whole, pointer=f"{WHOLE['added_tokens']}/-")
    yield from (set_to(last, _entry(token)) for token in after[count:])


def _entry(token: AddedToken) -> dict[str, Any]:
    flags = {flag: getattr(token, flag) for flag in FLAGS}
    return {"id": token.id, "content": token.content, **flags}
