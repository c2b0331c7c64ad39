"""Facts of a GGUF file other than its vocabulary, under the names that checks use.

A file that does not parse states none: what is wrong with it is said where it is parsed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.formats.gguf.keys import PREFIX, ROLE_KEYS
from tokaudit.subject.formats.gguf.metadata import begin, opened, pairs
from tokaudit.subject.formats.gguf.tensors import DEFAULT_ALIGNMENT, described
from tokaudit.subject.material import Fact, SourceFile
from tokaudit.subject.upstream.llama_cpp.gguf_tokens import gaps
from tokaudit_reference.spec import SpecError

TEMPLATE = "tokenizer.chat_template"  # named ones have a dot and their name after it
ROLES = {PREFIX + key: f"{role}_token_id" for role, key in ROLE_KEYS.items()}
ROLES |= {f"{PREFIX}{end}_token_id": f"{end}_token_id" for end in ("eot", "eom")}
"""And the ends of a turn and of a message; no other format has keys for them."""
FLAGS = {f"{PREFIX}add_{role}_token": f"add_{role}_token" for role in ("bos", "eos")}
LOWERCASE, SPACE = f"{PREFIX}normalizer.lowercase", "add_space_prefix"
TEXTS = {f"{PREFIX}pre": "gguf_pre", f"{PREFIX}model": "gguf_model"}
TEXTS["general.architecture"] = "gguf_architecture"
NAMES = {**ROLES, **FLAGS, LOWERCASE: "do_lower_case", PREFIX + SPACE: SPACE, **TEXTS}
SIZES, POOLING = (".vocab_size", ".text_vocab_size"), ".pooling_type"  # after the architecture
TYPES = {
    "token_id": int,
    "chat_template": str,
    "vocab_size": int,
    "gguf_pre": str,
    "gguf_pooling": int,
    "gguf_architecture": str,
    "gguf_model": str,
}


def facts(file: SourceFile) -> Iterator[Fact]:
    """Yield ids of roles, flags, templates and the declared size, with keys as pointers."""
    try:
        found = _stated(file)
    except (SpecError, UnreadableError):
        return
    for key, value in found.items():
        name = str(fact_name(key))
        if type(value) is next((t for end, t in TYPES.items() if name.endswith(end)), bool):
            yield Fact(name, value, file.name, key)


def _stated(file: SourceFile) -> dict[str, Any]:
    """Read the keys of facts in one pass over the header."""
    with opened(file) as cursor:
        count, keys = begin(cursor)
        found = pairs(cursor, keys, lambda key: fact_name(key) is not None)
        with suppress(SpecError):
            described(cursor, count, DEFAULT_ALIGNMENT)
        return found


def fact_name(key: str) -> str | None:
    """Return the name of the fact that a key states, or None.

    >>> fact_name("tokenizer.ggml.padding_token_id"), fact_name("llama.vocab_size")
    ('pad_token_id', 'vocab_size')
    >>> fact_name("tokenizer.chat_template.tool_use"), fact_name("general.name")
    ('chat_template', None)
    """
    if key == TEMPLATE or key.startswith(TEMPLATE + "."):
        return "chat_template"
    if key.endswith(POOLING):
        return "gguf_pooling"
    if key.endswith(SIZES):
        return "vocab_size"
    return NAMES.get(key) or _of_gaps().get(key)


@cache
def _of_gaps() -> Mapping[str, str]:
    """Map keys that name gap markers to their facts."""
    return {
        PREFIX + key: f"fim_{part}_token_id" for part, gap in gaps().items() for key in gap.keys
    }
