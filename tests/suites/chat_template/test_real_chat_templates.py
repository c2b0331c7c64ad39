"""The checks of chat templates over real ones: information at most, but for what was read.

`make templates` makes what this needs; without that it skips.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from tokaudit.engine.check import Check
from tokaudit.engine.options import Options
from tokaudit.foundation.errors import NotApplicable
from tokaudit.products.chat.engines.client import EngineRenderings
from tokaudit.products.chat.rendering.rendering import RenderRequest
from tokaudit.products.chat.rendering.templates import ChatTemplate
from tokaudit.products.chat.work.chat_client import ChatRenderer
from tokaudit.products.chat.work.part_renderings import render_parts
from tokaudit.products.chat.work.renderings import (
    ChatIds,
    ChatRendering,
    ChatRenderings,
    render_untrimmed,
)
from tokaudit.products.chat.work.shapes.renderings import render_shapes
from tokaudit.report.model import Finding, Severity
from tokaudit.runtimes.protocol import Encoding
from tokaudit.subject.conversations.conversation import role_matrix
from tokaudit.subject.opening import open_subject
from tokaudit_folders import chat_folders
from tokaudit_folders.chat_folders import FAMILIES
from tokaudit_reference.spec import ModelType, TokenizerSpec
from tokaudit_templates.published import UNPACKED, distinct, template
from tokaudit_templates.recorded import read_findings

pytestmark = pytest.mark.templates

SPECIAL = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
CHECKS = (
    *("safe", "renders", "generation-prompt", "mask", "prefix", "portable", "words", "turns"),
    *("tools", "calls", "results", "reasoning", "switches", "images", "dialects"),
    *("shapes", "ends"),
)
MOST_WARNINGS = 3  # of a healthy tokenizer, in all
FOUR = dict.fromkeys(
    (
        *("gptoss_training", "command_a_tool_use", "deepseekv3_training"),
        *("diffusion_gemma", "diffusion_gemma_training", "gemma4_v3"),
    ),
    4,
)
"""Each true: tags that hold the header too, turns always opened, turns that calls leave closed,
parameters that are skipped for their names."""


class Characters:
    """A tokenizer whose ids are code points: enough to compare texts."""

    def encode(self, texts: list[str], _: object) -> list[Encoding]:
        return [Encoding(tuple(map(ord, text))) for text in texts]


def test_real_templates_get_information_at_most_but_for_true_findings(
    checks: dict[str, Check], tmp_path: Path
) -> None:
    """Whatever is worse is in `findings.toml`, with its reason."""
    if not UNPACKED.exists():
        pytest.skip("run make templates: it fetches the templates")
    spec = TokenizerSpec(ModelType.BPE, {}, format="tokenizer.json", files=("tokenizer.json",))
    ids = ChatIds(Characters())  # type: ignore[arg-type]
    subject = open_subject(str(chat_folders.write(tmp_path, FAMILIES["ChatML"])))
    worse: dict[tuple[str, str], set[str]] = {}
    errors: set[tuple[str, str]] = set()
    with ChatRenderer() as renderer:
        for name in distinct():
            text = template(name)
            rendered = renderer.render(RenderRequest(text, role_matrix(), SPECIAL))
            one = ChatRendering(ChatTemplate("default", text, "chat_template.jinja", ""), rendered)
            given = ChatRenderings((one,), role_matrix(), SPECIAL)
            needs = (
                *(given, render_parts(given, renderer), render_untrimmed(given, renderer)),
                *(render_shapes(given, renderer), EngineRenderings({})),
                None,  # there is no base
            )
            for check in CHECKS:
                function = checks[f"chat_template/{check}"].function
                for finding in _findings(function, (*needs, subject, spec, ids, Options())):
                    if finding.severity is not Severity.INFO:
                        worse.setdefault((check, finding.cause), set()).add(name)
                    if finding.severity is Severity.ERROR:
                        errors.add((check, finding.cause))
    assert worse == {cause: set(read.templates) for cause, read in read_findings().items()}
    assert errors == {cause for cause, read in read_findings().items() if read.thread}
    counts = Counter(name for names in worse.values() for name in names)
    assert {name: n for name, n in counts.items() if n > MOST_WARNINGS} == FOUR


def test_of_most_templates_nothing_is_said_that_their_makers_would_not_act_on() -> None:
    """At most one warning a template, on average; `kept` names which these are."""
    kept = sum(len(read.templates) for read in read_findings().values() if read.kept)
    assert kept <= len(distinct())


def _findings(function: Callable[..., Iterable[object]], needs: tuple[Any, ...]) -> list[Finding]:
    """What a check says, given what it asks for by the types of its parameters."""
    hints = get_type_hints(function)
    given = {
        name: need
        for name, hint in hints.items()
        for need in needs
        if name != "return" and isinstance(need, hint)
    }
    try:
        return [item for item in function(**given) if isinstance(item, Finding)]
    except NotApplicable:
        return []
