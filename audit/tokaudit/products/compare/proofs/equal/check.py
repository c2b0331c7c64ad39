"""Check that both sides state the same of a facet, and that the digest matches.

What a facet consists of is written out here once more, field by field, and not asked of the prover:
a field that the prover forgets is one that differs here, or gives another digest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from hashlib import sha256
from json import dumps
from typing import Any

from tokaudit.engine.facet_names import (
    ADDED,
    BATCH,
    CHAT_TEMPLATE,
    DECIDE_IDS,
    DECODER,
    IDS,
    MERGES,
    PADDING,
    POST_PROCESSOR,
    ROLES,
    ROWS,
    STAGES,
    STOPS,
)
from tokaudit.products.compare.proofs.all_entries import pieces_at
from tokaudit.products.compare.proofs.alphabet import letters_of
from tokaudit.products.compare.proofs.claim import Checker, Claim
from tokaudit.products.compare.proofs.equal.files import in_files
from tokaudit.products.compare.proofs.ids_of_loaders import (
    IN_SETTINGS,
    alike_where_covered,
    begun_with,
    with_ids_of_a_loader,
)
from tokaudit.products.compare.proofs.read_back import read_otherwise
from tokaudit.products.compare.proofs.surface import surface
from tokaudit.report.comparison import Proof
from tokaudit.subject.material import Subject
from tokaudit_reference.spec import Piece, TokenizerSpec, TokenType

WRITTEN = "as written"
MODEL = (
    *("model_type", "merges", "priority", "product_ranks", "scores", "unlisted"),
    *("ignore_merges", "unk_id", "unk_lacks_entry", "fuse_unk", "byte_fallback", "byte_level"),
    *("continuing_subword_prefix", "end_of_word_suffix", "max_input_chars_per_word", "dropout"),
)


def objection(claim: Claim) -> str:
    """Explain why the statements differ; "" if they are equal."""
    stated = claim.certificate
    if stated.form == WRITTEN and {spec.format for spec in claim.specs} != {IN_SETTINGS}:
        return "not both files are of a format in which settings decide what an entry is"
    if claim.facet in (ADDED, MERGES) and len({spec.dialect for spec in claim.specs}) > 1:
        return "the two sides are run by the rules of different engines"
    if why := _besides(claim):
        return why
    sides = zip(claim.specs, claim.specs[::-1], claim.subjects, strict=True)
    ours, theirs = (_digest(*side, claim) for side in sides)
    if ours != theirs:
        return "the two sides do not state the same"
    return "" if ours == stated.digest else "the digest is not that of what the sides state"


def _besides(claim: Claim) -> str:
    """Explain what else must be equal besides a facet's own statement."""
    first, second = claim.specs
    if claim.facet == MERGES and (first.dropout or second.dropout):
        return "dropout leaves merges out at random"
    if claim.facet == POST_PROCESSOR and begun_with(first) != begun_with(second):
        return "another token is put before a text on request"
    if claim.facet == DECODER and (why := read_otherwise(first, second)):
        return why
    if claim.facet == IDS and not alike_where_covered(first, second):
        return "entries differ at ids that the files state for added tokens"
    return ""


def _digest(
    spec: TokenizerSpec, other: TokenizerSpec, subject: Subject | None, claim: Claim
) -> str:
    as_written = claim.certificate.form == WRITTEN
    if claim.facet == IDS:  # those that either side looks for are another facet
        rows = iter([_entries(spec, _added(spec, other, as_written), as_written)])
    else:
        rows = _statement(spec, subject, claim.facet, as_written)
    return _of_lines(_json(_plain(row)) for row in rows)


def _added(spec: TokenizerSpec, other: TokenizerSpec, as_written: bool) -> set[int]:
    """Return the ids of added tokens, and of entries that the other side adds."""
    sought = {token.id for token in other.added_tokens} & spec.pieces.keys() & other.pieces.keys()
    ours, theirs = (
        {id: {piece.value for piece in _pieces(each, id, as_written)} for id in sought}
        for each in (spec, other)
    )
    return {token.id for token in spec.added_tokens} | {i for i in sought if ours[i] == theirs[i]}


def _statement(
    spec: TokenizerSpec, subject: Subject | None, facet: str, as_written: bool
) -> Iterator[Any]:
    if facet == MERGES:
        yield _entries(spec, set(), as_written)
        yield _merges(spec, as_written)
        yield from _settings(spec, as_written)
    elif facet == ADDED:
        last = {token.content: token for token in spec.added_tokens}
        yield from sorted(last.items())
        yield "control_from_text", spec.control_from_text
        yield from with_ids_of_a_loader(spec)
    elif facet in STAGES:
        yield getattr(spec, STAGES[facet]).options
    else:
        yield in_files(facet, spec, subject)


def _entries(spec: TokenizerSpec, left_out: set[int], as_written: bool) -> str:
    rows: list[str] = []
    for id in sorted(spec.pieces.keys() - left_out):
        pieces = _pieces(spec, id, as_written)
        rows += sorted(f'[{id},"{each.token_type}",{_value(each.value)}]' for each in pieces)
    return _of_lines(rows)


def _pieces(spec: TokenizerSpec, id: int, as_written: bool) -> list[Piece]:
    """Return the entries of an id, as spelled in the file or as meant."""
    own = pieces_at(spec, id) if spec.sharing else (spec.pieces[id],)
    if not as_written:
        return [*own]
    return [Piece(TokenType.ORDINARY, letters_of(surface(spec, piece))) for piece in own]


def _merges(spec: TokenizerSpec, as_written: bool) -> str | None:
    if spec.merges is None:
        return None
    pairs: Iterable[tuple[bytes | str, bytes | str]] = spec.merges
    if as_written:
        pairs = ((letters_of(left), letters_of(right)) for left, right in pairs)
    return _of_lines(f"[{_value(left)},{_value(right)}]" for left, right in pairs)


def _settings(spec: TokenizerSpec, as_written: bool) -> Iterator[tuple[str, Any]]:
    for name in MODEL:
        value = getattr(spec, name)
        if isinstance(value, Mapping):  # of ids or pieces to numbers
            rows = (_json([key, repr(number)]) for key, number in sorted(value.items()))
            yield name, _of_lines(rows).removeprefix("sha256:")
        elif name != "merges":
            yield name, False if as_written and name == "byte_level" else value


def _value(value: bytes | str) -> str:
    return _json({"bytes": value.hex()} if isinstance(value, bytes) else {"text": value})


def _plain(value: Any) -> Any:
    """Convert a value to lists and texts, one form for each kind."""
    if isinstance(value, bytes):
        return ["bytes", value.hex()]
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        pairs = [[_plain(key), _plain(each)] for key, each in value.items()]
        return ["map", *sorted(pairs, key=repr)]
    if isinstance(value, tuple | list):
        return ["list", *(_plain(each) for each in value)]
    if is_dataclass(value):
        inner = (_plain(getattr(value, each.name)) for each in fields(value))
        return [type(value).__name__, *inner]
    return repr(value)


def _json(value: Any) -> str:
    return dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _of_lines(lines: Iterable[str]) -> str:
    text = "".join(f"{line}\n" for line in lines)
    return "sha256:" + sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


OF_FILES = {BATCH, ROLES, PADDING, STOPS, CHAT_TEMPLATE, ROWS}
ABOUT = frozenset({*DECIDE_IDS, POST_PROCESSOR, DECODER, *OF_FILES})
CHECKER = Checker(Proof.EQUAL, ABOUT, objection, lambda claim: "")
