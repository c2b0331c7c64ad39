"""Prompts of a sentence encoder: a default that is missing, and texts of one another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tokaudit.plugin import (
    Basis,
    Contents,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Severity,
    SourceFile,
    Subject,
    UnreadableError,
    check,
)
from tokaudit.subject.safe_json import parse, pointer
from tokaudit.subject.upstream.sentence_encoders import prompts_of_every_encoder
from tokaudit.subject.upstream.versions import SENTENCE_TRANSFORMERS
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.wording import quote, some

CONFIG, KEY = "config_sentence_transformers.json", "default_prompt_name"
WORD = re.compile(r"[^\W_]+")
LONGEST, SHOWN = 80, 8


@check(
    "files/prompts",
    title="Prompts are stated, under their own names",
    why="sentence-transformers puts the default prompt before every text. If the name of the "
    "default prompt is not among the encoder's prompts, sentence-transformers refuses to load the "
    "encoder. If two prompts have each other's text, queries and passages are told apart the wrong "
    "way round, and a search finds less.",
    remedy="In {file|the file}, set default_prompt_name to the name of one of the prompts, or to "
    "null.",
    repair=person_decides("which prompt was meant is in no other file"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    harms={"exchanged": Harm.OTHER_PROMPT},
    basis=Basis.INTRINSIC,
    incident="Files that stated no prompts ended encoding with ValueError for the prompt that was "
    "named (QwenLM/Qwen3-Embedding #10).",
)
def prompts(subject: Subject, contents: Contents) -> Iterator[Finding]:
    """Look for the default among the prompts of the same file."""
    stated = [file for file in subject.files if file.base == CONFIG and not file.impostor]
    if not stated:
        raise NotApplicable("no file states the prompts of a sentence encoder")
    always = prompts_of_every_encoder()
    for file in stated:
        default, given = _stated(contents, file)
        yield from _exchanged(file.name, given or {})
        if isinstance(default, str) and given is not None and default not in {*always, *given}:
            message = (
                f"{file.name} names {default[:80]!r} as the default prompt, but defines "
                f"{_listed([*given])}: sentence-transformers {SENTENCE_TRANSFORMERS} stops when it "
                "loads the encoder."
            )
            place = Place("config", file.name, f"/{KEY}", default[:80])
            yield Finding(Severity.ERROR, message, (place,), cause="missing prompt")


def _exchanged(file: str, prompts: Mapping[str, Any]) -> Iterator[Finding]:
    """Report prompts that spell the name of another, which does not spell its own.

    Several may spell one name, as "document" and "passage" do where both are "passage: ".
    """
    by_words = {words: name for name in prompts if (words := _words(name))}
    spelt = {name: _spelt(text, by_words) - {name} for name, text in prompts.items()}
    own = {name for name, text in prompts.items() if name in _spelt(text, by_words)}
    crossed = [name for name, others in spelt.items() if name not in own and others - own]
    if crossed:
        shown = [f"{quote(prompts[a][:LONGEST])} for {a[:LONGEST]!r}" for a in crossed]
        yield Finding(
            Severity.WARNING,
            f"{file} has the prompt {some(shown)}, where another prompt of the file has that name: "
            "texts of one kind begin as the model expects it of the other.",
            tuple(
                Place("config", file, pointer("prompts", a), prompts[a]) for a in crossed[:SHOWN]
            ),
            cause="exchanged",
            remedy=f"Let each prompt in {file} have the text that the model expects.",
        )


def _spelt(text: Any, by_words: Mapping[tuple[str, ...], str]) -> set[str]:
    """Return the prompts whose name a text is, if need be with a word before it.

    >>> _spelt("search_query: ", {("query",): "query"})
    {'query'}
    >>> _spelt("task: search result | query: ", {("query",): "query"})
    set()
    """
    words = _words(text)
    return {by_words[each] for each in (words, words[1:]) if each in by_words}


def _words(text: Any) -> tuple[str, ...]:
    return tuple(WORD.findall(text[:LONGEST].casefold())) if isinstance(text, str) else ()


def _stated(contents: Contents, file: SourceFile) -> tuple[Any, dict[str, Any] | None]:
    """Return the default and the prompts; None if they cannot be read."""
    try:
        found: Any = parse(contents.whole(file), file.name)
    except UnreadableError:
        return None, None  # files/parse says so
    given = found.get("prompts", {}) if isinstance(found, dict) else None
    if not isinstance(given, dict):
        return None, None
    return found.get(KEY), given


def _listed(names: list[str]) -> str:
    return f"only {some([repr(name[:80]) for name in names])}" if names else "none"
