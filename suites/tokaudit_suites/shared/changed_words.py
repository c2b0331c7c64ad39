"""Words that the declared steps delete or alter.

Published normalizers change case, marks, width, spaces and control characters, and none changes
letters and digits otherwise, but for a few letters of a script that are written as one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from tokaudit.engine.texts.coming_back import ComingBack, exempt_contents
from tokaudit.plugin import NotApplicable, Reference, Samples, need
from tokaudit_reference.spec import SpecError, TokenizerSpec
from tokaudit_reference.steps.normalizers.precompiled import charsmap
from tokaudit_reference.steps.step import Step
from tokaudit_suites.shared.vocab_entries import is_written_in_bytes, read_back

WORD = re.compile(r"[^\W_]+")
ESCAPED = re.compile(r"\\[pP]\{[^}]*\}|\\u\{?[0-9a-fA-F]+\}?|\\.")
EACH = 2  # sentences of a sample
MOST = 40  # words of a pattern, and entries of a map
FOLDED = re.compile(r"LATIN (?:SMALL|CAPITAL) LETTER (\w)(?: WITH .*)?|ARABIC .*|DIGIT .*")
"""Characters that published normalizers write as another of their kind: the group is that one."""


@dataclass(frozen=True, slots=True)
class ChangedText:
    """A text, its form given to the model, and the step that changes its words."""

    text: str
    given: str
    step: str
    stage: str
    named: bool = False  # the pattern of the step names a part of the text


@dataclass(frozen=True)
class ChangedWords:
    """Texts with changed words, the shortest first, and the number of texts run.

    `rewritten` are texts that a pattern of a step names, each with what becomes of it.
    """

    all: tuple[ChangedText, ...]
    run: int
    rewritten: tuple[ChangedText, ...] = ()


@need
def changed_words(spec: TokenizerSpec, reference: Reference, samples: Samples) -> ChangedWords:
    """Run sentences, and texts that the steps search for; not applicable without a step."""
    steps = [s for s in (*spec.normalizer.steps, *spec.pre_tokenizer.steps) if _may_change(s)]
    if not steps:
        raise NotApplicable("no step of the normalizer or pre-tokenizer rewrites or deletes text")
    exempt = ComingBack(spec.normalizer, exempt_contents(spec))
    parts = {step: tuple(_looked_for(step)) for step in steps}
    texts = dict.fromkeys(text for named in parts.values() for text in named)
    texts |= dict.fromkeys(s for each in samples.all for s in each.sentences[:EACH])
    asked = [text for text in texts if not exempt.exempts(text)]
    given = reference.pre_tokens(asked)
    of_bytes = any(step.effects.writes_bytes for step in spec.normalizer.steps)
    of_bytes = of_bytes or is_written_in_bytes(spec)
    ran = [
        ChangedText(text, _text("".join(pieces), of_bytes=of_bytes), *_blamed(spec, parts, text))
        for text, pieces in zip(asked, given, strict=True)
        if pieces is not None
    ]
    found = (each for each in ran if not same_words(each.text, each.given))
    return ChangedWords(
        tuple(sorted(found, key=lambda each: len(each.text))),
        len(asked),
        tuple(e for e in ran if e.named and e.given.split() != e.text.split()),
    )


def _may_change(step: Step) -> bool:
    return bool(step.effects.loses) or bool(WORD.search(step.effects.writes or ""))


def _looked_for(step: Step) -> Iterator[str]:
    """Yield texts that match a step's pattern or map, as far as these are stated."""
    pattern = step.effects.pattern
    if pattern is not None:
        named = [pattern.text] if pattern.literal else _words_of(pattern.text)
        for word in named[:MOST]:
            yield from (word, f"so {word} it")
    if step.effects.charsmap:
        yield from _keys_that_change(step.effects.charsmap)


def _words_of(expression: str) -> list[str]:
    """Return the words inside a regular expression, longer than a letter.

    >>> _words_of(r"\\b(?:not|never)\\b\\p{L}")
    ['not', 'never']
    """
    plain = ESCAPED.sub(" ", expression)
    return [word for word in WORD.findall(plain) if len(word) > 1]


@lru_cache(4)
def _keys_that_change(encoded: str) -> tuple[str, ...]:
    """Return the keys of a map whose values have other words."""
    try:
        table = charsmap(encoded)
        entries = {} if table is None else table.entries()
    except SpecError:
        return ()
    pairs = ((key.decode("utf-8", "replace"), made) for key, made in entries.items())
    other = ((k, made) for k, made in pairs if unicodedata.normalize("NFKC", k) != made)
    return tuple(key for key, made in other if not same_words(key, made))[:MOST]


def _text(given: str, *, of_bytes: bool) -> str:
    return read_back(given) if of_bytes else given


def _blamed(
    spec: TokenizerSpec, parts: Mapping[Step, tuple[str, ...]], text: str
) -> tuple[str, str, bool]:
    """Return the step whose pattern matches the text, or else the first, with its stage."""
    naming = next((s for s, named in parts.items() if any(part in text for part in named)), None)
    step = next(iter(parts)) if naming is None else naming
    stage = "normalizer" if step in spec.normalizer.steps else "pre_tokenizer"
    return step.type, stage, naming is not None


def same_words(text: str, other: str) -> bool:
    """Return whether two texts have the same letters and digits after usual normalization.

    A character that this Python does not know may be written as any letter.

    >>> same_words("Café №1", "cafe no1"), same_words("do not", "do"), same_words("ø", "o")
    (True, False, True)
    """
    return letters(text) == letters(other) or any(unicodedata.category(c) == "Cn" for c in text)


@lru_cache(100_000)
def _plain(character: str) -> str:
    match unicodedata.category(character)[0]:
        case "L" | "N":
            name = FOLDED.fullmatch(unicodedata.name(character, ""))
            if name is None:
                return character
            return (name[1] or name[0].partition(" ")[0]).casefold()
    return ""


def letters(text: str) -> str:
    """Return the letters and digits of a text without case, marks, width and the like."""
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(map(_plain, apart))
