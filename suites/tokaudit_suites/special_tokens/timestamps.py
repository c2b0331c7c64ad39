"""Whisper timestamps, whose ids stand for a time by their position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Place, Severity, Subject, check
from tokaudit.subject.upstream.published.speech_prompt import (
    NO_TIMES,
    SILENCE,
    is_time,
    times,
    tokens_of,
)
from tokaudit_reference.spec import AddedToken, TokenizerSpec
from tokaudit_suites.shared.repairs import base_decides, repaired, set_to
from tokaudit_suites.shared.stated_roles import place_of
from tokaudit_suites.shared.vocab_entries import added_by_content, is_special, name_of
from tokaudit_suites.shared.wording import in_added, plural, quote, some


@dataclass(frozen=True, slots=True)
class _Times:
    """First timestamp id of the class, and the tokens that are written like timestamps."""

    begin: int
    tokens: tuple[AddedToken, ...]


@check(
    "special_tokens/timestamps",
    title="Whisper's timestamps are the 1,501 ids after <|notimestamps|>",
    why="Whisper computes timestamps from ids: it counts from the id after <|notimestamps|>, 0.02 "
    "s for each id. If another token or a gap is between the ids of Whisper's timestamps, all "
    "later times shift. If a timestamp token of Whisper is marked as special, decoding drops the "
    "time from the text.",
    remedy="Give the tokens from <|0.00|> to <|30.00|> consecutive ids directly after "
    "<|notimestamps|>, with special set to false. In generation_config.json, set "
    "no_timestamps_token_id to the id of <|notimestamps|>.",
    repair=base_decides("the ids of the timestamps are those of their rows in the base"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=(Basis.INTRINSIC, Basis.CROSS_FILE),
    left_to_code=True,
    incident="WhisperTokenizer takes the last special id plus one for <|0.00|>, and generation "
    "no_timestamps_token_id plus one (transformers 4.57.6, whisper/tokenization_whisper.py "
    "_compute_offsets, whisper/generation_whisper.py _set_return_timestamps).",
)
def timestamps(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Compare the timestamps with the positions that the class expects."""
    [text] = tokens_of(NO_TIMES)
    marker = added_by_content(spec).get(text)
    if marker is None:
        raise NotApplicable(f"the tokenizer has no {text}")
    written = tuple(token for token in spec.added_tokens if is_time(token.content))
    found = _Times(marker.id + 1, written)
    yield from _around(spec, marker)
    yield from _config(subject, marker)
    if written:
        yield from _misplaced(spec, found)
        yield from _special(spec, found)
    else:
        yield from _no_room(subject, found)


def _around(spec: TokenizerSpec, marker: AddedToken) -> Iterator[Finding]:
    """Report a marker that is not special, or a missing token for silence before it."""
    if not marker.special:
        yield Finding(
            Severity.ERROR,
            f"{marker.content} is not special, so the tokenizer class counts timestamps from "
            "another token.",
            (in_added(spec, marker.content, marker.special),),
            cause="marker",
            repair=repaired(set_to(_flag(spec, marker.content), True)),
        )
    before = name_of(spec, marker.id - 1)
    silent = tokens_of(SILENCE)
    if before not in silent:
        shown = "no token" if before is None else quote(before)
        yield Finding(
            Severity.WARNING,
            f"The id before {marker.content} belongs to {shown}; generation takes that id for the "
            f"token of silence, {some([quote(text) for text in silent])}.",
            (in_added(spec, marker.content, marker.id),),
            cause="silence",
        )


def _config(subject: Subject, marker: AddedToken) -> Iterator[Finding]:
    for fact in subject.facts_named("no_timestamps_token_id"):
        if fact.value is not None and fact.value != marker.id:
            yield Finding(
                Severity.ERROR,
                f"{fact.file} gives no_timestamps_token_id {fact.value}, but {marker.content} is "
                f"id {marker.id}: generation shifts all times by the difference.",
                (place_of(fact, "special_roles"),),
                cause="config",
                repair=repaired(set_to(place_of(fact, "special_roles"), marker.id)),
            )


def _misplaced(spec: TokenizerSpec, found: _Times) -> Iterator[Finding]:
    """Report timestamps that are missing, at a wrong id, or unknown to the class."""
    ids = {token.content: token.id for token in found.tokens}
    wanted = dict(zip(times(), count(found.begin), strict=False))
    wrong = [text for text, id in wanted.items() if ids.get(text) != id]
    if wrong:
        first = wrong[0]
        at = f"id {ids[first]}" if first in ids else "not there"
        yield Finding(
            Severity.ERROR,
            f"{plural(len(wrong), 'timestamp')} of {len(wanted):,} do not have the ids that the "
            f"class computes: {quote(first)} is {at}, but the class reads id {wanted[first]} as "
            "this time.",
            (in_added(spec, first, ids.get(first)),),
            cause="ids",
        )
    if more := [text for text in ids if text not in wanted]:
        yield Finding(
            Severity.WARNING,
            f"{plural(len(more), 'token')} are written like timestamps, but the class reads them "
            f"as text: {some([quote(text) for text in more])}.",
            (in_added(spec, more[0]),),
            cause="others",
        )


def _special(spec: TokenizerSpec, found: _Times) -> Iterator[Finding]:
    special = [token for token in found.tokens if is_special(spec, token.id)]
    if special:
        yield Finding(
            Severity.ERROR,
            f"{plural(len(special), 'timestamp')} are special, such as "
            f"{quote(special[0].content)}: the class counts from after the last special token, "
            "and decoding without special tokens drops them.",
            (in_added(spec, special[0].content, True),),
            cause="special",
            repair=repaired(*(set_to(_flag(spec, token.content), False) for token in special)),
        )


def _flag(spec: TokenizerSpec, content: str) -> Place:
    """Find the flag that states whether an added token is special."""
    entry = in_added(spec, content)
    return replace(entry, pointer=f"{entry.pointer}/special", value=None)


def _no_room(subject: Subject, found: _Times) -> Iterator[Finding]:
    """Report missing rows for timestamps, which the class counts without tokens too."""
    for fact in subject.facts_named("vocab_size"):
        if isinstance(fact.value, int) and fact.value < found.begin + len(times()):
            yield Finding(
                Severity.WARNING,
                f"{fact.file} has vocab_size {fact.value:,}, but timestamps take the ids from "
                f"{found.begin} to {found.begin + len(times()) - 1}.",
                (place_of(fact, "embeddings"),),
                cause="room",
            )
