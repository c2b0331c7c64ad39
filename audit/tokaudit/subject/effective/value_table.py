"""Tabulate the value that each loader uses for important keys, with its source.

A row is a key, a cell what one loader takes: stated by a file, taken by a class, absent or null.
The versions of transformers are emulated from their records; the other readers' cells are read
from their files, as their own code reads them.

Source: `_from_pretrained` of both versions of transformers, tokenization_utils_base.py;
`GenerationConfig.from_pretrained` of both; `Transformer` of sentence-transformers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tokaudit.report.recorded import LoaderValue, SaidBy
from tokaudit.subject.configs import ROLE_TOKENS
from tokaudit.subject.effective.class_choice import FAST, MODEL, TOKENIZER, class_choice
from tokaudit.subject.effective.class_settings import SETTINGS, VersionReader, version_reader
from tokaudit.subject.effective.loaders import CURRENT, Loader
from tokaudit.subject.effective.readers.gguf_converter import Converter
from tokaudit.subject.effective.readers.gguf_values import GgufValues, templates_of
from tokaudit.subject.effective.readers.mistral_values import mistral_values
from tokaudit.subject.effective.readers.sentence_encoder import SentenceEncoder
from tokaudit.subject.effective.refused import refusals
from tokaudit.subject.effective.settings_object import settings_file, settings_object
from tokaudit.subject.effective.text_ends import ends_by, ends_of_file
from tokaudit.subject.effective.tokenizer_file import TOKENIZER_JSON, chosen_tokenizer_file
from tokaudit.subject.effective.tokens_added import tokens_added
from tokaudit.subject.formats.gguf.keys import PREFIX
from tokaudit.subject.material import Subject
from tokaudit.subject.representations import Representation
from tokaudit.subject.safe_json import pointer
from tokaudit.subject.upstream.model_type import known_type, value_of
from tokaudit.subject.upstream.own_code import own_class
from tokaudit.subject.upstream.precedence import first_of
from tokaudit_reference.spec import Standing, TokenizerSpec, TokenType

WHOLE, GGUF, PIECES = "tokenizer.json", "gguf", "sentencepiece"
RANKS, TEKKEN = "tiktoken", "tekken"
CLASS, FILE, BEFORE, AFTER = "tokenizer_class", "tokenizer file", "before a text", "after a text"
TEMPLATE, TEMPLATE_FILE, NAMED = "chat_template", "chat_template.jinja", "additional_chat_templates"
GENERATION, STOPS, ROWS = "generation_config.json", "eos_token_id", "vocab_size"
MOST = "model_max_length"
GENERATED = (STOPS, "bos_token_id", "pad_token_id", "decoder_start_token_id")
OF_MODEL = (ROWS, "image_token_id", "video_token_id", "audio_token_id")
BYTES = 256
BLOCKS = ("truncation", "padding")
ADDED, FLAGS = "added tokens", ("special", "lstrip", "rstrip", "single_word", "normalized")
Parsed = Sequence[tuple[Representation, TokenizerSpec]]


def value_table(subject: Subject, parsed: Parsed) -> tuple[LoaderValue, ...]:
    """Return every known value, loader by loader, in the order of keys."""
    versions = [[*_of_version(subject, loader, parsed)] for loader in CURRENT]
    length = next((cell for cell in versions[-1] if cell.key == MOST), None)
    return tuple(
        cell
        for of_reader in (
            *versions,
            *(_of_file(spec) for _, spec in parsed if spec.format == WHOLE),
            SentenceEncoder(subject, length).cells(),
            *(_of_pieces(spec) for _, spec in parsed if spec.format in (PIECES, RANKS)),
            *(mistral_values(subject, spec) for _, spec in parsed if spec.format == TEKKEN),
            *(_of_gguf(subject, spec) for _, spec in parsed if spec.format == GGUF),
            Converter(subject, _whole(subject, parsed)).cells(),
        )
        for cell in of_reader
    )


def _whole(subject: Subject, parsed: Parsed) -> TokenizerSpec | None:
    """Return the tokenizer.json of exactly this name, not one for another version."""
    file = settings_file(subject, TOKENIZER_JSON)
    return next((spec for _, spec in parsed if file is not None and file.name in spec.files), None)


def _of_version(subject: Subject, loader: Loader, parsed: Parsed) -> Iterator[LoaderValue]:
    """Yield the values of one transformers version, first whether it loads the folder."""
    name = f"{loader.name} (emulated)"
    choice = class_choice(subject, loader.version)
    if choice is None:
        said = "code of the checkpoint, not examined"
        for fact in subject.facts_named("auto_map") if own_class(subject) else ():
            yield LoaderValue(CLASS, name, said, SaidBy.FILE, fact.file, fact.pointer)
        return
    for refused in refusals(subject, loader.version):
        said = f"refused: {refused.says}"
        yield LoaderValue(refused.key, name, said, SaidBy.FILE, refused.file, refused.pointer)
        return
    yield LoaderValue(CLASS, name, choice.name, SaidBy.FILE, choice.file, choice.pointer)
    file = chosen_tokenizer_file(subject, loader.version, settings_object(subject, TOKENIZER))
    spec = next((spec for _, spec in parsed if file is not None and file.name in spec.files), None)
    if file is not None:
        yield LoaderValue(FILE, name, file.name, SaidBy.FILE, file.name)
    reader = version_reader(subject, loader, choice, spec)
    if spec is not None and spec.format == WHOLE:
        yield _added(name, spec, tokens_added(subject, spec, loader))
    yield from _around(reader)
    cells = (*(reader.role(key) for key in ROLE_TOKENS), *map(reader.setting, SETTINGS))
    yield from (cell for cell in cells if cell is not None)
    yield from _template(subject, name)
    yield from _of_generation(subject, loader)


def _added(
    loader: str, spec: TokenizerSpec, more: Sequence[str], at: str = pointer("added_tokens")
) -> LoaderValue:
    """Describe a file's added tokens by flags, and those that settings add."""
    listed = spec.added_tokens
    if not (listed or more):
        return LoaderValue(ADDED, loader, None, SaidBy.NOBODY)
    flags = {flag: sum(getattr(token, flag) for token in listed) for flag in FLAGS}
    said = [f"{len(listed):,}", *(f"{flag} {count:,}" for flag, count in flags.items() if count)]
    said += [f"by settings {' '.join(more)}"] if more else []
    return LoaderValue(ADDED, loader, ", ".join(said), SaidBy.FILE, spec.files[0], at)


def _around(reader: VersionReader) -> Iterator[LoaderValue]:
    """Yield the tokens around a text: the file's, or the class's by role."""
    ends = ends_by(reader)
    if ends is None or reader.spec is None:
        return
    file = reader.spec.files[0]
    for key, tokens in ((BEFORE, ends.before), (AFTER, ends.after)):
        shown = " ".join(tokens) or None
        if ends.layout is not None:
            name = ends.name.removesuffix(FAST)
            said = SaidBy.CLASS if shown else SaidBy.NOBODY
            yield LoaderValue(key, reader.loader, shown, said, class_name=name)
        elif shown:
            at = pointer("post_processor")
            yield LoaderValue(key, reader.loader, shown, SaidBy.FILE, file, at)
        else:
            yield LoaderValue(key, reader.loader, None, SaidBy.NOBODY)


def _template(subject: Subject, loader: str) -> Iterator[LoaderValue]:
    """Yield the templates' names and places: files go before the key."""
    files = sorted(file.name for file in subject.files if _is_template(file.name))
    keyed = TEMPLATE in settings_object(subject, TOKENIZER)
    there = {TEMPLATE_FILE: bool(files), TOKENIZER: keyed}
    taken = next((each for each in first_of("template") if there.get(each)), None)
    if taken == TEMPLATE_FILE:
        names = [
            name.rpartition("/")[2].removesuffix(".jinja")
            for name in files
            if not name.endswith(TEMPLATE_FILE)
        ]
        default = ["default"] if any(name.endswith(TEMPLATE_FILE) for name in files) else []
        shown = ", ".join(dict.fromkeys(default + names))
        yield LoaderValue(TEMPLATE, loader, shown, SaidBy.FILE, files[0])
        return
    file, stated = settings_file(subject, TOKENIZER), settings_object(subject, TOKENIZER)
    if file is None or taken is None:
        yield LoaderValue(TEMPLATE, loader, None, SaidBy.NOBODY)
        return
    at, value = pointer(TEMPLATE), _names(stated[TEMPLATE])
    yield LoaderValue(TEMPLATE, loader, value, SaidBy.FILE, file.name, at)


def _is_template(name: str) -> bool:
    folder, _, base = name.rpartition("/")
    named = folder.rpartition("/")[2] == NAMED
    return base == TEMPLATE_FILE or (named and base.endswith(".jinja"))


def _names(value: Any) -> str | None:
    """Name the templates of a key; a single text is the default."""
    if isinstance(value, list):
        return ", ".join(str(each.get("name")) for each in value if isinstance(each, dict))
    return None if value is None else "default"


def _of_generation(subject: Subject, loader: Loader) -> Iterator[LoaderValue]:
    """Yield the ids for generation, the row count, and a processor's ids."""
    name = f"{loader.name} (emulated)"
    there = (each for each in first_of("stop") if settings_file(subject, each) is not None)
    base = next(there, MODEL)
    kind = settings_object(subject, MODEL).get("model_type")
    of_files = (*((key, base) for key in GENERATED), *((key, MODEL) for key in OF_MODEL))
    for key, own in of_files:
        file, stated = settings_file(subject, own), settings_object(subject, own)
        if file is None:
            continue
        known = value_of(kind, key) if own == MODEL and isinstance(kind, str) else None
        of_part = own == MODEL and known is None and isinstance(kind, str) and known_type(kind)
        if of_part and (key == ROWS or stated.get(key) is None):
            continue  # a part of the model says it
        if key in stated:
            at = pointer(key)
            yield LoaderValue(key, name, stated[key], SaidBy.FILE, file.name, at)
        elif known is not None and (taken := known.by_version().get(loader.name)):
            value = taken[0] if len(taken) == 1 else [*taken]
            yield LoaderValue(key, name, value, SaidBy.CLASS, class_name=f"a {kind}")
        elif own == GENERATION:
            yield LoaderValue(key, name, None, SaidBy.NOBODY)


def _of_file(spec: TokenizerSpec) -> Iterator[LoaderValue]:
    """Yield the values of tokenizer.json alone, without files next to it."""
    name, file = "tokenizers (its file alone)", spec.files[0]
    yield LoaderValue(FILE, name, file, SaidBy.FILE, file)
    yield _added(name, spec, ())
    yield from _of_ends(name, spec, pointer("post_processor"))
    for block in BLOCKS:
        stated = getattr(spec, block).options
        said = SaidBy.FILE if stated else SaidBy.NOBODY
        at = (file, pointer(block)) if stated else ("", "")
        yield LoaderValue(f"{block} by itself", name, _brief(stated), said, *at)


def _of_ends(loader: str, spec: TokenizerSpec, at: str) -> Iterator[LoaderValue]:
    """Yield the post-processor's tokens around a text; none if it is unstated."""
    if spec.post_processor.standing is Standing.UNSTATED:
        return
    for key, tokens in zip((BEFORE, AFTER), ends_of_file(spec), strict=True):
        if tokens:
            yield LoaderValue(key, loader, " ".join(tokens), SaidBy.FILE, spec.files[0], at)
        else:
            yield LoaderValue(key, loader, None, SaidBy.NOBODY)


def _brief(block: Any) -> str | None:
    """Describe a block by its side and length."""
    if not block:
        return None
    parts = (block.get(key) for key in ("direction", "max_length", "strategy"))
    said = (" ".join(map(str, *part.items())) if isinstance(part, dict) else part for part in parts)
    return ", ".join(str(part) for part in said if part is not None)


def _of_pieces(spec: TokenizerSpec) -> Iterator[LoaderValue]:
    """Yield the values of SentencePiece or tiktoken, which add nothing around a text."""
    name, file = f"{spec.format} (its file alone)", spec.files[0]
    if said := _refused_pieces(spec):
        yield LoaderValue(FILE, name, f"refused: {said}", SaidBy.FILE, file)
        return
    yield LoaderValue(FILE, name, file, SaidBy.FILE, file)
    for key in (BEFORE, AFTER):
        yield LoaderValue(key, name, None, SaidBy.NOBODY)
    if spec.format != PIECES:
        return
    for role, id in (("bos_token", spec.begin_id), ("unk_token", spec.unk_id)):
        piece = None if id is None else spec.pieces.get(id)
        if piece is None:
            yield LoaderValue(role, name, None, SaidBy.NOBODY)
        else:
            yield LoaderValue(role, name, str(piece.value), SaidBy.FILE, file)


def _refused_pieces(spec: TokenizerSpec) -> str:
    """Return SentencePiece's error for byte pieces that its switch forbids; else ""."""
    of_bytes = sum(piece.token_type is TokenType.BYTE for piece in spec.every_piece())
    if of_bytes and not spec.byte_fallback:
        return "there are byte pieces although byte_fallback is false"
    if spec.byte_fallback and of_bytes != BYTES:
        return f"there are {of_bytes} byte pieces although byte_fallback is true"
    return ""


def _of_gguf(subject: Subject, spec: TokenizerSpec) -> Iterator[LoaderValue]:
    """Yield the values that llama.cpp uses from a GGUF file alone."""
    values, file = GgufValues(subject, spec), spec.files[0]
    name = values.loader
    yield LoaderValue(FILE, name, file, SaidBy.FILE, file)
    yield _added(name, spec, (), f"{PREFIX}token_type")
    if spec.post_processor.standing is Standing.UNSTATED:
        said = "refused: it ends when it encodes, as a token to add has no id"
        yield LoaderValue(BEFORE, name, said, SaidBy.FILE, file)
    yield from _of_ends(name, spec, "")
    yield from values.cells()
    named = [fact for fact in subject.facts_named(TEMPLATE) if fact.file == file]
    if named:
        shown = templates_of(named)
        yield LoaderValue(TEMPLATE, name, shown, SaidBy.FILE, file, named[0].pointer)
    else:
        yield LoaderValue(TEMPLATE, name, None, SaidBy.NOBODY)
