"""Tokens that a settings file names with another token's id."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Repair, Severity, check
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.config._paired import TextWithId, across, adjacent_ids, pairs_of
from tokaudit_suites.shared.repairs import person_decides, removed, repaired, set_to
from tokaudit_suites.shared.stated_key import StatedKey
from tokaudit_suites.shared.stated_keys import StatedKeys
from tokaudit_suites.shared.vocab_entries import IdsByText, looks_like_marker, name_of
from tokaudit_suites.shared.wording import about, plural, quote, some

FILES = (
    "config.json",
    "generation_config.json",
    "preprocessor_config.json",
    "processor_config.json",
)
MARK = "__"  # around the codes of languages


@check(
    "config/named-ids",
    title="Tokens named with an id have it",
    why="Where a settings file states a token's id next to its name, generation and processors "
    "use the id and ignore the name. An id from another model's tokenizer is also a valid id of "
    "this tokenizer, so nothing fails. With an id from another model's tokenizer, speech is "
    "transcribed as another language, the wrong task runs, or an image appears in place of a word.",
    remedy="Write the tokenizer's id of the token into {file|the file named}, or replace the file "
    "by the one that belongs to this checkpoint.",
    repair=person_decides("the tokenizer has no such token, so the file is of another checkpoint"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="Whisper large-v3 has one language more than large-v2, so every token after the "
    "languages moved by one; with the ids of the one, the other wrote down in its own language "
    "speech that it was to translate (SYSTRAN/faster-whisper #547).",
)
def named_ids(keys: StatedKeys, spec: TokenizerSpec) -> Iterator[Finding]:
    """Look up each text that has an id, and report the errors once for each map."""
    pairs = [pair for pair in _pairs(keys) if pair.listed or _is_marker(pair.text)]
    if not pairs:
        raise NotApplicable("no settings file pairs the text of a token with an id")
    ids = IdsByText(spec)
    groups: dict[tuple[str, str], list[TextWithId]] = {}
    for pair in pairs:
        have = ids.of(pair.token)
        if have != pair.id and (have is not None or pair.listed):
            groups.setdefault((pair.place.file, pair.group), []).append(pair)
    for wrong in groups.values():
        yield _finding(spec, wrong, ids)


def _pairs(keys: StatedKeys) -> Iterator[TextWithId]:
    files: dict[str, list[StatedKey]] = {}
    for key in keys.all:
        if key.base in FILES:
            files.setdefault(key.file, []).append(key)
            yield from pairs_of(key)
    yield from across(keys.all)
    for file, stated in files.items():
        yield from adjacent_ids({key.key: key.value for key in stated}, file)


def _is_marker(text: str) -> bool:
    """Return whether a text is written like a marker; names of labels are not."""
    return looks_like_marker(text) or (text.startswith(MARK) and text.endswith(MARK))


def _finding(spec: TokenizerSpec, wrong: Sequence[TextWithId], ids: IdsByText) -> Finding:
    first = wrong[0]
    shown = [f"{quote(pair.token)} ({_said(spec, pair, ids.of(pair.token))})" for pair in wrong]
    return Finding(
        Severity.ERROR,
        f"{first.group} in {first.place.file} gives {plural(len(wrong), 'token')} a wrong id: "
        f"{some(shown, 3)}.",
        tuple(pair.place for pair in wrong[:12]),
        cause=first.group,
        about=about(*(pair.token for pair in wrong)),
        repair=_repair(wrong, ids),
    )


def _repair(wrong: Sequence[TextWithId], ids: IdsByText) -> Repair | None:
    """Set the tokenizer's own id for each text that is a token."""
    changes = []
    for pair in wrong:
        own, place = ids.of(pair.token), pair.place
        if type(place.value) is int:
            changes.append(removed(place) if own is None else set_to(place, own))
        elif own is not None and place.pointer.rpartition("/")[2].isdecimal():
            moved = replace(place, pointer=f"{place.pointer.rpartition('/')[0]}/{own}")
            changes += [removed(place), set_to(moved, place.value)]
        else:
            return None
    return repaired(*changes)


def _said(spec: TokenizerSpec, pair: TextWithId, have: int | None) -> str:
    there = name_of(spec, pair.id)
    is_there = "no token has" if there is None else f"is the id of {quote(there)}"
    own = "and the tokenizer lacks the token" if have is None else f"instead of {have}"
    return f"{pair.id}, which {is_there}, {own}"
