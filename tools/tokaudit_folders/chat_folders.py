"""Folders with chat templates of three families, and checks asked of them in this process.

The templates are ours, so nothing here needs a worker: a check and its needs take milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tokaudit.engine.check import all_checks
from tokaudit.engine.needs import Options, Others
from tokaudit.engine.providers import audit_needs
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import NotApplicable, Skip
from tokaudit.products.chat.rendering.renderer import render
from tokaudit.report.model import Finding
from tokaudit.runtimes.registry import adapter_named
from tokaudit.runtimes.request import LoadRequest
from tokaudit.subject.opening import open_subject
from tokaudit_folders import sick


@dataclass(frozen=True)
class Family:
    """A template, the added tokens it needs in the order of their ids, and their roles."""

    template: str
    tokens: tuple[str, ...]
    eos: str
    bos: str | None = None
    pad: str = "<pad>"


def with_template(family: Family, template: str) -> Family:
    """The family with another template."""
    return replace(family, template=template)


def _turns(first: str, system: str, user: str, opened: str, end: str, between: str) -> str:
    """A template that writes each role in its own way; the answer and its end are learned."""
    return (
        first + "{%- for m in messages -%}{%- if m.role == 'system' -%}" + system
        + "{%- elif m.role == 'assistant' -%}" + opened
        + "{% generation %}{{ m.content }}" + end + "{% endgeneration %}" + between
        + "{%- else -%}" + user + "{%- endif -%}{%- endfor -%}"
        "{%- if add_generation_prompt -%}" + opened + "{%- endif -%}"
    )  # fmt: skip


def _chatml(role: str) -> str:
    return "{{ '<|im_start|>" + role + "\\n' + m.content + '<|im_end|>\\n' }}"


def _llama(role: str) -> str:
    opened = "<|start_header_id|>" + role + "<|end_header_id|>\\n\\n"
    return "{{ '" + opened + "' + m.content + '<|eot_id|>' }}"


FAMILIES = {
    "ChatML": Family(
        _turns(
            "",
            _chatml("system"),
            _chatml("user"),
            "{{ '<|im_start|>assistant\\n' }}",
            "<|im_end|>",
            "{{ '\\n' }}",
        ),
        ("<pad>", "<|im_start|>", "<|im_end|>"),
        "<|im_end|>",
    ),
    "Llama": Family(
        _turns(
            "{{ bos_token }}",
            _llama("system"),
            _llama("user"),
            "{{ '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}",
            "<|eot_id|>",
            "",
        ),
        ("<pad>", "<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"),
        "<|eot_id|>",
        "<|begin_of_text|>",
    ),
    "Mistral": Family(
        _turns(
            "{{ bos_token }}",
            "{{ '[SYSTEM_PROMPT]' + m.content + '[/SYSTEM_PROMPT]' }}",
            "{{ '[INST]' + m.content + '[/INST]' }}",
            "",
            "</s>",
            "",
        ),
        ("<pad>", "<s>", "</s>", "[INST]", "[/INST]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]"),
        "</s>",
        "<s>",
    ),
}


def write(folder: Path, family: Family, tokenizer: Mapping[str, Any] | None = None) -> Path:
    """A checkpoint of that family: the small vocabulary or a real one, and its added tokens."""
    sick.healthy(folder)
    sick.only_tokenizer_json(folder)
    given: Any = dict(tokenizer or sick.read(folder / "tokenizer.json"))
    kept = [] if tokenizer is None else list(given["added_tokens"])
    known = {token["content"]: token["id"] for token in kept}
    taken = {*given["model"]["vocab"].values(), *known.values()}
    first = 1 + max(taken) if kept else len(given["model"]["vocab"])
    new = [content for content in family.tokens if content not in known]
    added = [*kept, *(sick._added(first + place, content) for place, content in enumerate(new))]
    ids = {token["content"]: token["id"] for token in added}
    given["added_tokens"] = added
    sick.write(folder / "tokenizer.json", given)
    roles = {"eos_token": family.eos, "pad_token": family.pad}
    if family.bos is not None:
        roles["bos_token"] = family.bos
    sick.write(folder / "tokenizer_config.json", {**roles, "chat_template": family.template})
    stops = {"eos_token_id": [ids[family.eos]], "pad_token_id": ids[family.pad]}
    sick.write(folder / "generation_config.json", stops)
    sick.write(folder / "config.json", {"model_type": "llama", **stops})
    return folder


class _Here:
    """Renders in this process: for templates of ours and of packages only."""

    render = staticmethod(render)


def _in_this_process() -> Workers:
    """Workers that start none: libraries and templates run here."""
    workers = Workers()

    def open(role: str, request: LoadRequest) -> Any:
        workers.opened[role] = tokenizer = adapter_named(request.adapter).load(request)  # type: ignore[assignment]
        return tokenizer

    def client(make: object) -> type[_Here]:
        """Rendering is the only job that has a client."""
        return _Here

    vars(workers).update(open=open, client=client)  # found before those of the class
    return workers


class Asked:
    """One folder, and what its checks said."""

    def __init__(self, folder: Path, base: Path | None = None, use: str | None = None) -> None:
        others = Others(base=None if base is None else str(base))
        subject, options = open_subject(str(folder)), Options(use=use)
        self._needs = audit_needs(subject, options, _in_this_process(), others)

    def findings(self, check: str) -> list[Finding]:
        """The findings of one check; none where it does not apply."""
        function = CHECKS[f"chat_template/{check}"].function
        try:
            output = list(function(**self._needs.arguments(function)))
        except (NotApplicable, Skip):
            return []
        return [item for item in output if isinstance(item, Finding)]

    def reported(self) -> set[tuple[str, str, str]]:
        """Check, severity and cause of every finding of the suite."""
        return {
            (id.partition("/")[2], str(finding.severity), finding.cause)
            for id in CHECKS
            for finding in self.findings(id.partition("/")[2])
        }


CHECKS = {check.id: check for check in all_checks() if check.id.startswith("chat_template/")}
