"""What a family is, and what its members share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from tokaudit_faults.fault import Change
from tokaudit_faults.healthy.draft import Draft, Json
from tokaudit_folders.folder import FLAGS
from tokaudit_folders.sick import declared

TURNS = ("<|im_start|>", "<|im_end|>", "<|tool_call|>")
TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


class Absent(Exception):
    """The package or the folder that a family is taken from is not here."""


@dataclass(frozen=True)
class Family:
    """A small member of a family; `source` says what it was cut from."""

    name: str
    source: str
    make: Callable[[], Draft]

    def draft(self, change: Change | None = None, seed: str = "") -> Draft:
        """The healthy draft, or a changed copy; raises `Absent` and `Inapplicable`."""
        draft = _made(self).copied()
        if change is not None:
            change(draft, Random(seed))
        return draft

    def write(self, folder: Path, change: Change | None = None, seed: str = "") -> None:
        """Write the draft."""
        self.draft(change, seed).folder().write(folder)


@cache
def _made(family: Family) -> Draft:
    return family.make()


def package_file(package: str, place: str) -> Path:
    """A file of an installed package; raises `Absent`."""
    found = find_spec(package)
    for folder in (found.submodule_search_locations or ()) if found else ():
        if (Path(folder) / place).is_file():
            return Path(folder) / place
    raise Absent(f"the package {package} with {place} is not installed")


def added(id: int, content: str, **flags: Any) -> Json:
    """An entry of a list of added tokens."""
    return {"id": id, "content": content, **FLAGS, "special": True, **flags}


def around(
    before: Iterable[tuple[str, int]] = (), after: Iterable[tuple[str, int]] = ()
) -> dict[str, Any]:
    """A post-processor that writes special tokens around a text."""
    first, last = list(before), list(after)

    def text(id: str, kind: int) -> list[Any]:
        names = [{"SpecialToken": {"id": name, "type_id": kind}} for name, _ in first]
        ends = [{"SpecialToken": {"id": name, "type_id": kind}} for name, _ in last]
        return [*names, {"Sequence": {"id": id, "type_id": kind}}, *ends]

    single = text("A", 0)
    return {
        "type": "TemplateProcessing",
        "single": single,
        "pair": [*single, *text("B", 1)],
        "special_tokens": {
            name: {"id": name, "ids": [id], "tokens": [name]} for name, id in [*first, *last]
        },
    }


def chat_settings(tokens: Sequence[Json], roles: dict[str, str], size: int, **more: Any) -> Any:
    """The files of settings of a decoder that chats."""
    ids = {token["content"]: token["id"] for token in tokens}
    named = {f"{role}_token": content for role, content in roles.items()}
    by_id = {f"{role}_token_id": ids[content] for role, content in roles.items()}
    lengths = {"max_position_embeddings": 2048, "vocab_size": size}
    kind = {"architectures": ["LlamaForCausalLM"], "model_type": "llama"}
    stops = [by_id["eos_token_id"], ids["<|im_end|>"]]
    return {
        "tokenizer_config.json": {
            **named,
            "added_tokens_decoder": declared(tokens),
            "chat_template": TEMPLATE,
            "clean_up_tokenization_spaces": False,
            "model_max_length": 2048,
            "padding_side": "left",
            **more,
        },
        "special_tokens_map.json": named,
        "config.json": {**kind, **by_id, **lengths, "tie_word_embeddings": False},
        "generation_config.json": {**by_id, "eos_token_id": stops},
    }
