"""The documented defects of chat templates, each put into a folder with a real vocabulary.

The ids are those of the catalogue of defects; Phi-3's own tokenizer and template, and Mistral's
tokenizer with a template in Gemma's style, are the healthy folders.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from template_defects import ESCAPES, NO_SYSTEM, TRIGGER

from tokaudit.report.model import Finding, Severity
from tokaudit_folders import chat_folders, sick
from tokaudit_folders.chat_folders import Asked, Family

TURN = "{{ '<start_of_turn>' + m.role + '\\n' + m.content + '<end_of_turn>\\n' }}"
GEMMA = Family(
    "{{ bos_token }}{% for m in messages %}" + TURN + "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<start_of_turn>assistant\\n' }}{% endif %}",
    ("<pad>", "<start_of_turn>", "<end_of_turn>"),
    "<end_of_turn>",
    "<s>",
)
PROMPT = "{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% else %}{{ eos_token }}{% endif %}"
OPENED, WORDS, ENDED = "'<|assistant|>\n' + ", "message['content']", " + '<|end|>\n'}}{% endif %}"
ANSWER = OPENED + WORDS + ENDED
TAGGED = (
    "'<|assistant|>\n'}}{% generation %}{{ message['content'] }}{% endgeneration %}{{''" + ENDED
)
UNTHOUGHT = "(message['content'] if loop.last else message['content'].split('</think>')[-1])"
SHOUTED = "(message['content'] if loop.last else message['content'].upper())"


def phi(folder: Path, material: Path) -> Path:
    """Phi-3's tokenizer, template and stops."""
    source = material / "tokenizers" / "phi-3-mini"
    folder.mkdir()
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).write_bytes((source / name).read_bytes())
    stops = {"eos_token_id": [32000, 32001, 32007], "pad_token_id": 32000, "bos_token_id": 1}
    sick.write(folder / "generation_config.json", stops)
    sick.write(folder / "config.json", {"model_type": "phi3", **stops, "eos_token_id": 32000})
    return folder


def gemma(folder: Path, material: Path) -> Path:
    """Mistral's vocabulary with Gemma's markers and template."""
    source = material / "tokenizers" / "mistral-7b-v0.1" / "tokenizer.json"
    return chat_folders.write(folder, GEMMA, json.loads(source.read_bytes()))


def template(change: Callable[[str], str]) -> Callable[[Path], None]:
    """Change the template of the folder."""

    def break_it(folder: Path) -> None:
        name = "tokenizer_config.json"
        old = sick.read(folder / name)["chat_template"]
        assert change(old) != old
        sick.edit(folder, name, lambda c: c.update(chat_template=change(old)))

    return break_it


def only_stops_at(id: int) -> Callable[[Path], None]:
    """Let every config list one id alone."""

    def break_it(folder: Path) -> None:
        for name in ("generation_config.json", "config.json"):
            sick.edit(folder, name, lambda c: c.update(eos_token_id=id))
        sick.edit(folder, "tokenizer_config.json", lambda c: c.update(eos_token="</s>"))

    return break_it


def write_bos_in_both(folder: Path) -> None:
    """Let the template and the post-processor write BOS."""
    first = [{"SpecialToken": {"id": "<s>", "type_id": 0}}]
    special = {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}

    def change(tokenizer: Any) -> None:
        steps = tokenizer["post_processor"]
        steps.update(single=first + steps["single"], special_tokens=special)

    sick.edit(folder, "tokenizer.json", change)
    template(lambda t: "{{ bos_token }}" + t)(folder)


def lose(folder: Path) -> None:
    """Save the tokenizer without its template."""
    sick.edit(folder, "tokenizer_config.json", lambda c: c.pop("chat_template"))


@dataclass(frozen=True)
class Documented:
    """One way in which an entry shows, and what must be said of it."""

    entry: str
    break_it: Callable[[Path], None]
    check: str
    severity: str
    cause: str
    healthy: Callable[[Path, Path], Path] = phi
    base: bool = False


def _lines(text: str) -> str:
    return text.replace("{% for", "\n{% for").replace("{% endfor %}", "\n  {% endfor %}\n")


DOCUMENTED = [
    Documented("D20", write_bos_in_both, "bos", "warning", "doubled by two writers"),
    Documented("D25", only_stops_at(2), "stops", "error", "not a stop"),
    Documented("D27", only_stops_at(2), "stops", "error", "not a stop", gemma),
    Documented(
        "D45",
        template(lambda t: t.replace("<|end|>", "<|im_end|>")),
        "tokens",
        "warning",
        "marker",
    ),
    Documented(
        "D71",
        template(lambda t: t.replace("<|end|>", "").replace("{{ eos_token }}", "")),
        "stops",
        "error",
        "unended",
    ),
    Documented("D72", lambda folder: None, "mask", "info", "no tags"),
    Documented(
        "D72",
        template(lambda t: t.replace(ANSWER, TAGGED)),
        "mask",
        "error",
        "leaves the end of the assistant's turn unmarked",
    ),
    Documented(
        "D74",
        template(lambda t: t.replace(PROMPT, "{{ '<|assistant|>\n' }}")),
        "generation-prompt",
        "error",
        "opens the assistant's turn whether asked or not",
    ),
    Documented(
        "D74",
        template(lambda t: t.replace(PROMPT, "")),
        "generation-prompt",
        "error",
        "adds no generation prompt",
    ),
    Documented("D75", template(_lines), "portable", "info", "trimming"),
    Documented("D78", template(lambda t: ESCAPES + t), "portable", "warning", "escapes"),
    Documented(
        "D78",
        template(lambda t: "{% if tools %}{{ tools|tojson }}{% endif %}" + t),
        "portable",
        "info",
        "at times",
    ),
    Documented(
        "D80",
        template(lambda t: t.replace(ANSWER, OPENED + UNTHOUGHT + ENDED)),
        "prefix",
        "info",
        "drops reasoning",
    ),
    Documented(
        "D80",
        template(lambda t: t.replace(ANSWER, OPENED + SHOUTED + ENDED)),
        "prefix",
        "error",
        "rewrites an earlier turn",
    ),
    Documented("D81", template(lambda t: NO_SYSTEM + t), "renders", "info", "refused"),
    Documented(
        "D82",
        template(lambda t: t + "{{ ''.__class__.__mro__ }}"),
        "safe",
        "error",
        "dunder access",
    ),
    Documented(
        "D83",
        template(lambda t: t + TRIGGER),
        "safe",
        "error",
        "words under a comparison of content",
    ),
    Documented("D122", lose, "missing", "warning", "turn markers"),
    Documented("D122", lose, "missing", "error", "the base has one", base=True),
]
HEALTHY = {
    ("tokens", "info", "stripped"),  # rstrip of its turn markers takes the line ends after them
    ("injection", "info", "forged"),
    ("mask", "info", "no tags"),
    ("prefix", "info", "other end"),
    ("renders", "info", "fails on a shape"),
    ("stops", "warning", "only in generation"),
    ("words", "info", "passes over other messages"),
}


@pytest.mark.parametrize("one", DOCUMENTED, ids=lambda one: f"{one.entry} {one.cause}")
def test_a_documented_defect_is_found_with_evidence(
    one: Documented, material: Path, tmp_path: Path
) -> None:
    folder = one.healthy(tmp_path / "model", material)
    base = one.healthy(tmp_path / "base", material) if one.base else None
    one.break_it(folder)
    findings = [f for f in Asked(folder, base).findings(one.check) if f.cause == one.cause]
    assert one.severity in [str(finding.severity) for finding in findings]
    assert all(finding.places and _shown(finding) for finding in findings)


def _shown(finding: Finding) -> bool:
    """Whether there is evidence, or a place with what was found there."""
    stated = any(place.value for place in finding.places)
    return bool(finding.evidence) or stated or finding.cause == "no tags"


def test_of_phi_3_itself_only_the_end_of_turns_in_one_file_is_a_warning(
    material: Path, tmp_path: Path
) -> None:
    assert Asked(phi(tmp_path / "model", material)).reported() == HEALTHY


def test_gemmas_template_on_mistrals_vocabulary_begins_twice_and_no_more(
    material: Path, tmp_path: Path
) -> None:
    """Its post-processor writes BOS as well, which is true of the published files too."""
    reported = Asked(gemma(tmp_path / "model", material)).reported()
    warned = {(check, cause) for check, severity, cause in reported if severity != Severity.INFO}
    assert warned == {("bos", "doubled by two writers")}
