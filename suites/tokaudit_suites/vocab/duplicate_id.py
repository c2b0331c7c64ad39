"""Two tokens with one id, or one token with two ids."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Decider, Finding, Harm, Severity, Upstream, check, decision
from tokaudit_reference.spec import AddedToken, TokenizerSpec
from tokaudit_reference.text.bytes_alphabet import to_bytes
from tokaudit_suites.shared.repairs import ENTRIES_OF_BASE
from tokaudit_suites.shared.vocab_entries import named
from tokaudit_suites.shared.wording import about, ids_evidence, in_added, in_vocab, quote, some


@check(
    "vocab/duplicate-id",
    title="Ids and tokens correspond one to one",
    why="If two tokens share an id, text with one token is decoded as the other token, and one "
    "embedding row has two meanings.",
    remedy="In {file|the vocabulary}, give each token an id of its own: the id of its embedding "
    "row.",
    repair=ENTRIES_OF_BASE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="o200k_harmony gave <|endofprompt|> and <|reserved_200018|> the same id "
    "(openai/tiktoken #457).",
)
def duplicate_id(spec: TokenizerSpec, upstream: Upstream | None) -> Iterator[Finding]:
    """Compare added tokens with each other, with the model's entries, and with the library."""
    yield from _shared_entries(spec)
    by_id: dict[int, AddedToken] = {}
    by_content: dict[str, AddedToken] = {}
    for token in spec.added_tokens:
        other = by_id.setdefault(token.id, token)
        if other.content != token.content:
            yield _one_id(spec, token.id, other.content, token.content)
        twin = by_content.setdefault(token.content, token)
        if twin.id != token.id:
            yield _two_ids(spec, token.content, twin.id, token.id, upstream)
    yield from _against_entries(spec, by_content, upstream)


def _shared_entries(spec: TokenizerSpec) -> Iterator[Finding]:
    for id in dict.fromkeys(id for id, _ in spec.sharing):
        names = [quote(spec.surface(piece)) for piece in spec.pieces_at(id)]
        yield Finding(
            Severity.ERROR,
            f"Id {id} belongs to {len(names)} entries of the vocabulary, {some(names)}; the loader "
            "decides to which of these entries the id decodes.",
            (in_vocab(spec, {"id": id, "entries": names[:20]}),),
            (ids_evidence([id]),),
            cause="id",
            about=about(*map(spec.surface, spec.pieces_at(id))),
        )


def _against_entries(
    spec: TokenizerSpec, added: dict[str, AddedToken], upstream: Upstream | None
) -> Iterator[Finding]:
    for token in added.values():
        piece = spec.pieces.get(token.id)
        if piece is not None and not named(spec.surface(piece), token.content):
            yield _one_id(spec, token.id, spec.surface(piece), token.content)
    if spec.byte_level and spec.merges is None:  # plain bytes are not looked up by the content
        return
    taken = {token.id for token in spec.added_tokens}
    ids = {spec.surface(piece): id for id, piece in spec.each_entry() if id not in taken}
    for content, token in added.items():
        # In a byte-level file only this spelling is the same entry: ĠĠ and two spaces are two.
        id = ids.get(to_bytes(content) or b"" if spec.byte_level else content)
        if id is not None:
            yield _two_ids(spec, content, id, token.id, upstream)


def _one_id(spec: TokenizerSpec, id: int, one: bytes | str, other: str) -> Finding:
    return Finding(
        Severity.ERROR,
        f"Id {id} stands for two tokens, {quote(one)} and {quote(other)}; the id of the one "
        "decodes to the other.",
        (in_added(spec, other, {"id": id, "content": other}), in_vocab(spec, quote(one))),
        (ids_evidence([id]),),
        cause="id",
        about=about(one, other),
    )


def _two_ids(
    spec: TokenizerSpec, content: str, one: int, other: int, upstream: Upstream | None
) -> Finding:
    taken = None if upstream is None else _taken(upstream, content)
    said = "which one its text becomes depends on the loader"
    if upstream is not None and taken in (one, other):
        dead = other if taken == one else one
        said = f"{upstream.info.package} gives {taken}, so that row {dead} is never used"
    return Finding(
        Severity.ERROR,
        f"The token {quote(content)} is at two ids, {one} and {other}; {said}.",
        (in_added(spec, content), in_vocab(spec, quote(content))),
        (ids_evidence([one, other]),),
        cause="token",
        repair=decision(Decider.PERSON, "which of the two rows belongs to it is not in the files"),
    )


def _taken(upstream: Upstream, content: str) -> int | None:
    """Return the library's id of a token's text, if it is a single one."""
    (found,) = upstream.encode([content])
    return found.ids[0] if found.error is None and len(found.ids) == 1 else None
