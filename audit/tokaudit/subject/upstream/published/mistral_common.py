"""Requirements of mistral-common for a tekken.json: version, tokens, sections, entries."""

from __future__ import annotations

import base64
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from tokaudit.subject.upstream.published.spellings import control_tokens_without_list
from tokaudit.subject.upstream.records import MISTRAL, hand_written

MISTRAL_COMMON = "1.13.1"
AT_VERSION, LISTED = ("config", "version"), "special_tokens"
IMAGE, OLD_IMAGE, LAST_OLD = "image", "multimodal", "v11"  # the last version to take the old name
AUDIO, SPECTRUM, SETTINGS = "audio", "audio_encoding_config", "model_settings_builder"
ENTRY, BYTES = {"rank", "token_bytes", "token_str"}, 256
KEYS = "rank, token_bytes and token_str"
FILLER = re.compile(r"<SPECIAL_(\d{1,9})>")  # the name of a special token that is not listed
LONGEST = 40


@dataclass(frozen=True, slots=True)
class Refused:
    """A fault on which the library raises, and the path to it in the file."""

    says: str
    at: tuple[str | int, ...]


@cache
def role_texts() -> Mapping[str, str]:
    """Return the text of each role's token.

    >>> role_texts()["bos"]
    '<s>'
    """
    found: Mapping[str, str] = hand_written(MISTRAL)["roles"]
    return found


@cache
def versions() -> tuple[str, ...]:
    """Return the versions that it knows, the oldest first."""
    return tuple(hand_written(MISTRAL)["versions"])


@cache
def listless() -> tuple[str, ...]:
    """Return the versions that need no list of special tokens."""
    return tuple(hand_written(MISTRAL)["listless"])


@cache
def sections() -> Mapping[str, Mapping[str, Any]]:
    """Return the needs of each image or sound section, and the first version with it."""
    found: Mapping[str, Mapping[str, Any]] = hand_written(MISTRAL)["sections"]
    return found


def tokens_needed(version: str) -> tuple[str, ...]:
    """Return the tokens that a version requires, after those of earlier versions."""
    needs = hand_written(MISTRAL)["needs"]
    own = versions()[: versions().index(version) + 1]
    return tuple(text for each in own for text in needs.get(each, ()))


def refused(stated: Mapping[str, Any]) -> Refused | None:
    """Return the first fault of a file's content; None if the library loads it.

    >>> refused({"config": {"version": "v4"}}).says
    'there is no version v4'
    """
    return next(_refusals(stated), None)


def _refusals(stated: Mapping[str, Any]) -> Iterator[Refused]:
    config = stated.get("config")
    if not isinstance(config, dict) or "version" not in config:
        yield Refused("it states no version", ("config",))
        return
    version = config["version"]
    if version not in versions():
        yield Refused(f"there is no version {str(version)[:LONGEST]}", AT_VERSION)
        return
    listed = stated.get(LISTED)
    if listed is None and version not in listless():
        yield Refused(f"{version} needs its list of special tokens", AT_VERSION)
        return
    texts = control_tokens_without_list() if listed is None else [*map(_text, listed)]
    yield from _of_texts(texts)
    yield from _lacking(f"{version} writes", tokens_needed(version), texts, AT_VERSION)
    yield from _of_sections(stated, version, texts)
    used = (config.get(key) for key in ("default_vocab_size", "default_num_special_tokens"))
    size, special = (each if isinstance(each, int) else 0 for each in used)
    entries = stated.get("vocab")
    yield from _of_entries(entries[: max(size - special, 0)] if isinstance(entries, list) else ())


def _text(entry: Any) -> Any:
    return entry.get("token_str") if isinstance(entry, dict) else None


def _of_texts(texts: Sequence[Any]) -> Iterator[Refused]:
    """Yield special tokens without text, with another's, or with a reserved one's."""
    for index, text in enumerate(texts):
        at = (LISTED, index)
        if not isinstance(text, str):
            yield Refused(f"the special token {index} has no text", at)
        elif text in texts[:index]:
            yield Refused(f"the special token {text[:LONGEST]} is listed twice", at)
        elif (filler := FILLER.fullmatch(text)) and int(filler[1]) >= len(texts):
            yield Refused(f"{text} is the name of a place that it lists nothing for", at)


def _lacking(
    who: str, needed: Iterable[str], texts: Collection[Any], at: tuple[str | int, ...]
) -> Iterator[Refused]:
    for text in needed:
        if text not in texts:
            yield Refused(f"{who} {text}, which is not there", at)


def _of_sections(
    stated: Mapping[str, Any], version: str, texts: Collection[Any]
) -> Iterator[Refused]:
    """Yield sections that the version lacks, or that lack required fields."""
    number = versions().index(version)
    name = OLD_IMAGE if stated.get(OLD_IMAGE) else IMAGE
    if name == OLD_IMAGE and number > versions().index(LAST_OLD):
        yield Refused(f"{version} has the section {IMAGE}, and none that is called {name}", (name,))
    elif stated.get(name):
        yield from _of_section(IMAGE, (name,), stated[name], version, texts)
    sound = stated.get(AUDIO)
    if sound is not None:
        yield from _of_section(AUDIO, (AUDIO,), sound, version, texts)
        if isinstance(sound, dict) and SPECTRUM in sound:
            yield from _of_section(SPECTRUM, (AUDIO, SPECTRUM), sound[SPECTRUM], version, ())
            yield from _without_a_frame(sound, sound[SPECTRUM])
    has_settings, newest = stated.get(SETTINGS) is not None, version == versions()[-1]
    if has_settings and not newest:
        yield Refused(f"{version} has no section {SETTINGS}", (SETTINGS,))
    elif newest and not has_settings:
        yield Refused(f"{version} takes no conversation without {SETTINGS}", AT_VERSION)


def _of_section(
    section: str, at: tuple[str, ...], values: Any, version: str, texts: Collection[Any]
) -> Iterator[Refused]:
    said = sections()[section]
    since = said.get("since", version)
    if versions().index(version) < versions().index(since):
        yield Refused(f"{version} has no section {section}, which {since} is the first to have", at)
    if not isinstance(values, dict):
        yield Refused(f"{section} is no object", at)
        return
    objects, nullable = said.get("objects", ()), said.get("nullable", ())
    numbers = (*said["needs"], *said.get("takes", ()), *nullable)
    for key in (*said["needs"], *objects):
        if key not in values:
            yield Refused(f"{section} lacks {key}", at)
    for key in numbers:
        value = values.get(key, 1)
        if not (_is_positive(value) or (key in nullable and value is None)):
            said_value = str(value)[:LONGEST]
            yield Refused(f"{key} is {said_value}, and no number above zero", (*at, key))
    known = (*numbers, *objects, *said.get("others", ()))
    for key in values:
        if key not in known:
            yield Refused(f"{section} has no {key[:LONGEST]}", (*at, key))
    streams = values.get("transcription_format") == "streaming"
    needed = () if streams else said.get("tokens", ())
    yield from _lacking(f"{section} needs", needed, texts, at)


def _without_a_frame(sound: Any, spectrum: Any) -> Iterator[Refused]:
    """Yield sound tokens too short for one frame, from otherwise valid sections."""
    samples = sound["sampling_rate"] // sound["frame_rate"]
    if samples < spectrum["hop_length"]:
        said = f"a token of {int(samples)} samples is shorter than the hop_length"
        yield Refused(said, (AUDIO, "frame_rate"))


def _is_positive(value: Any) -> bool:
    return isinstance(value, int | float) and value > 0


def _of_entries(entries: Iterable[Any]) -> Iterator[Refused]:
    """Yield entries that have other keys, are duplicates, or replace one of the 256 bytes."""
    seen: set[Any] = set()
    for index, entry in enumerate(entries):
        at = ("vocab", index)
        if not isinstance(entry, dict) or entry.keys() != ENTRY:
            yield Refused(f"its entry {index:,} has other keys than {KEYS}", at)
            return
        coded = entry["token_bytes"]
        if index < BYTES and coded != base64.b64encode(bytes((index,))).decode():
            yield Refused(f"its entry {index} is not the byte {index}", at)
        if coded in seen:
            yield Refused(f"its entry {index:,} repeats another", at)
        seen.add(coded)
