"""Published templates, each in a folder with the tokens that it needs.

`make templates` fetches them; their own tokenizers are in no package, so a small one has their
markers as added tokens.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from tokaudit.runtimes.chat.conversations import role_matrix
from tokaudit.runtimes.chat.renderer import render
from tokaudit.runtimes.chat.rendering import RenderRequest
from tokaudit_folders.chat_folders import Family
from tokaudit_suites.chat_template._template_markers import SHAPES

UNPACKED = Path(sys.prefix) / "template-wheels" / "unpacked"
SPECIAL = {"bos_token": "<s>", "eos_token": "</s>"}
ROLES = {"gptoss_training": "<|return|>", "glm4moe_training": "<|user|>"}
"""The end of a turn where it is not the first marker after an answer."""


def template(name: str) -> str:
    """The text of a template of TRL, or else of axolotl; raises `FileNotFoundError`."""
    for package in ("trl/chat_templates", "axolotl/utils/chat_templates/templates"):
        path = UNPACKED / package / f"{name}.jinja"
        if path.exists():
            return path.read_text(encoding="utf-8")
    raise FileNotFoundError(f"there is no template {name} in {UNPACKED}")


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
