"""The stages around each model, as `tokenizer.json` writes them, and the words that they cut.

Training and encoding read the same stages, so a trained model meets at run time what it was
trained on.  BPE is byte-level and keeps every text; WordPiece is BERT's, lower-cased; Unigram marks
spaces (U+2581) and splits at line ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tokaudit.cli.training.recipe import ModelKind, Recipe

Stage = Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Pipeline:
    """The four stages around a model."""

    normalizer: Stage
    pre_tokenizer: Stage
    post_processor: Stage
    decoder: Stage


def pipeline(recipe: Recipe, ids: Mapping[str, int] | None = None) -> Pipeline:
    """The stages of a recipe; `ids` of special tokens give the post-processor its own."""
    builders = {
        ModelKind.BPE: _byte_level,
        ModelKind.WORDPIECE: _bert,
        ModelKind.UNIGRAM: _metaspace,
    }
    return builders[recipe.model](recipe, ids or {})


def _byte_level(recipe: Recipe, ids: Mapping[str, int]) -> Pipeline:
    from tokaudit_reference.text.published_patterns import PATTERNS

    options = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    split: dict[str, Any] = options | {"use_regex": True}  # GPT-2's pattern is built in
    if recipe.patterns != PATTERNS["gpt2"]:
        steps = [_split(pattern) for pattern in recipe.patterns]
        split = _sequence([*steps, options | {"use_regex": False}])
    return Pipeline(None, split, None, options | {"use_regex": True})


def _split(pattern: str) -> dict[str, Any]:
    return {
        "type": "Split",
        "pattern": {"Regex": pattern},
        "behavior": "Isolated",
        "invert": False,
    }


def _sequence(steps: list[dict[str, Any]]) -> dict[str, Any]:
    return {"type": "Sequence", "pretokenizers": steps}


def _bert(recipe: Recipe, ids: Mapping[str, int]) -> Pipeline:
    normalizer = {
        "type": "BertNormalizer",
        "clean_text": True,
        "handle_chinese_chars": True,
        "strip_accents": None,
        "lowercase": True,
    }
    decoder = {"type": "WordPiece", "prefix": "##", "cleanup": True}
    around = _around(recipe, ids)
    return Pipeline(normalizer, {"type": "BertPreTokenizer"}, around, decoder)


def _around(recipe: Recipe, ids: Mapping[str, int]) -> Stage:
    """BERT's [CLS] and [SEP] around a text, where the recipe has both."""
    cls, sep = recipe.roles.get("cls", ""), recipe.roles.get("sep", "")
    if cls not in ids or sep not in ids:
        return None
    first = [_token(cls), _text("A"), _token(sep)]
    second = [_text("B", 1), _token(sep, 1)]
    return {
        "type": "TemplateProcessing",
        "single": first,
        "pair": [*first, *second],
        "special_tokens": {
            token: {"id": token, "ids": [ids[token]], "tokens": [token]} for token in (cls, sep)
        },
    }


def _token(token: str, type_id: int = 0) -> dict[str, Any]:
    return {"SpecialToken": {"id": token, "type_id": type_id}}


def _text(which: str, type_id: int = 0) -> dict[str, Any]:
    return {"Sequence": {"id": which, "type_id": type_id}}


def _metaspace(recipe: Recipe, ids: Mapping[str, int]) -> Pipeline:
    mark = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "first", "split": True}
    return Pipeline(None, _sequence([_split(r"[\r\n]+"), mark]), None, mark)


def splitter(recipe: Recipe) -> Callable[[str], list[str]]:
    """A document to the pieces that the model sees one at a time, as text."""
    from tokaudit_reference.spec import Component
    from tokaudit_reference.steps.normalizers import normalizer
    from tokaudit_reference.steps.pre_tokenizers import pre_tokenizer

    stages = pipeline(recipe)
    cuts = stages.pre_tokenizer
    if recipe.model is ModelKind.BPE:  # without the step that spells bytes
        cuts = _sequence([_split(pattern) for pattern in recipe.patterns])
    normalize, split = normalizer(Component(stages.normalizer)), pre_tokenizer(Component(cuts))
    return lambda document: split(normalize(document), True)


def counted(documents: Iterable[str], split: Callable[[str], list[str]]) -> Counter[str]:
    """How often each piece occurs in the documents."""
    counts: Counter[str] = Counter()
    for document in documents:
        counts.update(split(document))
    return counts
