"""Load requests for a subject's representation: by its library, or the reference."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from tokaudit.foundation.errors import NotApplicable, Skip
from tokaudit.foundation.installed_version import version
from tokaudit.runtimes.packed_spec import packed
from tokaudit.runtimes.protocol import Tokenizer
from tokaudit.runtimes.registry import lacks_its_extra
from tokaudit.runtimes.request import AsLoaded, LoadRequest, Padding, Pipeline, Side
from tokaudit.subject.facts import READ
from tokaudit.subject.formats import all_formats
from tokaudit.subject.formats.common.as_loaded import DUMMY
from tokaudit.subject.formats.common.settings import setting
from tokaudit.subject.formats.common.template_alone import template_alone
from tokaudit.subject.material import LARGEST_READ, Subject
from tokaudit.subject.representations import Representation
from tokaudit_reference.library_versions import older_version
from tokaudit_reference.spec import Standing, TokenizerSpec, TokenType
from tokaudit_reference.text.bytes_alphabet import to_characters

SIDES: Mapping[str, Side] = {"left": "left", "right": "right"}


def upstream_request(
    subject: Subject, representation: Representation, spec: TokenizerSpec
) -> LoadRequest:
    """Build the request for production's library; raise `Skip` if there is none."""
    adapter = next(f.adapter for f in all_formats() if f.name == representation.format)
    if template_alone(subject) is not None:
        raise NotApplicable(
            "a chat template alone has no tokenizer, so tokaudit counts each byte as a token"
        )
    if not adapter:
        raise Skip(f"no upstream library is known for {representation.format} files")
    if missing := lacks_its_extra(adapter):
        lacking, _, install = missing.partition("; ")
        raise Skip(f"{lacking}, so {adapter} cannot run {representation.format} files; {install}")
    if spec.pre_tokenizer.standing is Standing.UNSTATED:
        text = "states no split pattern; give it with --pattern"
        raise Skip(f"{representation.files[0]} {text}")
    return loaded_request(subject, representation, spec, adapter)


def loaded_request(
    subject: Subject, representation: Representation, spec: TokenizerSpec, adapter: str
) -> LoadRequest:
    """Build any adapter's request for a representation, adding what its files lack."""
    files = [file for name in representation.files if (file := subject.file(name))]
    paths = tuple(str(file.content.for_a_worker(LARGEST_READ)) for file in files)
    return LoadRequest(
        adapter,
        paths[0],
        representation.format,
        files=paths,
        pattern=_pattern(spec),
        byte_level=spec.byte_level,
        unknown_token=_unknown_token(spec),
        end_of_word_suffix=spec.end_of_word_suffix,
        added_tokens=spec.added_tokens,
        pipeline=Pipeline(
            spec.normalizer.options,
            spec.pre_tokenizer.options,
            spec.decoder.options,
            spec.post_processor.options,
        ),
        padding=padding_of(subject, spec),
        as_loaded=_as_loaded(spec),
        piece_ids=spec.piece_ids,
        looked_up=_looked_up(spec),
        held=subject,
    )


def _as_loaded(spec: TokenizerSpec) -> AsLoaded:
    """Return a class's tokens around texts and its prefix, if its file differs."""
    normalizer, ends = spec.normalizer, spec.post_processor
    prefix = (normalizer.options or {}).get(DUMMY) if normalizer.rule else None
    if ends.standing is not Standing.IMPLIED:
        return AsLoaded(prefix=prefix)
    before, after = _ends(spec)
    return AsLoaded(before, after, prefix)


def _ends(spec: TokenizerSpec) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the ids before and after a single text."""
    around: tuple[list[int], list[int]] = ([], [])
    for step in spec.post_processor.steps:
        ids = {added.name: added.ids for added in step.effects.adds}
        at = 0
        for piece in step.effects.one_text or ():
            at = 1 if piece.is_text else at
            around[at].extend(() if piece.is_text else ids.get(piece.name, ()))
    return tuple(around[0]), tuple(around[1])


def sibling_copies(subject: Subject) -> dict[str, str]:
    """Map names to copies of files that loaders of a whole folder read, without weights."""
    roles = {*READ, *(each.name for each in all_formats())}
    chosen = (file for file in subject.files if file.role in roles and not file.impostor)
    return {file.known: str(file.content.for_a_worker(LARGEST_READ)) for file in chosen}


def _looked_up(spec: TokenizerSpec) -> dict[str, int]:
    """Return the class's ids for texts that have no piece in the file."""
    return {
        str(piece.value): id
        for id, piece in spec.each_entry()
        if piece.token_type is TokenType.LOOKED_UP
    }


def reference_request(spec: TokenizerSpec) -> LoadRequest:
    """Build the request to run a spec by the reference, like the installed tokenizers."""
    older = older_version(version("tokenizers"))
    return LoadRequest("reference", spec=packed(replace(spec, library=older) if older else spec))


def request_of_both(first: LoadRequest, second: LoadRequest) -> LoadRequest:
    """Build the reference's request with fields of another spec."""
    return replace(first, other=second.spec)


def padding_of(subject: Subject, spec: TokenizerSpec) -> Padding:
    """Return the pad token and side in configs, as loaders use them."""
    token, side = setting(subject, "pad_token"), setting(subject, "padding_side")
    named = token.value if token is not None and isinstance(token.value, str) else None
    id = None if named is None else _id_of(spec, named)
    return Padding(
        None if id is None else named,
        id,
        SIDES.get(str(side.value).lower()) if side is not None else None,
    )


def _id_of(spec: TokenizerSpec, content: str) -> int | None:
    """Return a token's id by content: an added token's, else the model's."""
    for token in spec.added_tokens:
        if token.content == content:
            return token.id
    value = content.encode() if spec.byte_level else content
    return next((id for id, piece in spec.each_entry() if piece.value == value), None)


def _pattern(spec: TokenizerSpec) -> str | None:
    """Return the split pattern, if the pre-tokenizer is one split."""
    pattern = (spec.pre_tokenizer.options or {}).get("pattern")
    return pattern.get("Regex") if isinstance(pattern, Mapping) else None


def _unknown_token(spec: TokenizerSpec) -> str | None:
    """Return the unknown token in the files' spelling."""
    piece = None if spec.unk_id is None else spec.pieces.get(spec.unk_id)
    if piece is None:
        return None
    return to_characters(piece.value) if isinstance(piece.value, bytes) else piece.value


def tokenizer_digest(spec: TokenizerSpec, tokenizer: Tokenizer) -> str:
    """Return a digest of the tokenizer, with the name and version of its library."""
    info = tokenizer.info
    digest = hashlib.sha256(reference_request(spec).spec).hexdigest()
    return f"{digest} {info.package} {info.version}"
