"""Special ids that a GGUF file leaves to the engine's defaults, or copied from elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tokaudit.plugin import Fact, Finding, Place, Severity, Subject
from tokaudit.subject.formats.gguf.keys import ENGINE
from tokaudit.subject.upstream.llama_cpp.gguf_models import gguf_model
from tokaudit.subject.upstream.llama_cpp.gguf_tokens import gaps
from tokaudit.subject.upstream.published.spellings import turn_ends, turn_starts
from tokaudit_reference.spec import Piece, TokenizerSpec, TokenType
from tokaudit_suites.shared.stated_roles import place_of, role_ids
from tokaudit_suites.shared.vocab_entries import IdsByText, is_special, looks_like_marker, name_of
from tokaudit_suites.shared.wording import about, plural, quote, some, stage
from tokaudit_suites.special_tokens._gguf_families import text_of

TAKEN_FROM_TEXT = (TokenType.CONTROL, TokenType.USER_DEFINED, TokenType.UNKNOWN)
SEVERAL = 3  # markers; base models of old have one, and no use for it
MARKER = re.compile(r"<\|[a-z_]+\|>|\[(?:CLS|SEP|MASK)\]|</?s>")
WRITTEN, LATER = ("bos", "eos"), ("eot", "eom")
PARTS = ("fim_pre", "fim_suf", "fim_mid")


def ids_of_roles(
    spec: TokenizerSpec,
    subject: Subject,
    file: str,
    stated: Mapping[str, Fact],
    sources: Sequence[TokenizerSpec],
) -> Iterator[Finding]:
    """Check each role with a default in the engine, and each fill-in-the-middle id.

    Where another copy of the tokenizer differs, agreement/special-tokens reports it.
    """
    known = gguf_model(text_of(stated, "gguf_model"), text_of(stated, "gguf_pre")).ids
    yield from _untyped(spec, file)
    if not known or "sep" not in known:
        yield from _typed_as_text(spec, file, stated)
    if not sources:
        yield from _cut_markers(spec, file, stated)
    for role, id in known.items():
        if f"{role}_token_id" not in stated:
            yield from _default(spec, file, role, id, stated)
            yield from _elsewhere(spec, subject, file, role, id)
    for end in LATER:
        if (fact := stated.get(f"{end}_token_id")) is not None:
            yield from _ends_at_a_word(spec, fact)
    if (fact := stated.get("eot_token_id")) is not None:
        yield from _end_of_turn(spec, subject, fact, sources)
    for part in gaps():
        if (fact := stated.get(f"fim_{part}_token_id")) is not None:
            yield from _foreign(spec, subject, fact)
    yield from _exchanged_parts(spec, stated)


def _may_be_special(spec: TokenizerSpec, id: int) -> bool:
    """Return whether an id is special or is written so; bytes look so too."""
    token, piece = name_of(spec, id), spec.pieces.get(id)
    if piece is not None and piece.token_type is TokenType.BYTE:
        return False
    return is_special(spec, id) or (token is not None and looks_like_marker(token))


def _is_mark(spec: TokenizerSpec, piece: Piece) -> bool:
    text = spec.surface(piece)
    text = text.decode(errors="replace") if isinstance(text, bytes) else text
    return MARKER.fullmatch(text) is not None


def _types(spec: TokenizerSpec, value: Any = None) -> Place:
    """Return the file's list of token types as a place, if it has one."""
    return replace(stage(spec, "token_types", value), component="special_roles")


def _untyped(spec: TokenizerSpec, file: str) -> Iterator[Finding]:
    """Report markers if none has a type that engines match in text."""
    kinds = Counter(piece.token_type for piece in spec.every_piece())
    marks = [name_of(spec, id) for id, piece in spec.each_entry() if _is_mark(spec, piece)]
    if marks and len(marks) >= SEVERAL and not any(kinds[kind] for kind in TAKEN_FROM_TEXT):
        yield Finding(
            Severity.ERROR,
            f"{file} gives no entry the type of a control token, so engines cut "
            f"{some([quote(mark or '') for mark in marks])} into pieces: chats lose their markers.",
            (_types(spec),),
            cause="no types",
        )


def _typed_as_text(spec: TokenizerSpec, file: str, stated: Mapping[str, Fact]) -> Iterator[Finding]:
    """Report a role's marker that is typed as text, if other markers are typed as control."""
    if all(piece.token_type is not TokenType.CONTROL for piece in spec.every_piece()):
        return
    roles: dict[int, str] = {}
    for role in ("eot", "eos", "bos"):
        if (fact := stated.get(f"{role}_token_id")) is not None and isinstance(fact.value, int):
            roles[fact.value] = role
    for id, role in roles.items():
        piece = spec.pieces.get(id)
        if piece and piece.token_type is TokenType.ORDINARY and _is_mark(spec, piece):
            yield Finding(
                Severity.ERROR,
                f"{file} gives the {role} token {quote(spec.surface(piece))}, id {id}, the type of "
                "ordinary text: engines cut this token into pieces in a chat, and print the token.",
                (_types(spec, id),),
                cause=f"{role} type",
            )


def _cut_markers(spec: TokenizerSpec, file: str, stated: Mapping[str, Fact]) -> Iterator[Finding]:
    """Report template markers that are typed as text and that no merge builds."""
    template, merges = text_of(stated, "chat_template"), spec.merges
    if not template or merges is None or not _types_some(spec):
        return
    made = {_joined(*pair) for pair in merges}
    cut = {
        id: piece
        for id, piece in spec.each_entry()
        if piece.token_type is TokenType.ORDINARY
        and looks_like_marker(piece.value)
        and piece.value not in made
        and _written(piece.value) in template
    }
    if cut:
        shown = some([f"{quote(piece.value)} (id {id})" for id, piece in cut.items()], 3)
        yield Finding(
            Severity.ERROR,
            f"{file} gives {plural(len(cut), 'marker')} of its own chat template the type of "
            f"ordinary text, and no merge builds such a marker: llama.cpp cuts {shown} into "
            "pieces.",
            tuple(_types(spec, id) for id in list(cut)[:3]),
            cause="cut markers",
        )


def _types_some(spec: TokenizerSpec) -> bool:
    """Return whether the file types any entry as one to match in text."""
    return any(piece.token_type in TAKEN_FROM_TEXT for piece in spec.every_piece())


def _joined(first: bytes | str, second: bytes | str) -> bytes | str:
    if isinstance(first, bytes) and isinstance(second, bytes):
        return first + second
    return _written(first) + _written(second)


def _written(value: bytes | str) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _default(
    spec: TokenizerSpec, file: str, role: str, id: int, stated: Mapping[str, Fact]
) -> Iterator[Finding]:
    """Report a default id that names an ordinary token."""
    token = name_of(spec, id)
    if token is None or _may_be_special(spec, id):
        return
    flag = stated.get(f"add_{role}_token")
    written = flag is not None and flag.value is True
    harm = "it ends every answer" if role == "eos" else "it is taken for the role"
    yield Finding(
        Severity.ERROR if written or role == "eos" else Severity.WARNING,
        f"{file} states no {role} id: llama.cpp takes {id}, which is the ordinary token "
        f"{quote(token)} here, and {'every prompt gets it' if written else harm}.",
        (Place("special_roles", file, "", id, implied_by=ENGINE),),
        cause=f"{role} default",
    )


def _elsewhere(
    spec: TokenizerSpec, subject: Subject, file: str, role: str, id: int
) -> Iterator[Finding]:
    """Report a default end of text that contradicts the configs next to the file."""
    stated = [(f, ids) for f, ids in role_ids(subject, role) if f.file.endswith(".json")]
    token = name_of(spec, id)
    if role not in WRITTEN or not stated or any(id in ids for _, ids in stated):
        return
    if token is None or not _may_be_special(spec, id):
        return  # an ordinary token is said already
    fact, ids = stated[0]
    yield Finding(
        Severity.ERROR if role == "eos" else Severity.WARNING,
        f"{file} states no {role} id: llama.cpp takes {id}, {quote(token)}, where {fact.file} "
        f"gives {ids[0]}, {quote(name_of(spec, ids[0]) or '')}.",
        (Place("special_roles", file, "", id, implied_by=ENGINE), place_of(fact, "config")),
        cause=f"{role} elsewhere",
    )


def _ends_at_a_word(spec: TokenizerSpec, fact: Fact) -> Iterator[Finding]:
    """Report an end of turn or message that is an ordinary token: the engine stops there.

    Source: ggml-org/llama.cpp, llama-vocab.cpp, special_eog_ids.
    """
    token = name_of(spec, fact.value)
    if token is not None and not _may_be_special(spec, fact.value):
        yield Finding(
            Severity.ERROR,
            f"{fact.file} gives {fact.name} {fact.value}, the ordinary token {quote(token)}: "
            "llama.cpp ends every answer where the model writes it.",
            (place_of(fact, "special_roles"),),
            cause=f"{fact.name.partition('_')[0]} word",
            about=about(ids=(fact.value,)),
        )


def _end_of_turn(
    spec: TokenizerSpec, subject: Subject, fact: Fact, sources: Sequence[TokenizerSpec]
) -> Iterator[Finding]:
    """Report an end of turn that no template writes and no settings file lists."""
    token = name_of(spec, fact.value)
    text = token.decode("utf-8", "replace") if isinstance(token, bytes) else token
    templates = [str(each.value) for each in subject.facts_named("chat_template")]
    ended = any(end in template for end in turn_ends() for template in templates)
    renamed = any(name_of(each, fact.value) != token for each in sources)
    if ended and text in turn_starts() and not renamed:  # without an end, the next start is it
        yield Finding(
            Severity.WARNING,
            f"{fact.file} ends turns with id {fact.value}, {quote(text or '')}, which begins "
            "them: an engine that follows the id does not stop where a turn ends.",
            (place_of(fact, "special_roles"),),
            cause="eot start",
        )
        return
    ends = {id for f, ids in role_ids(subject, "eos") if f.file.endswith(".json") for id in ids}
    written = text is not None and any(text in template for template in templates)
    if templates and ends and fact.value not in ends and not written:
        yield Finding(
            Severity.WARNING,
            f"{fact.file} ends turns with id {fact.value}, {quote(text or '')}, which no chat "
            "template writes and no settings file lists among the ends: an engine that waits for "
            "it does not stop.",
            (place_of(fact, "special_roles"),),
            cause="eot elsewhere",
        )


def _foreign(spec: TokenizerSpec, subject: Subject, fact: Fact) -> Iterator[Finding]:
    """Report a fill-in-the-middle id without a token, or with an ordinary or ending one."""
    token = name_of(spec, fact.value)
    ends = {id for role in WRITTEN for _, ids in role_ids(subject, role) for id in ids}
    if token is None:
        said = f"the tokenizer's ids go from 0 to {spec.size() - 1}"
    elif fact.value in ends and fact.name.startswith(PARTS):
        said = f"that is {quote(token)}, which begins or ends texts"
    elif _may_be_special(spec, fact.value):
        return
    else:
        said = f"that is the ordinary token {quote(token)}"
    yield Finding(
        Severity.WARNING,
        f"{fact.file} gives {fact.name} {fact.value}, but {said}: a gap is filled from noise.",
        (place_of(fact, "special_roles"),),
        cause=fact.name,
    )


def _exchanged_parts(spec: TokenizerSpec, stated: Mapping[str, Fact]) -> Iterator[Finding]:
    """Report fill-in-the-middle ids that share a token, or have another part's token."""
    facts = {part: fact for part in PARTS if (fact := stated.get(f"{part}_token_id")) is not None}
    wrong = {part: says for part in facts if (says := _another_part(spec, part, facts))}
    if not wrong:
        return
    shown = [f"{facts[part].name} is {facts[part].value}, {says}" for part, says in wrong.items()]
    right = [f"{facts[part].pointer} to {ids[0]}" for part in wrong if (ids := _own(spec, part))]
    yield Finding(
        Severity.ERROR,
        f"The model is asked to fill gaps at another place: in {facts[next(iter(wrong))].file} "
        f"{some(shown, 3)}.",
        tuple(place_of(facts[part], "special_roles") for part in wrong),
        remedy=f"Set {' and '.join(right)} with gguf_set_metadata.py." if right else "",
        cause="parts of a gap",
        about=about(ids=tuple(facts[part].value for part in wrong)),
    )


def _another_part(spec: TokenizerSpec, part: str, facts: Mapping[str, Fact]) -> str:
    """Name the other part that a token belongs to; empty if it is the right one."""
    token, ids = name_of(spec, facts[part].value), {each: f.value for each, f in facts.items()}
    if (first := next(each for each, id in ids.items() if id == ids[part])) != part:
        return f"{quote(token or '')}, as {facts[first].name} is"
    other = _part_of(token)
    shared = list(ids.values()).count(ids[part]) > 1
    if other in (None, part) or shared:
        return ""
    return f"{quote(token or '')}, which llama.cpp knows as {other}"


def _part_of(token: bytes | str | None) -> str | None:
    """Return the fill-in-the-middle part of a token in llama.cpp's table."""
    texts = {text: f"fim_{part}" for part, gap in gaps().items() for text in gap.texts}
    found = None if token is None else texts.get(_written(token))
    return found if found in PARTS else None


def _own(spec: TokenizerSpec, part: str) -> list[int]:
    """Return the tokens that llama.cpp assigns to a part without a key."""
    ids = IdsByText(spec)
    texts = gaps()[part.removeprefix("fim_")].texts
    return [id for text in texts if (id := ids.of(text)) is not None]
