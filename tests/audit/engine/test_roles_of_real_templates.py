"""`chat` says of nearly every token of real templates whose turn it is part of.

`make templates` makes what this needs; without that it skips.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from tokaudit.products.chat.rendering.renderer import render
from tokaudit.products.chat.rendering.rendering import RenderRequest
from tokaudit.products.chat.rendering.templates import ChatTemplate
from tokaudit.products.chat.work.renderings import ChatIds, ChatRendering, ChatRenderings
from tokaudit.products.chat.work.transcript import transcript
from tokaudit.report.recorded import Transcript
from tokaudit.runtimes.protocol import Encoding
from tokaudit.subject.conversations.conversation import role_matrix

pytestmark = pytest.mark.templates

UNPACKED = Path(sys.prefix) / "template-wheels" / "unpacked"
SPECIAL = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"}
MATRIX = tuple(one for one in role_matrix() if not one.continue_final)


class Characters:
    """A tokenizer whose ids are code points."""

    def encode(self, texts: list[str], _: Any) -> list[Encoding]:
        return [
            Encoding(tuple(map(ord, text)), offsets=tuple((i, i + 1) for i in range(len(text))))
            for text in texts
        ]


def real() -> dict[str, str]:
    """The text of each distinct template, and a name of it."""
    paths = sorted(UNPACKED.rglob("*.jinja"))
    return {path.read_text(encoding="utf-8"): path.stem for path in paths}


def spoken(template: str) -> Iterator[tuple[Transcript, tuple[tuple[int, int], ...]]]:
    """Each conversation of the matrix with its roles, and the spans of its generation tags."""
    ids = tuple(one.id for one in MATRIX)
    rendered = render(RenderRequest(template, MATRIX, SPECIAL, react=False, marked=ids))
    one = ChatRendering(ChatTemplate("default", template, "chat_template.jinja", ""), rendered)
    renderings = ChatRenderings((one,), MATRIX, SPECIAL)
    characters = ChatIds(Characters())  # type: ignore[arg-type]
    for given in MATRIX:
        chat = rendered.conversation(given.id)
        found = transcript(given, one, renderings, characters, {})
        if chat is not None and not found.refused:
            yield found, chat.whole.plain.assistant


def test_at_most_three_of_a_hundred_segments_have_no_role_and_tags_hold_answers() -> None:
    """The oracle: the generation tags of a template, else what changes with a message.

    Tags hold what a model writes, so the marker that opens the next turn where that ends an answer
    (GLM), and the one that ends a result (DeepSeek): at a border a token may be of either.
    """
    if not UNPACKED.exists():
        pytest.skip("run make templates: it fetches the templates")
    counts: Counter[str] = Counter()
    for template in real():
        tagged = "endgeneration" in template
        counts["by generation tags" if tagged else "by a message that is changed"] += 1
        for found, spans in spoken(template):
            roles = [role for role, _ in groupby(token.role for token in found.tokens)]
            counts["segments"] += len(roles)
            counts["without a role"] += roles.count("")
            said = [token.role for start, end in spans for token in found.tokens[start:end]]
            counts["in tags"] += len(said)
            counts["in tags, the assistant's"] += said.count("assistant")
    print(f"\n{dict(counts)}")
    assert counts["by generation tags"] == 36 and counts["by a message that is changed"] == 70
    assert 100 * counts["without a role"] <= 3 * counts["segments"]
    assert 100 * counts["in tags, the assistant's"] >= 99 * counts["in tags"] > 9_000_000
