"""Loads folders by `AutoTokenizer` and prints what it made of each; run by its own Python.

It reads a question a line, JSON, and answers each with a line.  It imports nothing of ours.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from pathlib import Path
from typing import Any

os.environ["HF_HUB_OFFLINE"] = "1"
warnings.filterwarnings("ignore")
ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # what the library prints is no answer

import transformers  # noqa: E402

transformers.logging.set_verbosity_error()
GENERATED = ("eos_token_id", "bos_token_id", "pad_token_id", "decoder_start_token_id")
ROLES = ("bos", "eos", "unk", "sep", "pad", "cls", "mask")


def loaded(folder: str, texts: list[str], whole: bool) -> dict[str, Any]:
    """The class, its settings and the ids of texts, what it built; or what was raised, and when."""
    try:
        found = transformers.AutoTokenizer.from_pretrained(
            folder, trust_remote_code=False, local_files_only=True
        )
    except BaseException as error:
        return {"refused": f"{type(error).__name__}: {error}"[:300]}
    answer: dict[str, Any] = {"class": type(found).__name__}
    try:
        named = {role: getattr(found, f"{role}_token", None) for role in ROLES}
        answer |= {
            "tokens": {role: str(token) for role, token in named.items() if token is not None},
            "padding_side": found.padding_side,
            "truncation_side": found.truncation_side,
            "model_max_length": found.model_max_length,
            "clean_up_tokenization_spaces": found.clean_up_tokenization_spaces,
            "split_special_tokens": found.split_special_tokens,
            "chat_template": found.chat_template,
            "model_input_names": found.model_input_names,
            "size": len(found),
            "added": sorted(found.get_added_vocab()),
        }
        if whole and getattr(found, "backend_tokenizer", None) is not None:
            answer["whole"] = found.backend_tokenizer.to_str()
        answer["ids"] = [found(text)["input_ids"] for text in texts]
        added = {id: token for token, id in found.get_added_vocab().items()}  # as they are stated
        names = [zip(ids, found.convert_ids_to_tokens(ids), strict=True) for ids in answer["ids"]]
        answer["names"] = [[added.get(id, token) for id, token in each] for each in names]
        answer["inner"] = [found(text, add_special_tokens=False)["input_ids"] for text in texts]
        answer["decoded"] = [found.decode(ids) for ids in answer["inner"]]
    except BaseException as error:
        answer["encoding"] = f"{type(error).__name__}: {error}"[:300]
    return answer


def of_model(folder: str) -> dict[str, Any]:
    """The rows of the model and the ids by which it generates; or what was raised."""
    found: dict[str, Any] = {}
    try:
        model = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
        found["rows"] = getattr(model.get_text_config(), "vocab_size", None)
    except BaseException as error:
        return {"refused_model": f"{type(error).__name__}: {error}"[:300]}
    try:
        if (Path(folder) / "generation_config.json").is_file():
            made = transformers.GenerationConfig.from_pretrained(folder, local_files_only=True)
        else:
            made = transformers.GenerationConfig.from_model_config(model)
        found["generated"] = {key: getattr(made, key, None) for key in GENERATED}
    except BaseException as error:
        found["refused_generation"] = f"{type(error).__name__}: {error}"[:300]
    return found


def main() -> None:
    """Answer until there are no more questions."""
    for line in sys.stdin:
        folder, texts, whole = json.loads(line)
        answer = loaded(folder, texts, whole) | of_model(folder)
        ANSWERS.write(json.dumps(answer, default=str) + "\n")
        ANSWERS.flush()


if __name__ == "__main__":
    main()
