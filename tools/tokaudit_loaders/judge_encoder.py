"""Loads sentence encoders by sentence-transformers and prints what it takes; run by its own Python.

It reads a question a line, JSON, and answers each with a line.  It imports nothing of ours.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from typing import Any

os.environ["HF_HUB_OFFLINE"] = "1"
warnings.filterwarnings("ignore")
ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # what the libraries print is no answer

import torch  # noqa: E402
import transformers  # noqa: E402
from sentence_transformers import SentenceTransformer  # noqa: E402

torch.set_num_threads(1)
UPPER = "ABC THE"


def made(folder: str) -> dict[str, Any]:
    """Random weights for the config.json of a folder, next to it."""
    config = transformers.AutoConfig.from_pretrained(folder)
    transformers.AutoModel.from_config(config).save_pretrained(folder)
    return {}


def loaded(folder: str) -> dict[str, Any]:
    """The modules, the length, the pooling and the prompts; or what was raised."""
    try:
        found = SentenceTransformer(
            folder, device="cpu", trust_remote_code=False, local_files_only=True
        )
        first = found[0]
        tokenizer = first.tokenizer
        pooling = next(each for each in found if type(each).__name__ == "Pooling")
        modes = pooling.pooling_mode
        return {
            "modules": ", ".join(type(each).__name__ for each in found),
            "max_seq_length": found.max_seq_length,
            "do_lower_case": first.do_lower_case,
            "lowers": tokenizer.tokenize(UPPER) == tokenizer.tokenize(UPPER.lower()),
            "pooling": modes if isinstance(modes, str) else ", ".join(modes),
            "include_prompt": pooling.include_prompt,
            "prompts": json.dumps(found.prompts, ensure_ascii=False, sort_keys=True),
            "default_prompt_name": found.default_prompt_name,
        }
    except BaseException as error:
        return {"refused": f"{type(error).__name__}: {error}"[:300]}


def main() -> None:
    """Answer until there are no more questions."""
    for line in sys.stdin:
        folder, _, make = json.loads(line)
        answer = made(folder) if make else loaded(folder)
        ANSWERS.write(json.dumps(answer, default=str) + "\n")
        ANSWERS.flush()


if __name__ == "__main__":
    main()
