"""Settings that llama.cpp's converter writes differently from transformers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tokaudit.engine.loaded import Loaded
from tokaudit.plugin import (
    Basis,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Representations,
    Severity,
    Subject,
    check,
)
from tokaudit.report.recorded import LoaderValue, values_by_key
from tokaudit.subject.effective.class_choice import MODEL, TOKENIZER
from tokaudit.subject.effective.loaders import CURRENT, LLAMA_CPP
from tokaudit.subject.effective.readers.gguf_converter import NAME
from tokaudit.subject.effective.settings_object import settings_file, settings_object
from tokaudit.subject.effective.value_table import AFTER, BEFORE, value_table
from tokaudit.subject.upstream.llama_cpp.gguf_models import converted_architectures
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import person_decides, repaired, setting
from tokaudit_suites.shared.vocab_entries import IdsByText
from tokaudit_suites.shared.wording import quote

Rows = Mapping[str, Mapping[str, LoaderValue]]
BOTH = " and ".join(loader.name for loader in CURRENT)


@check(
    "loaders/converted",
    title="llama.cpp's converter keeps the tokens around texts",
    why="llama.cpp's converter to GGUF reads other files and keys of a model folder than "
    "transformers does. A converted GGUF file may put another token at the start or end of each "
    "text: the model then answers worse, but only in llama.cpp, Ollama and LM Studio.",
    remedy="In tokenizer_config.json, write the token and its flag (such as bos_token and "
    "add_bos_token) in a form that llama.cpp's converter reads, and convert the model again.",
    repair=person_decides("no file says which of the two tokens the model expects"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=Basis.CROSS_FILE,
    left_to_code=True,
    incident="bert-base-uncased was converted without the tokens around its texts, as the settings "
    "do not name [CLS] (ggml-org/llama.cpp #24428).",
)
def converted(
    subject: Subject, spec: TokenizerSpec, found: Representations, loaded: Loaded
) -> Iterator[Finding]:
    """Compare the ids and flags of a converted GGUF file with those of both versions."""
    meant = loaded.stated and any(by.loader.library == LLAMA_CPP for by in loaded.all)
    rows = values_by_key(value_table(subject, found.parsed))
    settings = settings_file(subject, TOKENIZER)
    if not meant and not _is_convertible(subject):
        raise NotApplicable("config.json names no architecture that llama.cpp converts")
    if settings is None or not any(NAME in row for row in rows.values()):
        raise NotApplicable(
            "the converter of llama.cpp needs config.json and tokenizer_config.json"
        )
    severity = Severity.ERROR if meant else Severity.WARNING
    for role, around in (("bos", BEFORE), ("eos", AFTER)):
        yield from _flag(rows, role, around, settings.name, severity)
        yield from _id(rows, role, IdsByText(spec), severity)


def _is_convertible(subject: Subject) -> bool:
    named = settings_object(subject, MODEL).get("architectures")
    names = named if isinstance(named, list) else []
    return any(isinstance(each, str) and each.endswith(converted_architectures()) for each in names)


def _flag(rows: Rows, role: str, around: str, file: str, severity: Severity) -> Iterator[Finding]:
    """Report a contradicting flag; an unwritten flag is up to the model type."""
    key = f"add_{role}_token"
    written, tokens = rows.get(key, {}).get(NAME), _of_both(rows, around)
    if written is None or written.value is None or tokens is None:
        return
    if written.value == (tokens.value is not None):
        return
    taken = quote(str(tokens.value)) if tokens.value is not None else "no token"
    yield Finding(
        severity,
        f"{NAME} writes {key} = {str(written.value).lower()} (from {written.source}), but "
        f"{BOTH} (emulated) put {taken} {around}.",
        (Place("config", written.file or file, written.pointer),),
        cause=key,
        repair=repaired(setting(file, key, tokens.value is not None)),
    )


def _id(rows: Rows, role: str, ids: IdsByText, severity: Severity) -> Iterator[Finding]:
    """Report a role's id that differs, if both versions agree on a token with an id."""
    key = f"{role}_token"
    written, token = rows.get(f"{key}_id", {}).get(NAME), _of_both(rows, key)
    if written is None or written.value is None or token is None or token.value is None:
        return
    id = ids.of(str(token.value))
    if id is None or id == written.value:
        return
    yield Finding(
        severity,
        f"{NAME} writes {key}_id = {written.value} (from {written.source}), but {BOTH} (emulated) "
        f"use {quote(str(token.value))}, id {id} (from {token.source}).",
        (
            Place("config", written.file, written.pointer, written.value),
            Place("config", token.file, token.pointer, token.value),
        ),
        cause=key,
    )


def _of_both(rows: Rows, key: str) -> LoaderValue | None:
    """Return the value of a key if both transformers versions agree on it; else None."""
    cells = [rows.get(key, {}).get(f"{loader.name} (emulated)") for loader in CURRENT]
    first = cells[0]
    same = all(
        each is not None and first is not None and each.value == first.value for each in cells
    )
    return first if same else None
