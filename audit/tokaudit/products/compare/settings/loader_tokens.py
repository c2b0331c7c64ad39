"""Added tokens of a tokenizer.json's loader after it has read the settings.

To those of the file come the tokens of a table, and after them the special tokens by role and by
list that are no added tokens yet.  One that the vocabulary or the file has keeps its id, whatever a
table says; any other gets the next id that is free.

Source: the `__init__` of the classes on tokenizers, in both versions; `AddedVocabulary::add_tokens`
of tokenizers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from tokaudit.engine.sides.side import Side
from tokaudit.products.compare.settings.defaults import loader_over_file
from tokaudit.products.compare.settings.named_tokens import LISTED, in_table, special_tokens
from tokaudit.subject.formats.common.settings import LISTS, TABLE
from tokaudit.subject.material import Fact
from tokaudit.subject.upstream.loading_class import NamedClass
from tokaudit_reference.spec import AddedToken, Piece, TokenizerSpec, TokenType
from tokaudit_reference.text.bytes_alphabet import to_characters


@dataclass(frozen=True)
class LoaderTokens:
    """A loader's added tokens by text, and the files that changed them."""

    loader: NamedClass
    tokens: Mapping[str, AddedToken]
    facts: Mapping[str, Fact]

    def names(self, text: str, other: NamedClass) -> bool:
        """Return whether a file names a token for this loader, or the other side's class does."""
        fact = self.facts.get(text)
        by_class = fact is not None and fact.pointer == self.loader.fact.pointer
        return fact is not None and not (by_class and self.loader.name != other.name)


def loader_tokens(side: Side) -> LoaderTokens | None:
    """Return the added tokens of a side's loader; None if unknown."""
    loader, subject = loader_over_file(side), side.subject
    if loader is None or subject is None:
        return None
    special = dict(special_tokens(subject, loader))
    in_file = {token.id for token in side.spec.added_tokens}
    named = [*in_table(subject, special, in_file), *special.values()]
    found = {token.content: token for token in side.spec.added_tokens}
    ids = _ids(side.spec) if any(token.content not in found for token, _ in named) else {}
    following = max(max(in_file, default=-1) + 1, len(side.spec.pieces))
    facts: dict[str, Fact] = {}
    for token, fact in named:
        text, old = token.content, found.get(token.content)
        new = (
            replace(token, id=ids.get(text, following)) if old is None else _over(old, token, fact)
        )
        if new != old:
            found[text], facts[text] = new, fact
            following = max(following, new.id + 1)
    return LoaderTokens(loader, found, facts)


def _over(old: AddedToken, token: AddedToken, fact: Fact) -> AddedToken:
    """Change an existing token: a table sets its flags, a role makes it special."""
    if fact.name == TABLE:
        return replace(token, id=old.id)
    return replace(old, special=old.special or token.special)


def differing_tokens(left: Side, right: Side) -> list[str] | None:
    """Return tokens of one loader alone, or that differ, except those of the files.

    None where it is not known what a loader does.  What only another class has is left to that.
    """
    ours, theirs = loader_tokens(left), loader_tokens(right)
    if ours is None or theirs is None:
        return None
    return [
        each
        for each in {**ours.tokens, **theirs.tokens}
        if ours.tokens.get(each) != theirs.tokens.get(each)
        if ours.names(each, theirs.loader) or theirs.names(each, ours.loader)
    ]


def naming_facts(side: Side) -> Iterator[Fact]:
    """Yield the tables and lists of tokens next to a side's tokenizer.json."""
    for fact in side.subject.facts_named(TABLE, LISTED, *LISTS) if side.subject else ():
        if fact.name not in LISTS or isinstance(fact.value, list):  # names are for processors
            yield fact


def _ids(spec: TokenizerSpec) -> dict[str, int]:
    """Map texts to ids of vocabulary entries, in tokenizer.json's spelling."""
    return {_spelled(piece, spec): id for id, piece in spec.each_entry()}


def _spelled(piece: Piece, spec: TokenizerSpec) -> str:
    """Spell a vocabulary entry as in tokenizer.json."""
    text = to_characters(piece.value) if isinstance(piece.value, bytes) else piece.value
    if piece.token_type is TokenType.CONTINUATION:
        return spec.continuing_subword_prefix + text
    return text + spec.end_of_word_suffix if piece.token_type is TokenType.WORD_END else text
