"""The checks of chat templates over real ones: information at most, but for the findings below.

`make templates` makes what this needs; without that it skips.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from tokaudit.engine.chat import ChatIds, ChatRendering, ChatRenderings, render_untrimmed
from tokaudit.engine.chat_parts import render_parts
from tokaudit.engine.check import Check
from tokaudit.engine.options import Options
from tokaudit.foundation.errors import NotApplicable
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
CHECKS = (
    *("safe", "renders", "generation-prompt", "mask", "prefix", "portable", "words", "turns"),
    *("tools", "calls", "results", "reasoning", "switches", "images", "dialects"),
)
LLAMA_TOOLS = {"llama3_2_vision", "llama4", "llama3_1", "llama3_2"}
GPT_OSS = {"gptoss", "gptoss_training"}
MISTRAL_TOOLS = {"mistral_v2v3", "mistral_v3_tekken"}
GEMMA_4 = {"gemma4", "gemma4_v3", "gemma4_v4", "gemma4_v5"}
DIFFUSION = {"diffusion_gemma", "diffusion_gemma_training"}
COMMAND_TOOLS = {"command_a_rag", "command_a_tool_use"}
NEMOTRON = {"nemotron_3_5_lightning", "nemotron_3_nano", "nemotron_3_super", "nemotron_3_ultra"}
TRUE_FINDINGS: dict[tuple[str, str], set[str]] = {
    # the assistant's turn is opened at the end of every text
    ("generation-prompt", "opens the assistant's turn whether asked or not"): COMMAND_TOOLS,
    ("generation-prompt", "none after a result"): DIFFUSION,
    # have tags without dashes in lines of their own
    ("portable", "trimming"): {
        *("cohere2", "cohere2_training", "command_a", "exaone4", "glm4moe", "glm4moe_training"),
        *("jamba", "llama3_2_vision"),
        *COMMAND_TOOLS,
        *NEMOTRON,
        *(f"{name}_training" for name in NEMOTRON),
    },
    # the tags hold the header, or the <think> that the prompt has written
    ("mask", "header"): {
        *("deepseek_r1_distill_training", "deepseekv3_training", "gptoss_training"),
        *("muse_glimmer_training", "qwen3_5_nothink_training", "qwen3_5_think_training"),
        *("qwen3_6_training", "qwen3_8_training"),
        *(f"{name}_training" for name in NEMOTRON),
    },
    ("words", "passes over later system messages"): {
        *("alpaca", "falcon_h1", "metharme", "phi_4", "qwen3_vl", "qwen3_vl_training"),
        *GPT_OSS,
    },
    ("words", "with calls"): {
        *("llama3_2_vision", "llama3_1", "llama3_2", "muse_glimmer", "muse_glimmer_training"),
        *COMMAND_TOOLS,
        *MISTRAL_TOOLS,
    },
    # they ask whether there are calls by `is not none`
    ("words", "empty list of calls"): {
        "deepseek_v3",
        "deepseekv3",
        "deepseekv3_training",
        "llama4",
    },
    ("turns", "space before the end"): {"llava"},
    ("tools", "ignored"): {"command_a_rag", "deepseekv3_training"},
    # asked to call functions of which there are none, or with a list that is never closed
    ("tools", "empty list"): {*LLAMA_TOOLS, *MISTRAL_TOOLS},
    ("calls", "one call"): GPT_OSS,
    ("calls", "order"): {*GEMMA_4, *DIFFUSION, "gemma4_v2"},
    ("calls", "quotes"): {"lfm2_2_5", "lfm2_2_5_v2"},
    ("calls", "text arguments"): {
        *("exaone4", "qwen_25", "qwen2_5_training"),
        *("gemma4", "gemma4_v2", "gemma4_v3", "gemma4_v4"),
        *LLAMA_TOOLS,
        *GPT_OSS,
        *MISTRAL_TOOLS,
        "command_a_tool_use",
    },
    # another turn of the model is opened after a result, and nothing ends the one before
    ("results", "turn without end"): DIFFUSION,
    ("reasoning", "missing before calls"): {"exaone4"},
    ("reasoning", "sampled"): {"qwen3_8", "qwen3_8_training"},
    ("images", "moved"): {"llava", "llava_next", "llava_next_training"},
}


MOST_WARNINGS = 3  # of a healthy tokenizer, in all
FOUR = dict.fromkeys(("gptoss_training", "llama3_2_vision", *COMMAND_TOOLS), 4)
"""Each true: tags of a training that hold the header too, and turns that are opened always."""


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
    if not (VENV / "template-wheels").exists():
        pytest.skip("run make templates: it fetches the templates")
    spec = TokenizerSpec(ModelType.BPE, {}, format="tokenizer.json", files=("tokenizer.json",))
    ids = ChatIds(Characters())  # type: ignore[arg-type]
    worse: dict[tuple[str, str], set[str]] = {}
    with ChatRenderer() as renderer:
        for name, text in real():
            rendered = renderer.render(RenderRequest(text, role_matrix(), SPECIAL))
            one = ChatRendering(ChatTemplate("default", text, "chat_template.jinja", ""), rendered)
            given = ChatRenderings((one,), role_matrix(), SPECIAL)
            needs = (given, render_parts(given, renderer), render_untrimmed(given, renderer))
            for check in CHECKS:
                function = checks[f"chat_template/{check}"].function
                for finding in _findings(function, (*needs, spec, ids, Options())):
                    if finding.severity is not Severity.INFO:
                        worse.setdefault((check, finding.cause), set()).add(name)
    assert worse == TRUE_FINDINGS
    counts = Counter(name for names in worse.values() for name in names)
    assert {name: n for name, n in counts.items() if n > MOST_WARNINGS} == FOUR


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
