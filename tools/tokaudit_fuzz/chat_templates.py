"""Puts drawn templates through `audit`, `chat` and `compare --template`.

Half are published templates with up to four changes; half are put together of the ways in which
published ones write each part, right ones and wrong ones.  Each is rendered over what the commands
render of themselves and over drawn conversations of the grammar.  No command may end with 4, and
every report is written.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import random
import re
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from msgspec import structs

from tokaudit.cli import main as tokaudit
from tokaudit.products.chat.rendering.grammar.building import built
from tokaudit.products.chat.rendering.grammar.features import FEATURES, allowed, with_room
from tokaudit.products.chat.rendering.rendering import RenderedTemplate, RenderRequest
from tokaudit.products.chat.work.chat_client import ChatRenderer
from tokaudit_folders import chat_folders
from tokaudit_folders.chat_folders import FAMILIES, Family
from tokaudit_templates import published

TAG = re.compile(r"\{[{%#].*?[}%#]\}", re.DOTALL)
WORD = re.compile(r"[A-Za-z_]+")
OTHER = (
    *(
        "{{ raise_exception('no') }}",
        "{{ 1/0 }}",
        "{{ messages }}",
        "{{ none }}",
        "\u200b",
        "\u202e",
    ),
    *(
        "{{ messages[9].content }}",
        "{% break %}",
        "{% generation %}",
        "{% endgeneration %}",
        "</s>",
    ),
    *(
        "{{ bos_token }}",
        "{{ eos_token }}",
        "<|im_end|>",
        "{{ '\\U000e0041' }}",
        "{{ strftime_now('%c') }}",
    ),
    *("{{ 'x' * 99999 }}", "{{ range(3)|list }}", "{% set messages = [] %}", "{{ tools|tojson }}"),
)
WORDS = (
    *("content", "role", "messages", "tools", "loop", "first", "last", "true", "none", "trim"),
    *(
        "tojson",
        "string",
        "length",
        "reasoning_content",
        "tool_calls",
        "arguments",
        "endif",
        "endfor",
    ),
)
TURNS = (
    *("<|{{ m.role }}|>{{ m.content }}<|end|>", "<|{{ m.role }}|>{{ m.content }}"),
    *("{{ m.role }}: {{ m.content|trim }}\n", "<|user|>{{ m.content or '' }}<|end|><|end|>"),
    *("{{ m }}", "[INST]{{ m.content }}[/INST]", "{{ m['content'][0]['text'] }}{{ eos_token }}"),
)
CALLS = (
    "",
    "{% for c in m.tool_calls or [] %}<call>{{ c.function.name }}{{ c.function.arguments|tojson }}"
    "</call>{% endfor %}",
    "{% for c in m.tool_calls or [] %}<call>{{ c.function.arguments.items()|list }}{% endfor %}",
    "{% if m.tool_calls %}{{ m.tool_calls|string }}{% endif %}",
)
TOOLS = (
    "",
    "{% if tools %}{{ tools|tojson }}{% endif %}",
    "{% for t in tools %}{{ t.function.description|trim }}{% endfor %}",
)
STARTS = (
    "",
    "{{ bos_token }}",
    "{% if messages[0].role == 'system' %}{{ messages[0].content }}{% endif %}",
)
PROMPTS = (
    "",
    "{% if add_generation_prompt %}<|assistant|>{% endif %}",
    "<|assistant|>",
    "{% if add_generation_prompt %}<|assistant|><think>{% endif %}",
)


def drawn(random: random.Random, names: Sequence[str]) -> str:
    """A template of parts, or a published one with changes."""
    if not names or random.random() < 0.5:
        turn, calls, tools, start, prompt = map(
            random.choice, (TURNS, CALLS, TOOLS, STARTS, PROMPTS)
        )
        text = f"{start}{tools}{{% for m in messages %}}{turn}{calls}{{% endfor %}}{prompt}"
        changes = random.randrange(3)
    else:
        text, changes = published.template(random.choice(names)), random.randint(1, 4)
    for _ in range(changes):
        text = changed(random, text)
    return text


def changed(random: random.Random, text: str) -> str:
    """The template with one change: a tag, a word, a line or a character."""
    tags, words = list(TAG.finditer(text)), list(WORD.finditer(text))
    way = random.randrange(6)
    if way == 0 and tags:
        tag = random.choice(tags)
        return text[: tag.start()] + text[tag.end() :]
    if way == 1 and tags:
        one, other = random.choice(tags), random.choice(tags)
        return text[: one.start()] + other[0] + text[one.end() :]
    if way == 2 and words:
        word = random.choice(words)
        return text[: word.start()] + random.choice(WORDS) + text[word.end() :]
    if way == 3:
        lines = text.splitlines(keepends=True) or [""]
        lines.insert(random.randrange(len(lines) + 1), random.choice(lines))
        return "".join(lines)
    at = random.randrange(len(text) + 1)
    if way == 4:
        return text[:at] + random.choice(OTHER) + text[at:]
    return text[:at] + text[at + random.choice((1, 1, 3, 40)) :]


def conversations(random: random.Random, count: int) -> str:
    """Rows of drawn values of the grammar, as a file of conversations."""
    rows: list[str] = []
    while len(rows) < count:
        chosen = with_room({name: random.choice(values) for name, values in FEATURES.items()})
        if allowed(chosen):
            given = structs.asdict(built(chosen).given) | {"id": f"{len(rows)}"}
            rows.append(json.dumps({key: value for key, value in given.items() if value}))
    return "\n".join(rows)


class Count:
    """The renderings of every template, as they come from the workers."""

    def __init__(self) -> None:
        self.renderings, self._render = 0, ChatRenderer.render
        ChatRenderer.render = lambda *given: self._counted(*given)  # type: ignore[method-assign]

    def _counted(self, renderer: ChatRenderer, request: RenderRequest) -> RenderedTemplate:
        found = self._render(renderer, request)
        steps = [step for one in found.conversations for step in one.steps]
        self.renderings += len(steps) + sum(step.prompted is not None for step in steps)
        return found


def run(arguments: Sequence[str]) -> tuple[int, str]:
    """The exit code of a command, and what it printed last on stderr."""
    printed, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
        try:
            code = tokaudit(list(arguments))
        except SystemExit as ended:
            code = int(ended.code or 0)
    return code, (errors.getvalue().strip().splitlines() or [""])[-1]


def through(folder: Path, template: str, rows: str, base: Path) -> dict[str, tuple[int, str]]:
    """What each command makes of one template; a report that is not there is a code of its own."""
    chat_folders.write(
        folder, Family(template, ("<pad>", "<|im_start|>", "<|im_end|>"), "<|im_end|>")
    )
    (folder / "rows.jsonl").write_text(rows, encoding="utf-8")
    (folder / "mine.jinja").write_text(template, encoding="utf-8", errors="surrogatepass")
    given = [str(folder), "--conversations", str(folder / "rows.jsonl"), "--quiet"]
    out = folder.parent / f"{folder.name}.json"
    found = {
        "audit": run(
            ["audit", *given, "--select", "chat_template", "--tier", "quick", "--out", str(out)]
        ),
        "chat": run(["chat", *given]),
        "chat --check": run(["chat", *given, "--check"]),
        "chat alone": run(["chat", str(folder / "mine.jinja"), "--quiet"]),
        "compare": run(["compare", "--template", str(base), str(folder), "--quiet"]),
    }
    if found["audit"][0] in (0, 1) and not out.is_file():
        found["audit"] = (5, "no report was written")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """0 when no command failed by itself."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--renderings", type=int, default=20_000)
    parser.add_argument("--templates", type=int, default=100, help="at least so many")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    asked = parser.parse_args(arguments)
    names = published.distinct() if published.UNPACKED.exists() else []
    count, codes, failed, templates = Count(), Counter[str](), 0, 0
    print(f"seed {asked.seed}; {len(names)} published templates", flush=True)
    with tempfile.TemporaryDirectory() as home:
        base = chat_folders.write(Path(home) / "base", FAMILIES["ChatML"])
        while count.renderings < asked.renderings or templates < asked.templates:
            chance = random.Random(f"{asked.seed} {templates}")
            template, rows = drawn(chance, names), conversations(chance, 8)
            found = through(Path(home) / str(templates), template, rows, base)
            codes.update(f"{name}: {code}" for name, (code, _) in found.items())
            for name, (code, words) in found.items():
                if code == 2 or code >= 4:  # nothing that is typed here is wrong usage
                    failed += 1
                    print(
                        f"seed {asked.seed} template {templates}: {name} {code}: {words}",
                        flush=True,
                    )
                    print(template, flush=True)
            templates += 1
    print(f"{count.renderings:,} renderings of {templates:,} templates, {failed} failures")
    print(*(f"{name} {number}" for name, number in sorted(codes.items())), sep="\n")
    return 1 if failed else 0
