"""Texts that cover a spec, by kind, with one module for each kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from tokaudit.engine.texts.probes import CONTEXTS, known_to_this_unicode
from tokaudit.engine.vocabularies.piece_texts import own_texts
from tokaudit.products.engines.covering.added import added_token_texts
from tokaudit.products.engines.covering.characters import character_texts, edge_texts, version_texts
from tokaudit.products.engines.covering.deviations import deviations
from tokaudit.products.engines.covering.merges import merge_texts
from tokaudit.products.engines.covering.steps import normalizer_texts, split_texts
from tokaudit_reference.spec import TokenizerSpec

LONGEST = 400  # characters; longer ones are searched as hard places
MOST_OF_A_KIND = 4_000
VERSIONS = "Unicode versions"
FEW = 1_000
ENTRIES, MOST_ENTRIES = "entries", 20_000
DEVIATIONS = "deviations"
AT_ONCE = 240  # characters of entries in one text
CLEAN_UP = ("a .", "I 'm", "a ?", "do n't", "x , y", "it 's !", " a b", "a  b ", "we 've", "( a )")
"""Texts that decoders change when they clean up spaces."""


def covering_texts(spec: TokenizerSpec, most: int = MOST_OF_A_KIND) -> dict[str, tuple[str, ...]]:
    """Map kinds to texts without duplicates, at most `most` for each.

    >>> from tokaudit_reference.spec import ModelType
    >>> found = covering_texts(TokenizerSpec(ModelType.BPE, {}))
    >>> "a\\nb" in found["deviations"], ENTRIES in found
    (True, False)
    """
    known: set[str] = set()
    found = {
        name: tuple(_new(name, texts, known, _most(name, most)))
        for name, texts in _kinds(spec).items()
    }
    return {name: texts for name, texts in found.items() if texts}


def _kinds(spec: TokenizerSpec) -> Mapping[str, Iterable[str]]:
    return {
        "contexts": CONTEXTS,
        DEVIATIONS: (text for each in deviations(spec) for text in each.texts),
        "added tokens": added_token_texts(spec),
        "edges": edge_texts(spec),
        "splits": split_texts(spec),
        "normalizer": normalizer_texts(spec),
        "characters": character_texts(),
        VERSIONS: version_texts(),
        "merges": merge_texts(spec),
        "clean-up": CLEAN_UP,
        ENTRIES: entry_texts(spec),
    }


def _most(name: str, most: int) -> int:
    """Return the limit of a kind: all entries and deviations, unless few texts are wanted."""
    return MOST_ENTRIES if name in (ENTRIES, DEVIATIONS) and most >= FEW else most


def entry_texts(spec: TokenizerSpec) -> Iterator[str]:
    """Yield the text of every entry, many in one text.

    >>> from tokaudit_reference.spec import ModelType, Piece, TokenType
    >>> pieces = {at: Piece(TokenType.ORDINARY, text) for at, text in enumerate(["ab", " cd"])}
    >>> list(entry_texts(TokenizerSpec(ModelType.BPE, pieces)))
    ['\\nab cd']
    """
    text = ""
    for entry in own_texts(spec):
        if len(text) + len(entry) > AT_ONCE and text:
            yield text
            text = ""
        text += entry if entry.startswith(" ") else f"\n{entry}"
    if text:
        yield text


def _new(name: str, texts: Iterable[str], known: set[str], most: int) -> Iterator[str]:
    """Yield new texts; of characters unknown to Python, only for some kinds."""

    def fresh() -> Iterator[str]:
        for text in texts:
            wanted = name == VERSIONS or known_to_this_unicode(text)
            if wanted and text not in known and len(text) <= LONGEST:
                known.add(text)
                yield text

    return islice(fresh(), most)
