"""Lists the tokenizer classes and methods of one installed transformers; run by its own Python.

It imports nothing of ours, as the environment has transformers and little else.
"""

from __future__ import annotations

import json
import sys
import warnings

warnings.filterwarnings("ignore")

import transformers  # noqa: E402
from transformers.models.auto import tokenization_auto as auto  # noqa: E402

FAST = getattr(transformers, "TokenizersBackend", None) or transformers.PreTrainedTokenizerFast


def found(name: str) -> type | None:
    """The class of a name as `AutoTokenizer` looks it up; None for what is no tokenizer."""
    try:
        kind = auto.tokenizer_class_from_name(name)
        return kind if isinstance(kind, type) and hasattr(kind, "vocab_files_names") else None
    except Exception:  # a stand-in for a class whose package is not here raises for any attribute
        return None


def main() -> None:
    """Print the names, those built on tokenizers first, and the methods that a key may hit."""
    listed = auto.TOKENIZER_MAPPING_NAMES.values()
    either = (each for pair in listed for each in ([pair] if isinstance(pair, str) else pair or ()))
    names = {each for each in (*either, *dir(transformers)) if each and "oken" in each}
    kinds = {name: kind for name in sorted(names) if (kind := found(name)) is not None}
    methods = {name for name in dir(FAST) if callable(getattr(FAST, name)) and name[:2] != "__"}
    json.dump(
        {
            "fast": [name for name, kind in kinds.items() if issubclass(kind, FAST)],
            "slow": [name for name, kind in kinds.items() if not issubclass(kind, FAST)],
            "methods": sorted(methods),
        },
        sys.stdout,
    )


if __name__ == "__main__":
    main()
