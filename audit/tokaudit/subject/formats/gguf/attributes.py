"""Tokens that llama.cpp matches in text, and the white space that each strips.

It gives some tokens another type by their text, as it expects them to end a turn or to mark a gap
that is to be filled; and white space around a token by the name of the model, of its architecture
or of its split, as the file has no key for that.  Where several tokens could be a marker for a
gap, which one it takes is not said there; here it is the first of the list.

Source: `llama_vocab::impl::load` in `llama-vocab.cpp`; the texts and names are in
`subject/upstream/llama_cpp/gguf_tokens.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tokaudit.subject.formats.gguf.keys import PREFIX, Keys
from tokaudit.subject.upstream.llama_cpp.gguf_tokens import Spaces, gaps, spaces, types, unless
from tokaudit_reference.spec import AddedToken, TokenType

NAME, ARCHITECTURE = "general.name", "general.architecture"
TAKEN = (TokenType.CONTROL, TokenType.USER_DEFINED, TokenType.UNKNOWN)


def added(keys: Keys) -> tuple[AddedToken, ...]:
    """Return the tokens to match in text; user-defined ones are not special."""
    kinds = overridden(keys)
    found = tuple(
        AddedToken(id, token, kind is not TokenType.USER_DEFINED, normalized=False)
        for id, (token, kind) in enumerate(zip(keys.tokens, kinds, strict=True))
        if kind in TAKEN
    )
    return _with_spaces(keys, found)


def overridden(keys: Keys) -> list[TokenType]:
    """Return the final type of each token in llama.cpp."""
    kinds, ids = list(keys.kinds), {token: id for id, token in enumerate(keys.tokens)}
    for text in _guessed(keys, ids):
        kinds[ids[text]] = TokenType.CONTROL
    for text, kind in types().items():
        if text in ids:
            kinds[ids[text]] = kind
    for text, other in unless().items():
        if text in ids and any(all(each in ids for each in row) for row in other.rows):
            kinds[ids[text]] = other.type
    return kinds


def _guessed(keys: Keys, ids: Mapping[str, int]) -> list[str]:
    """Find the gap markers without a key, by their text."""
    found = (
        next((text for text in gap.texts if text in ids), None)
        for gap in gaps().values()
        if not any(key in keys for key in gap.keys)
    )
    return [text for text in found if text is not None]


def _with_spaces(keys: Keys, tokens: tuple[AddedToken, ...]) -> tuple[AddedToken, ...]:
    """Add the stripping flags that the model's name implies."""
    rules = spaces().values()
    said = {rule.key: keys.text(rule.key.removeprefix(PREFIX)) for rule in rules}
    rule = next((rule for rule in rules if rule.holds(said[rule.key])), None)
    if rule is None:
        return tokens
    return tuple(_taking(rule, token) for token in tokens)


def _taking(rule: Spaces, token: AddedToken) -> AddedToken:
    takes = rule.takes(token.content)
    if rule.side == "lstrip":
        return replace(token, lstrip=takes)
    return replace(token, rstrip=takes)
