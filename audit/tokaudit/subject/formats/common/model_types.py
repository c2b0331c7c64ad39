"""Names of models in `tokenizer.json`."""

from __future__ import annotations

from tokaudit_reference.spec import ModelType

MODEL_TYPES = {
    "BPE": ModelType.BPE,
    "WordPiece": ModelType.WORDPIECE,
    "Unigram": ModelType.UNIGRAM,
    "WordLevel": ModelType.WORDLEVEL,
}
NAMES = {model_type: name for name, model_type in MODEL_TYPES.items()}
