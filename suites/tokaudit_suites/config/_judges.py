"""The rules of settings: each compares one key with what the tokenizer's own files do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from tokaudit.report.model import Finding, Severity
from tokaudit.subject.upstream.own_code import own_class
from tokaudit_reference.spec import Standing
from tokaudit_suites.config._row import Ground, Judge
from tokaudit_suites.shared.stated_key import StatedKey
from tokaudit_suites.shared.stated_roles import content_of, ids_in
from tokaudit_suites.shared.vocab_entries import id_of, is_special, looks_like_marker, name_of
from tokaudit_suites.shared.wording import quote

KINDS = ("image", "video", "audio")
FORMS = ("<|{0}_pad|>", "<|{0}|>", "<{0}>", "<{0}_soft_token>")
UNSET = 10**9  # a length above this means that nobody set it
FOLLOWED = "loaders open it"


def plain_name(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """A path that loaders follow is the name of a file inside the folder."""
    for path in _texts(stated.value):
        if _leaves(path):
            message = (
                f"{stated.key} in {stated.file} is the path {path[:120]!r}, and {FOLLOWED}: it is "
                "not the name of a file inside the folder."
            )
            yield stated.reported(Severity.ERROR, message)
            return


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item.get("path") if isinstance(item, dict) else item)
    elif isinstance(value, dict):
        yield from (name for name in value.values() if isinstance(name, str))


def _leaves(path: str) -> bool:
    """Whether a path goes up, is absolute, or is an address.

    >>> _leaves("1_Pooling"), _leaves("a/../../b"), _leaves("/etc/passwd"), _leaves("C:\\\\x")
    (False, True, True, True)
    """
    absolute = PurePosixPath(path).is_absolute() or PureWindowsPath(path).drive
    return bool(absolute or "://" in path or ".." in path.replace("\\", "/").split("/"))


def no_sampling(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """SentencePiece gives one segmentation, and not another at each call."""
    if isinstance(stated.value, dict) and stated.value.get("enable_sampling"):
        message = (
            f"{stated.key} in {stated.file} switches sampling on: a loader that reads the "
            "SentencePiece model gives other ids for the same text at each call."
        )
        yield stated.reported(Severity.ERROR, message)


def off(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """Special tokens are taken from text, as chat templates need."""
    if stated.value is True:
        message = (
            f"{stated.key} in {stated.file} is on: special tokens in a text are split into pieces, "
            "those of a rendered chat too."
        )
        yield stated.reported(Severity.WARNING, message)


def a_side(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """A side is left or right."""
    if isinstance(stated.value, str) and stated.value not in ("left", "right"):
        message = f"{stated.key} in {stated.file} is {stated.value[:40]!r}, not left or right."
        yield stated.reported(Severity.ERROR, message)


def prefix_space(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """The switch is what the pre-tokenizer states; loaders write the one over the other."""
    steps = ground.spec.pre_tokenizer.steps
    if len(steps) == 1 and isinstance(stated.value, bool):
        own = steps[0].effects.prefix_space
        if own not in (None, stated.value):
            message = (
                f"{stated.key} in {stated.file} is {stated.value}, but the pre_tokenizer of the "
                f"tokenizer says {own}: transformers writes the one over the other, and engines "
                "that read the tokenizer alone give other ids to the first word."
            )
            yield stated.reported(Severity.WARNING, message)


def known_token(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """A token that is named is one of the tokenizer's."""
    content = content_of(stated.value)
    if not _listed(ground):
        return
    if content and id_of(ground.spec, content) is None:
        message = (
            f"{stated.file} names {quote(content)} as {stated.key}, but the tokenizer has no such "
            f"token: loaders add it as id {ground.spec.size()}, or split its text."
        )
        yield stated.reported(Severity.WARNING, message)


def _listed(ground: Ground) -> bool:
    """Whether the tokenizer's own file lists its added tokens; to another a class adds them."""
    return ground.spec.normalizer.standing is Standing.STATED


def ids_in_range(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """Ids are those of tokens; negative ones are marks that no lookup sees."""
    size = max([ground.spec.size(), *_sizes(ground)])
    wrong = [id for id in _all_ids(stated.value) if id >= size]
    if wrong:
        message = (
            f"{stated.key} in {stated.file} holds id {wrong[0]}, but the model's ids go from 0 to "
            f"{size - 1}."
        )
        yield stated.reported(Severity.ERROR, message)


def a_marker(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """The id of a place for pictures or sound is that of a marker, and not of another kind's."""
    yield from ids_in_range(ground, stated)
    kind = stated.key.partition("_")[0]
    spec = ground.spec
    for id in ids_in(stated.value)[:1]:
        token = name_of(spec, id)
        if token is None or id < 0:
            continue
        text = token.decode(errors="replace") if isinstance(token, bytes) else token
        own = next((f for form in FORMS if (f := id_of(spec, form.format(kind))) is not None), None)
        added = any(each.id == id for each in spec.added_tokens)
        if not (added or is_special(spec, id) or looks_like_marker(text)):
            said = "an ordinary token, which every text may hold"
        elif own not in (None, id) and kind in KINDS and kind not in text.lower():
            said = f"but {quote(name_of(spec, own or 0) or '')} is id {own}"
        else:
            continue
        message = f"{stated.key} in {stated.file} is {id}, {quote(text)}: {said}."
        yield stated.reported(Severity.ERROR, message)


def _sizes(ground: Ground) -> Iterator[int]:
    facts = ground.subject.facts_named("vocab_size")
    yield from (fact.value for fact in facts if isinstance(fact.value, int))


def _all_ids(value: Any) -> Iterator[int]:
    if isinstance(value, list):
        for item in value:
            yield from _all_ids(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _all_ids(item)
    else:
        yield from ids_in(value)


def within_positions(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """A length is one that the model has positions for."""
    facts = ground.subject.facts_named("max_position_embeddings", "n_positions")
    positions = next((f for f in facts if isinstance(f.value, int) and f.value > 0), None)
    length = stated.value
    if positions is None or not isinstance(length, int) or isinstance(length, bool):
        return
    if positions.value < length <= UNSET:
        message = (
            f"{stated.key} in {stated.file} is {length:,}, but {positions.file} has "
            f"{positions.value:,} positions."
        )
        yield stated.reported(Severity.WARNING, message)


def numbered_as_loaders_do(ground: Ground, stated: StatedKey) -> Iterator[Finding]:
    """A stated added token that the tokenizer lacks gets the next free id, whatever is stated."""
    if isinstance(stated.value, dict):
        yield from _unread(stated)
    if not isinstance(stated.value, dict) or not _listed(ground):
        return
    new = {
        content: int(key)
        for key, entry in stated.value.items()
        if str(key).isdecimal() and len(str(key)) < 12
        if (content := content_of(entry)) and id_of(ground.spec, content) is None
    }
    for place, (content, id) in enumerate(sorted(new.items(), key=lambda item: item[1])):
        given = ground.spec.size() + place
        if id != given:
            message = (
                f"{stated.key} in {stated.file} puts {quote(content)} on id {id}, but the "
                f"tokenizer does not have it, and loaders add it as id {given}, the next free one"
            )
            if own := own_class(ground.subject):
                message += f"; what {own} of the checkpoint does is not known"
            # agreement/added-tokens warns of them too; one warning is enough for one cause
            yield stated.reported(Severity.INFO if own else Severity.ERROR, f"{message}.")
            return


def _unread(stated: StatedKey) -> Iterator[Finding]:
    """The first entry whose id is no number, or that is the token of nothing."""
    for id, entry in stated.value.items():
        text = content_of(entry)
        if not str(id).isdecimal() or not text:
            said = f"{str(id)[:40]!r} for an id" if text else f"id {str(id)[:20]} without a content"
            message = (
                f"{stated.key} in {stated.file} has {said}: loaders stop, or add an empty token."
            )
            yield stated.reported(Severity.ERROR, message)
            return


JUDGES: Sequence[Judge] = (
    *(plain_name, no_sampling, off, a_side, prefix_space, known_token, ids_in_range),
    *(within_positions, numbered_as_loaders_do, a_marker),
)
