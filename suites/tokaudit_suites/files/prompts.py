"""A default prompt that is not among a sentence encoder's prompts."""

from __future__ import annotations

from collections.abc import Iterator
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
from tokaudit.subject.safe_json import parse
from tokaudit.subject.upstream.sentence_encoders import prompts_of_every_encoder
from tokaudit.subject.upstream.versions import SENTENCE_TRANSFORMERS
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.wording import some

CONFIG, KEY = "config_sentence_transformers.json", "default_prompt_name"


@check(
    "files/prompts",
    title="The default prompt is one that is stated",
    why="sentence-transformers puts the default prompt before every text. If the name of the "
    "default prompt is not among the encoder's prompts, sentence-transformers refuses to load the "
    "encoder.",
    remedy="In {file|the file}, set default_prompt_name to the name of one of the prompts, or to "
    "null.",
    repair=person_decides("which prompt was meant is in no other file"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
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
        default, names = _stated(contents, file)
        if isinstance(default, str) and names is not None and default not in {*always, *names}:
            message = (
                f"{file.name} names {default[:80]!r} as the default prompt, but defines "
                f"{_listed(names)}: sentence-transformers {SENTENCE_TRANSFORMERS} stops when it "
                "loads the encoder."
            )
            place = Place("config", file.name, f"/{KEY}", default[:80])
            yield Finding(Severity.ERROR, message, (place,), cause="missing prompt")


def _stated(contents: Contents, file: SourceFile) -> tuple[Any, list[str] | None]:
    """Return the default and the prompt names; None if they cannot be read."""
    try:
        found: Any = parse(contents.whole(file), file.name)
    except UnreadableError:
        return None, None  # files/parse says so
    given = found.get("prompts", {}) if isinstance(found, dict) else None
    if not isinstance(given, dict):
        return None, None
    return found.get(KEY), list(given)


def _listed(names: list[str]) -> str:
    return f"only {some([repr(name[:80]) for name in names])}" if names else "none"
