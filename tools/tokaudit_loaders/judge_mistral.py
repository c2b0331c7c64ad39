"""Loads tekken.json by mistral-common and prints what it takes; run by its own Python.

It reads a question a line, JSON, and answers each with a line.  It imports nothing of ours.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from typing import Any

warnings.filterwarnings("ignore")
ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # what the library prints is no answer

from mistral_common.protocol.instruct.messages import UserMessage  # noqa: E402
from mistral_common.protocol.instruct.request import ChatCompletionRequest  # noqa: E402
from mistral_common.tokens.tokenizers.mistral import MistralTokenizer  # noqa: E402

ROLES = ("unk", "bos", "eos", "pad")


def loaded(path: str, texts: list[str]) -> dict[str, Any]:
    """The version, the ids of roles and of texts, and how a request begins; or what was raised."""
    try:
        made = MistralTokenizer.from_file(path)
        inner = made.instruct_tokenizer.tokenizer
        request = ChatCompletionRequest(messages=[UserMessage(content="a")])
        return {
            "version": inner.version.value,
            "vocab_size": inner.n_words,
            **{f"{role}_token_id": role_id(inner, role) for role in ROLES},
            "before a text": inner.id_to_piece(made.encode_chat_completion(request).tokens[0]),
            "ids": [inner.encode(text, bos=False, eos=False) for text in texts],
        }
    except BaseException as error:
        return {"refused": f"{type(error).__name__}: {error}"[:300]}


def role_id(tokenizer: Any, role: str) -> int | None:
    """The id of a role; None where the library raises for it."""
    try:
        found: int = getattr(tokenizer, f"{role}_id")
        return found
    except ValueError:
        return None


def main() -> None:
    """Answer until there are no more questions."""
    for line in sys.stdin:
        path, texts, _ = json.loads(line)
        ANSWERS.write(json.dumps(loaded(path, texts), default=str) + "\n")
        ANSWERS.flush()


if __name__ == "__main__":
    main()
