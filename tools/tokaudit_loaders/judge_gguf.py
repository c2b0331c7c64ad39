"""Loads GGUF files by llama.cpp itself and prints what it takes of each; run by its own Python.

It reads a question a line, JSON, and answers each with a line.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from typing import Any

ANSWERS = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # what the library prints is no answer

from tokaudit.runtimes.adapters import llama_cpp  # noqa: E402
from tokaudit.runtimes.protocol import EncodeOptions  # noqa: E402
from tokaudit.runtimes.request import LoadRequest  # noqa: E402

IDS = ("bos", "eos", "eot", "sep", "pad", "mask")
FLAGS = ("add_bos", "add_eos")
KINDS = {"unknown": 1, "unused": 2, "control": 8, "user_defined": 16, "lstrip": 128, "rstrip": 256}
"""Bits of llama_token_attr."""


def asked(library: Any, name: str, kind: Any, vocabulary: Any, *more: int) -> Any:
    """One question of llama.cpp's C interface about a vocabulary."""
    function = getattr(library, f"llama_vocab_{name}")
    function.restype, function.argtypes = kind, [ctypes.c_void_p, *[ctypes.c_int32] * len(more)]
    return function(vocabulary, *more)


def loaded(path: str, texts: list[str]) -> dict[str, Any]:
    """The ids and flags, the type of each token and the ids of texts; or how it is refused."""
    try:
        found = llama_cpp.load(LoadRequest(llama_cpp.NAME, path, files=(path,)))
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {error}"[:300]}
    library, vocabulary = found._library, found._vocabulary  # type: ignore[attr-defined]
    size = len(found.vocab())
    answer: dict[str, Any] = {}
    for role in IDS:
        id = asked(library, role, ctypes.c_int32, vocabulary)
        answer[f"{role}_token_id"] = None if id < 0 else id
    for flag in FLAGS:
        answer[f"{flag}_token"] = asked(library, f"get_{flag}", ctypes.c_bool, vocabulary)
    of_each = [asked(library, "get_attr", ctypes.c_int32, vocabulary, id) for id in range(size)]
    answer["kinds"] = [[kind for kind, bit in KINDS.items() if each & bit] for each in of_each]
    is_end = (asked(library, "is_eog", ctypes.c_bool, vocabulary, id) for id in range(size))
    answer["stops"] = [id for id, ends in enumerate(is_end) if ends]
    for key, options in {
        "ids": EncodeOptions(add_special_tokens=True, parse_special=True),
        "inner": EncodeOptions(add_special_tokens=False, parse_special=True),
    }.items():
        answer[key] = [list(each.ids) for each in found.encode(texts, options)]
    return answer


def main() -> None:
    """Answer until there are no more questions."""
    for line in sys.stdin:
        path, texts, _ = json.loads(line)
        ANSWERS.write(json.dumps(loaded(path, texts)) + "\n")
        ANSWERS.flush()


if __name__ == "__main__":
    main()
