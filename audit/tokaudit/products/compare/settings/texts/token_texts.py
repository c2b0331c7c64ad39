"""A text with a token that the loaders of the two sides treat differently.

A loader adds the tokens of `added_tokens_decoder` to those of the tokenizer's own file.  The text
is cut where the token is, with the spaces that its flags take, and the tokenizer encodes what is
left; so does the library.  A token that is looked for in normalized text is not tried where a
normalizer could change what is found.

Source: `AddedVocabulary::find_matches` of tokenizers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from tokaudit.engine.sides.side import Side
from tokaudit.engine.sides.trial import Encoder, EncoderPair, Trial
from tokaudit.products.compare.settings.loader_tokens import differing_tokens, loader_tokens
from tokaudit.products.compare.settings.texts.rows import Values, differing_rows
from tokaudit.report.model import Evidence
from tokaudit_reference.spec import AddedToken

FLAGS = ("lstrip", "rstrip", "single_word", "normalized", "special")
AROUND = (("a ", ""), ("b ", ""), (" ", ""), ("", " "), ("a", ""), ("b", ""), ("", ""))
"""What is written before and after a token: spaces show `lstrip` and `rstrip`, letters a word."""

MOST_TRIED = 100  # tokens that differ
OneToken = tuple[str, AddedToken | None, AddedToken | None]


def of_tokens(values: Values, trial: Trial, pair: EncoderPair) -> Evidence | None:
    """Return a text that shows the first differing token that any text shows."""
    known = _of_loaders(trial)
    tables = values.get("added_tokens_decoder", (None, None))
    differing = _differing(tables) if known is None else known
    for content, ours, theirs in islice(differing, MOST_TRIED):
        taken = (trial.left, pair.left, ours), (trial.right, pair.right, theirs)
        if not all(
            token is None or _certain(side, token, known is not None) for side, _, token in taken
        ):
            continue
        for around in AROUND:
            ids = [_ids(encoder, content, around, token) for _, encoder, token in taken]
            text = content.join(around)
            what = "with the token as each side's loader takes it"
            if ids[0] is not None and ids[1] is not None:
                found = differing_rows(text, trial, (ids[0], ids[1]), pair, what)
                if found is not None:
                    return found
    return None


def _of_loaders(trial: Trial) -> list[OneToken] | None:
    """Return the tokens that loaders treat differently; None if unknown."""
    ours, theirs = loader_tokens(trial.left), loader_tokens(trial.right)
    differing = differing_tokens(trial.left, trial.right)
    if differing is None or ours is None or theirs is None:
        return None
    return [(text, ours.tokens.get(text), theirs.tokens.get(text)) for text in differing]


def _differing(tables: tuple[Any, Any]) -> Iterator[OneToken]:
    """Yield the tokens of two tables with equal text, or of one side alone, that differ."""
    ours, theirs = (tokens_of_table(table) for table in tables)
    for id in dict.fromkeys((*ours, *theirs)):
        one, other = ours.get(id), theirs.get(id)
        contents = {each.content for each in (one, other) if each is not None}
        if one != other and len(contents) == 1:
            yield contents.pop(), one, other


def tokens_of_table(table: Any) -> Mapping[str, AddedToken]:
    """Map ids to the tokens of valid entries."""
    return {
        id: AddedToken(int(id), each["content"], **{key: each.get(key) is True for key in FLAGS})
        for id, each in (table.items() if isinstance(table, dict) else ())
        if id.isdecimal() and isinstance(each, dict) and each.get("content")
        if isinstance(each["content"], str)
    }


def _certain(side: Side, token: AddedToken, known: bool) -> bool:
    """Return whether a token surely has its stated id, and only its loader matches it.

    `known` says that the id is the one that a loader is known to give.
    """
    named = [id for id, name in side.names.items() if name == token.content]
    its_own = known or named == [token.id] or (not named and token.id == len(side.names))
    in_file = any(each.content == token.content for each in side.spec.added_tokens)
    elsewhere = token.normalized and bool(side.spec.normalizer.steps)
    return its_own and not elsewhere and not (token.single_word and in_file)


def _ids(
    encoder: Encoder, content: str, around: tuple[str, str], token: AddedToken | None
) -> list[int] | None:
    """Encode a text with a token in it, or without it if the loader does not know it."""
    left = None if token is None else _left_of(around, token)
    if token is None or left is None:
        return _encoded(encoder, content.join(around))
    before, after = (_encoded(encoder, part) for part in left)
    return None if before is None or after is None else [*before, token.id, *after]


def _left_of(around: tuple[str, str], token: AddedToken) -> tuple[str, str] | None:
    """Return the text before and after a token that it does not strip; None if no match."""
    before, after = around
    if token.single_word and (before[-1:].isalnum() or after[:1].isalnum()):
        return None
    return before.rstrip() if token.lstrip else before, after.lstrip() if token.rstrip else after


def _encoded(encoder: Encoder, text: str) -> list[int] | None:
    found = encoder.encode([text])[0] if text else None
    return [] if found is None else None if found.error is not None else list(found.ids)
