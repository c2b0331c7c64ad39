"""The checks of chat templates over real ones: information at most, but for the findings below.

`make templates` makes what this needs; without that it skips.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tokaudit.engine.chat import ChatIds, ChatRendering, ChatRenderings, render_untrimmed
from tokaudit.engine.check import Check
from tokaudit.report.model import Finding, Severity
from tokaudit.runtimes.chat.conversations import role_matrix
from tokaudit.runtimes.chat.rendering import RenderRequest
from tokaudit.runtimes.chat.templates import ChatTemplate
from tokaudit.runtimes.protocol import Encoding
from tokaudit.runtimes.worker.chat_client import ChatRenderer
from tokaudit_reference.spec import ModelType, TokenizerSpec

pytestmark = pytest.mark.templates

VENV = Path(sys.prefix)
SPECIAL = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
ANEW = "writes an earlier turn anew"
ALWAYS = "opens the assistant's turn whether asked or not"
CHECKS = ("safe", "renders", "generation-prompt", "mask", "prefix", "portable", "words", "turns")
UNTRIMMED = "trimming"
TRUE_FINDINGS = {
    # opens the next answer at the end of every text that ends in one
    ("command_a", "prefix"): ANEW,
    ("command_a_rag", "generation-prompt"): ALWAYS,
    ("command_a_tool_use", "generation-prompt"): ALWAYS,
    # drops the words beside a call once its result is there
    ("gemma4", "prefix"): ANEW,
    ("gemma4_v3", "prefix"): ANEW,
    ("gemma4_v4", "prefix"): ANEW,
    ("gemma4_v5", "prefix"): ANEW,
    ("diffusion_gemma", "prefix"): ANEW,
    ("diffusion_gemma_training", "prefix"): ANEW,
    # ends the last answer with <|return|> and earlier ones with <|end|>
    ("gptoss", "prefix"): ANEW,
    ("gptoss_training", "prefix"): ANEW,
    # lists the tools before the last question
    ("mistral_v2v3", "prefix"): ANEW,
    ("mistral_v3_tekken", "prefix"): ANEW,
    # have tags without dashes in lines of their own
    ("cohere2", "portable"): UNTRIMMED,
    ("cohere2_training", "portable"): UNTRIMMED,
    ("command_a", "portable"): UNTRIMMED,
    ("command_a_rag", "portable"): UNTRIMMED,
    ("command_a_tool_use", "portable"): UNTRIMMED,
    ("exaone4", "portable"): UNTRIMMED,
    ("glm4moe", "portable"): UNTRIMMED,
    ("glm4moe_training", "portable"): UNTRIMMED,
    ("jamba", "portable"): UNTRIMMED,
    ("llama3_2_vision", "portable"): UNTRIMMED,
    ("nemotron_3_5_lightning", "portable"): UNTRIMMED,
    ("nemotron_3_5_lightning_training", "portable"): UNTRIMMED,
    ("nemotron_3_nano", "portable"): UNTRIMMED,
    ("nemotron_3_nano_training", "portable"): UNTRIMMED,
    ("nemotron_3_super", "portable"): UNTRIMMED,
    ("nemotron_3_super_training", "portable"): UNTRIMMED,
    ("nemotron_3_ultra", "portable"): UNTRIMMED,
    ("nemotron_3_ultra_training", "portable"): UNTRIMMED,
}


class Characters:
    """A tokenizer whose ids are code points: enough to compare texts."""

    def encode(self, texts: list[str], _: object) -> list[Encoding]:
        return [Encoding(tuple(map(ord, text))) for text in texts]


def real() -> Iterator[tuple[str, str]]:
    """Each distinct template of the packages."""
    seen: set[str] = set()
    for path in sorted((VENV / "template-wheels" / "unpacked").rglob("*.jinja")):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if digest not in seen:
            seen.add(digest)
            yield path.stem, path.read_text(encoding="utf-8")


def test_real_templates_get_information_at_most_but_for_true_findings(
    checks: dict[str, Check],
) -> None:
    """Whatever is worse is listed above, with its reason."""
    if not (VENV / "templates").exists():
        pytest.skip("run make templates: it fetches the templates")
    spec = TokenizerSpec(ModelType.BPE, {}, format="tokenizer.json", files=("tokenizer.json",))
    ids: Any = ChatIds(Characters())  # type: ignore[arg-type]
    worse = {}
    with ChatRenderer() as renderer:
        for name, text in real():
            rendered = renderer.render(RenderRequest(text, role_matrix(), SPECIAL))
            one = ChatRendering(ChatTemplate("default", text, "chat_template.jinja", ""), rendered)
            given = ChatRenderings((one,), role_matrix(), SPECIAL)
            untrimmed = render_untrimmed(given, renderer)
            more = {"prefix": (spec, ids), "portable": (untrimmed, spec, ids), "mask": (ids, spec)}
            for check in CHECKS:
                function = checks[f"chat_template/{check}"].function
                for finding in function(given, *more.get(check, ())):
                    assert isinstance(finding, Finding)
                    if finding.severity is not Severity.INFO:
                        worse[name, check] = finding.cause
    assert worse == TRUE_FINDINGS
