"""Renumber the pieces of a SentencePiece model as its class does.

The model states pieces and no ids of the class: fairseq's classes move every piece by one after
four tokens of their own, Marian's look each piece up in a `vocab.json`.  What the network gets are
the ids of the class, so a spec has those; `piece_ids` says which one each place of the file has.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tokaudit.subject.formats.common.pieces import by_id, plain_ids
from tokaudit.subject.formats.common.settings import added_tokens
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.safe_json import parse_object
from tokaudit.subject.upstream.loading_class import NamedClass, class_of
from tokaudit.subject.upstream.tokenizer_class import IdList, Ids, Layout
from tokaudit_reference.spec import AddedToken, Origin, Piece, SpecError, TokenizerSpec, TokenType

Numbering = Mapping[str, int]
VOCABULARY = "vocab.json"
SPECIAL = (TokenType.CONTROL, TokenType.UNKNOWN)


def arranged(subject: Subject, file: SourceFile, spec: TokenizerSpec) -> TokenizerSpec:
    """Return the spec of a SentencePiece file with its class's ids and added tokens."""
    named = class_of(subject)
    if named is None or not _belongs(named, file):
        return spec
    return _with_added(subject, _by_class(subject, file, spec, named))


def _by_class(
    subject: Subject, file: SourceFile, spec: TokenizerSpec, named: NamedClass
) -> TokenizerSpec:
    known = named.known
    if known is None:
        return spec
    if known.layout is not None:
        return _moved(spec, known.layout, named)
    if known.ids is Ids.VOCAB_FILE and (numbering := _vocabulary(subject, file, named)):
        return _numbered(spec, file, *numbering, named)
    if known.listed is not None and (numbering := _list(subject, file, known.listed)):
        return _numbered(spec, file, *numbering, named)
    return spec


def _with_added(subject: Subject, spec: TokenizerSpec) -> TokenizerSpec:
    """Add the tokens with own ids in configs, which the class adds to the model's.

    One that takes the id or the text of another is left to the checks; the library of the model
    takes none from text, so neither does this spec.
    """
    texts = {str(piece.value) for piece in spec.every_piece()}
    new = (
        t for t in added_tokens(subject, {}) if t.id not in spec.pieces and t.content not in texts
    )
    more = tuple(replace(token, special=True, normalized=False) for token in new)
    return replace(spec, added_tokens=(*spec.added_tokens, *more))


def _belongs(named: NamedClass, file: SourceFile) -> bool:
    """Return whether the class reads a file of this name; other files have their own ids."""
    return named.known is not None and file.base in named.known.files


def _moved(spec: TokenizerSpec, layout: Layout, named: NamedClass) -> TokenizerSpec:
    """Return the spec with head, shifted pieces, and tail."""
    unknown_id = (spec.unk_id or 0) + layout.offset  # where it stays among the pieces
    at_unknown = _index(layout.head, layout.unknown, unknown_id)
    count = len(spec.pieces)
    kept = range(layout.dropped, count)
    of_piece = [
        _index(layout.head, str(spec.pieces[id].value), at_unknown)
        if id < layout.dropped or id == spec.unk_id
        else id + layout.offset
        for id in range(count)
    ]
    pieces = {id: _own(token, layout.unknown) for id, token in enumerate(layout.head)}
    pieces |= {
        id + layout.offset: spec.pieces[id] for id in kept if id + layout.offset not in pieces
    }
    first = count + layout.offset
    pieces |= {first + n: Piece(TokenType.CONTROL, token) for n, token in enumerate(layout.tail)}
    return _with(spec, pieces, tuple(of_piece), at_unknown, named)


def _index(head: tuple[str, ...], token: str, default: int) -> int:
    """Return a token's index in the head, or else the unknown token's."""
    return head.index(token) if token in head else default


def _own(token: str, unknown: str) -> Piece:
    return Piece(TokenType.UNKNOWN if token == unknown else TokenType.CONTROL, token)


def _vocabulary(
    subject: Subject, file: SourceFile, named: NamedClass
) -> tuple[dict[str, int], str] | None:
    """Map tokens to ids by a `vocab.json` next to it, with the class's tokens."""
    companion = _companion(subject, file, VOCABULARY)
    if companion is None and not named.fact.pointer:
        return None  # only the file's name says whose it is, and it may be nobody's
    if companion is None:
        remedy = f"Put the {VOCABULARY} there that gives the pieces their ids."
        raise SpecError(f"has no {VOCABULARY} next to it", file=file.name, remedy=remedy)
    vocab = dict(plain_ids(parse_object(read_bytes(companion), companion.name), companion.name, ""))
    size = len(vocab)
    vocab |= {token: size + n for n, token in enumerate(_tail(named))}
    return vocab, companion.name


def _tail(named: NamedClass) -> tuple[str, ...]:
    return () if named.known is None else named.known.tail


def _roles(named: NamedClass) -> tuple[str, ...]:
    return tuple(((named.known and named.known.tokens) or {}).values())


def _list(subject: Subject, file: SourceFile, listed: IdList) -> tuple[dict[str, int], str] | None:
    """Map tokens to ids by the lines of a list, between the class's tokens."""
    companion = _companion(subject, file, listed.file)
    if companion is None:
        return None
    lines = read_bytes(companion).decode("utf-8", "replace").splitlines()
    words = [line.split()[0] for line in lines if line.split()]
    return {
        token: id for id, token in enumerate(dict.fromkeys((*listed.head, *words, *listed.tail)))
    }, companion.name


def _companion(subject: Subject, file: SourceFile, name: str) -> SourceFile | None:
    folder = file.known.rpartition("/")[0]
    return subject.file(f"{folder}/{name}" if folder else name)


def _numbered(
    spec: TokenizerSpec, file: SourceFile, vocab: Numbering, source: str, named: NamedClass
) -> TokenizerSpec:
    """Renumber the pieces by a vocabulary.

    The class looks up what the model has no piece for too: a vocabulary of two sides has entries of
    the other, and a character that only that one knows gets its id.
    """
    unknown_text = _unknown(spec, named)
    if unknown_text not in vocab:
        raise SpecError(f"has no {unknown_text[:40]!r}, which the class needs", file=source)
    unknown = vocab[unknown_text]
    ordinary = [p for p in spec.every_piece() if p.token_type not in SPECIAL]
    scored = {str(spec.pieces[id].value): score for id, score in spec.scores.items()}
    lost = {text: scored[text] for p in ordinary if (text := str(p.value)) not in vocab}
    types = {str(piece.value): piece.token_type for piece in spec.every_piece()}
    pieces, sharing = by_id(
        (id, Piece(_type(types, token, named), token)) for token, id in vocab.items()
    )
    of_piece = tuple(
        vocab.get(str(spec.pieces[id].value), unknown) for id in range(len(spec.pieces))
    )
    found = _with(spec, dict(sorted(pieces.items())), of_piece, unknown, named)
    origins = {**found.origins, "vocab": Origin(source)}
    return replace(
        found, files=(file.name, source), unlisted=lost, origins=origins, sharing=sharing
    )


def _unknown(spec: TokenizerSpec, named: NamedClass) -> str:
    """Return the unknown token of the class, or else the model's."""
    own = named.known.vocabulary.unknown if named.known is not None else None
    if own is not None or spec.unk_id is None:
        return own or "<unk>"
    return str(spec.pieces[spec.unk_id].value)


def _type(types: Mapping[str, TokenType], token: str, named: NamedClass) -> TokenType:
    """Return a token's type in the model; unknown tokens are special if marked."""
    marked = token.startswith(("<", ">>")) or token in (*_tail(named), *_roles(named))
    return types.get(token, TokenType.CONTROL if marked else TokenType.LOOKED_UP)


def _with(
    spec: TokenizerSpec,
    pieces: Mapping[int, Piece],
    of_piece: tuple[int, ...],
    unknown: int,
    named: NamedClass,
) -> TokenizerSpec:
    """Return the model with other ids, and with the class's protected tokens as special."""
    place = {id: at for at, id in reversed(list(enumerate(of_piece)))}
    scores = {id: spec.scores[place[id]] if id in place else 0.0 for id in pieces}
    special = (id for id, piece in pieces.items() if piece.token_type in SPECIAL)
    begin = spec.begin_id
    return replace(
        spec,
        pieces=pieces,
        scores=scores,
        product_ranks={id: -score for id, score in scores.items()},
        unk_id=unknown,
        begin_id=None if begin is None else of_piece[begin],
        added_tokens=tuple(
            AddedToken(id, str(pieces[id].value), special=True, normalized=False)
            for id in sorted(special)
        ),
        piece_ids=of_piece,
        ids_rule=named.rule,
    )
