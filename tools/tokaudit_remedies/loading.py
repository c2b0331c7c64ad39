"""Run by the interpreter of a version of transformers: prints what it makes of folders.

A folder comes in on each line, and a line of JSON goes out: what each loader read, or its error.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

PROBES = ("Hello world, 123", "<|im_start|>user\n", " the  cat ", "don't stop")
CHAT = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes"}]


def tokenizer_of(folder: str) -> Any:
    """What the automatic loader of tokenizers reads."""
    found = _automatic("Tokenizer").from_pretrained(folder, local_files_only=True)
    shown = {
        "special": {key: str(value) for key, value in found.special_tokens_map.items()},
        "length": len(found),
        "added": {str(id): str(token) for id, token in found.added_tokens_decoder.items()},
        "ids": [found(probe)["input_ids"] for probe in PROBES],
        "text": [found.decode(found(probe)["input_ids"]) for probe in PROBES],
        "sides": [found.padding_side, found.truncation_side, found.model_max_length],
    }
    if found.chat_template:
        shown["template"] = found.chat_template
        shown["chat"] = found.apply_chat_template(CHAT, tokenize=False)
        shown["prompt"] = found.apply_chat_template(
            CHAT[:1], tokenize=False, add_generation_prompt=True
        )
    return shown


def generation_of(folder: str) -> Any:
    """What GenerationConfig reads; nothing where the file is not there."""
    from transformers import GenerationConfig

    if not (Path(folder) / "generation_config.json").exists():
        return None
    return GenerationConfig.from_pretrained(folder, local_files_only=True).to_dict()


def config_of(folder: str) -> Any:
    """What the automatic loader of configs reads; nothing where the file is not there."""
    if not (Path(folder) / "config.json").exists():
        return None
    return _automatic("Config").from_pretrained(folder, local_files_only=True).to_dict()


def _automatic(kind: str) -> Any:
    import transformers

    return getattr(transformers, f"Auto{kind}")


def main() -> None:
    """Answer each line."""
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        folder = json.loads(line)
        answer: dict[str, Any] = {}
        for read in (tokenizer_of, generation_of, config_of):
            try:
                answer[read.__name__] = read(folder)
            except Exception as error:
                answer[read.__name__] = {"error": f"{type(error).__name__}: {error}"[:300]}
        said = json.dumps(answer, sort_keys=True, default=str)
        print("\x1e" + said.replace(folder, "."), flush=True)  # its name is no reading


if __name__ == "__main__":
    main()
