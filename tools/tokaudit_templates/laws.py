"""Holds published templates to the laws of `tokaudit chat --check`, as a table.

Their tokenizers are in no package, so the ids are those of a small one that has their markers.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tokaudit.products.audit.one_check import run_check
from tokaudit.products.chat.chatting import hold_chats
from tokaudit_folders import chat_folders
from tokaudit_templates.published import family
from tokaudit_tools.tables import head, row

FAMILIES = {
    "Qwen3": "qwen3",
    "Qwen3, for training": "qwen3_training",
    "gpt-oss": "gptoss",
    "Gemma 3": "gemma3",
    "GLM-4": "glm4moe",
    "DeepSeek-V3": "deepseekv3",
    "Llama 3.1": "llama3_1",
    "Mistral v0.3": "mistral_v2v3",
}


CHANGES = {"each day": "next day", "order of tools": "order of tools", "thinking": "thinking"}


def main() -> int:
    """A row for each template: conversations that break a law, and what a prompt cache keeps."""
    broken: list[str] = []
    kept = [head("template", *CHANGES.values())]
    for title, name in FAMILIES.items():
        try:
            with tempfile.TemporaryDirectory(prefix="tokaudit-laws-") as place:
                folder = chat_folders.write(Path(place), family(name))
                found, shares = hold_chats(folder).laws, _kept(folder)
        except (FileNotFoundError, ValueError) as error:
            print(f"{error}: run make templates", file=sys.stderr)
            return 2
        if not broken:
            laws = [one.law.id for one in found]
            broken = [head("template", *laws)]
        broken.append(row(title, *(one.broken for one in found)))
        kept.append(row(title, *shares))
    print("\n".join([*broken, "", *kept]))
    return 0


def _kept(folder: Path) -> list[str]:
    """The percentage of a prompt's ids that the same prompt begins with after each change."""
    found = run_check("chat_template/cache", folder).measurements
    shares = {one.dimensions["change"]: f"{one.value:.0f}" for one in found}
    return [shares.get(change, "") for change in CHANGES]
