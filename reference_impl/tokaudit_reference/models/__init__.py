"""Picks the algorithm of a spec's family; each turns one pre-token into ids."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tokaudit_reference.models.bpe.model import Bpe
from tokaudit_reference.models.bpe.scored_model import ScoredBpe
from tokaudit_reference.models.character import Character
from tokaudit_reference.models.llama_cpp import of_llama_cpp
from tokaudit_reference.models.symbols import Model as Model
from tokaudit_reference.models.trie import Trie
from tokaudit_reference.models.unigram.model import UnigramModel
from tokaudit_reference.models.wordlevel import WordLevel
from tokaudit_reference.models.wordpiece import WordPiece
from tokaudit_reference.spec import Dialect, ModelType, Priority, TokenizerSpec, Unsupported

BUILDERS: dict[ModelType, Callable[[TokenizerSpec], Model]] = {
    ModelType.BPE: Bpe,
    ModelType.WORDPIECE: WordPiece,
    ModelType.UNIGRAM: UnigramModel,
    ModelType.WORDLEVEL: WordLevel,
    ModelType.CHARACTER: Character,
    ModelType.TRIE: Trie,
}


def model(spec: TokenizerSpec, *, random: Random | None = None) -> Model:
    """The model of a spec; `random` is what dropout draws from, where the spec states one.

    Raises `Unsupported` for dropout without it: random ids can be compared with nothing.  So it
    does where entries with scores share an id, as scores are kept by id.
    """
    if spec.sharing and (spec.scores or spec.product_ranks):
        raise Unsupported("entries share an id, and with it the score of one of them")
    scored = spec.priority is Priority.PRODUCT and not spec.byte_level
    if spec.dialect is Dialect.LLAMA_CPP and (found := of_llama_cpp(spec)) is not None:
        return found
    if not spec.dropout:
        return (
            ScoredBpe(spec)
            if spec.model_type is ModelType.BPE and scored
            else BUILDERS[spec.model_type](spec)
        )
    if random is None:
        raise Unsupported("dropout makes the ids random; there is nothing to compare")
    if spec.model_type is not ModelType.BPE or scored:
        raise Unsupported("dropout is defined for BPE with ranked pairs only")
    return Bpe(spec, random)
