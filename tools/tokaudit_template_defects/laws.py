"""`python -m tokaudit_template_defects.laws`: published templates by `tokaudit chat --check`.

Their tokenizers are in no package, so the ids are those of a small one that has their markers.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tokaudit.api.chatting import hold_chats
from tokaudit_folders import chat_folders
from tokaudit_template_defects.published import family

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


def main() -> int:
    """A row for each template: how many of our conversations break each law."""
    laws: list[str] = []
    for title, name in FAMILIES.items():
        try:
            with tempfile.TemporaryDirectory(prefix="tokaudit-laws-") as folder:
                found = hold_chats(chat_folders.write(Path(folder), family(name)))
        except (FileNotFoundError, ValueError) as error:
            print(f"tokaudit_template_defects: {error}: run make templates", file=sys.stderr)
            return 2
        if not laws:
            laws = [one.law.id for one in found.laws]
            print(f"| template | {' | '.join(laws)} |\n|---|{'---|' * len(laws)}")
        print(f"| {title} | {' | '.join(str(one.broken) for one in found.laws)} |", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
