"""Published templates, each in a folder with the tokens that it needs.

`make templates` fetches them; their own tokenizers are in no package, so a small one has their
markers as added tokens.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tokaudit.products.chat.rendering.renderer import render
from tokaudit.products.chat.rendering.rendering import RenderRequest
from tokaudit.subject.conversations.conversation import role_matrix
from tokaudit_faults.fault import Change
from tokaudit_folders import chat_folders
from tokaudit_folders.chat_folders import Family
from tokaudit_suites.chat_template._template_markers import SHAPES

UNPACKED = Path(sys.prefix) / "template-wheels" / "unpacked"
SPECIAL = {"bos_token": "<s>", "eos_token": "</s>"}
ROLES = {
    "gptoss_training": "<|return|>",
    "glm4moe_training": "<|user|>",
    **dict.fromkeys(
        ("cohere2", "cohere2_training", "command_a", "command_a_rag", "command_a_tool_use"),
        "<|END_OF_TURN_TOKEN|>",
    ),
}
"""The end of a turn where it is not the first marker after an answer."""


@cache
def _paths() -> Mapping[str, Path]:
    """Every file of TRL, and of axolotl under its own name unless TRL has another of that name."""
    found: dict[str, Path] = {}
    for folder in ("trl/chat_templates", "axolotl/utils/chat_templates/templates"):
        package = folder.partition("/")[0]
        for path in sorted((UNPACKED / folder).glob("*.jinja")):
            found[path.stem if path.stem not in found else f"{package}/{path.stem}"] = path
    return found


def template(name: str) -> str:
    """The text of a template of TRL, or else of axolotl; raises `FileNotFoundError`."""
    path = _paths().get(name)
    if path is None:
        raise FileNotFoundError(f"there is no template {name} in {UNPACKED}")
    return path.read_text(encoding="utf-8")


def distinct() -> list[str]:
    """The name of each text that is published, the first of them; raises `FileNotFoundError`."""
    first: dict[str, str] = {}
    for name in _paths():
        first.setdefault(template(name), name)
    if not first:
        raise FileNotFoundError(f"there are no templates in {UNPACKED}")
    return sorted(first.values())


@cache
def family(name: str) -> Family:
    """The template, its markers as added tokens, and the token that ends its turns."""
    text = template(name)
    request = RenderRequest(text, role_matrix()[2:3], SPECIAL, react=False)
    (chat,) = render(request).conversations
    written = chat.whole.plain.text
    found = dict.fromkeys(
        marker for pattern in SHAPES.values() for marker in pattern.findall(text + written)
    )
    after = written.rpartition("help?")[2].strip()
    eos = ROLES.get(name) or next((marker for marker in found if after.startswith(marker)), "</s>")
    return Family(text, tuple(dict.fromkeys(("<pad>", "<s>", "</s>", *found))), eos, "<s>")


@dataclass(frozen=True)
class PublishedTemplate:
    """A template by its name, as a folder that faults are put into."""

    name: str

    def write(self, folder: Path, change: Change | None = None, seed: str = "") -> None:
        """Write it with the tokens that it needs; nothing is drawn."""
        sound = family(self.name)
        text = sound.template if change is None else change(sound.template)
        chat_folders.write(folder, chat_folders.with_template(sound, text))
