"""Every engine asked for the text of every conversation by one template."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from jinja2.meta import find_undeclared_variables
from msgspec import structs

from tokaudit.products.chat.engines.client import EngineRenderer, EngineText, contexts_of
from tokaudit.products.chat.engines.engine import installed_engines
from tokaudit.products.chat.rendering.environment import PINNED, environment
from tokaudit.products.chat.rendering.grammar.covering import shaped_conversations
from tokaudit.products.chat.rendering.grammar.features import is_plain
from tokaudit.products.chat.rendering.terms import Dialect
from tokaudit.subject.conversations.conversation import Conversation, role_matrix
from tokaudit_folders import gguf_files as g
from tokaudit_folders.one_layer import with_one_layer

HERE = Path(__file__).parent
SPECIAL = {"bos_token": "<s>", "eos_token": "</s>"}
UNSUPPORTED = "unsupported content"
LLAMA_CPP, PREPARED = "llama.cpp", "llama.cpp's preparation"
END = "<<end>>"
NAMED = re.compile(r"<<(\w+)>>")


@dataclass(frozen=True)
class Asked:
    """A conversation with its variables, the text of Jinja for them, and that of an engine."""

    id: str
    context: Mapping[str, Any]
    expected: str | None
    found: EngineText

    @property
    def refused(self) -> bool:
        """The engine has no text where Jinja has one."""
        return self.expected is not None and self.found.text is None

    @property
    def differs(self) -> bool:
        """Both have a text, and another, or the engine has one where Jinja has none."""
        return not self.refused and self.expected != self.found.text


def conversations() -> tuple[Conversation, ...]:
    """The named conversations and the plain ones of the grammar, without those to be continued."""
    plain = [one.given for one in shaped_conversations() if is_plain(one.chosen)]
    return tuple(one for one in (*role_matrix(), *plain) if not one.continue_final)


def by_transformers(
    version: str, templates: Mapping[str, str], tokenizer: Path
) -> dict[str, list[EngineText]]:
    """The texts of a version of transformers by the name of the template, in its own Python."""
    given = conversations()
    question = {
        "templates": templates,
        "conversations": [structs.asdict(one) for one in given],
        "special_tokens": SPECIAL,
        "clock": PINNED.isoformat(),
        "tokenizer": str(tokenizer),
    }
    python = Path(sys.prefix).parent / f"transformers-{version}" / "bin" / "python"
    command = [python, "-P", HERE / "transformers_driver.py"]
    answer = _answer(command, question)
    return {
        name: [_text(chats[one.id][one.roles[-1] != "assistant"]) for one in given]
        for name, chats in answer.items()
    }


def _text(found: Mapping[str, Any]) -> EngineText:
    return EngineText(found.get("text"), str(found.get("error", ""))[:400])


def by_engines(template: str, expected: Sequence[EngineText]) -> dict[str, list[Asked]]:
    """Every installed engine, next to the texts of transformers 5; RuntimeError if one fails."""
    given = list(contexts_of(template, conversations(), SPECIAL))
    contexts = [context for _, context in given]
    answers: dict[str, list[Asked]] = {}
    for engine in installed_engines():
        texts = EngineRenderer(engine).render(template, contexts)
        if failed := [each.error for each in texts if not each.ran]:
            raise RuntimeError(f"{engine}: {failed[0]}")
        answers[str(engine)] = [
            Asked(one.id, context, wanted.text, found)
            for (one, context), wanted, found in zip(given, expected, texts, strict=True)
        ]
    return answers


def by_llama_cpp(template: str, gguf: Path) -> dict[str, list[Asked]]:
    """By its server: its Jinja on the messages that it has prepared, and what preparing changes."""
    given = conversations()
    requests = [_request(one, echo) for one in given for echo in (False, True)]
    command = [sys.executable, "-P", HERE / "llama_server.py", gguf]
    answer = _answer(command, {"template": echo_of(template) + template, "requests": requests})
    texts = [EngineText(**each) for each in answer]
    found: dict[str, list[Asked]] = {LLAMA_CPP: [], PREPARED: []}
    for one, context in contexts_of(template, given, SPECIAL):
        now, text, echo = by_jinja(template, context), texts.pop(0), texts.pop(0)
        if UNSUPPORTED in text.error:  # it was refused before any template
            prepared, ours, text = context, text, EngineText(now)
        else:
            prepared = _echoed(echo.text, context) if echo.text else context
            ours = EngineText(by_jinja(template, prepared))
        found[LLAMA_CPP].append(Asked(one.id, prepared, by_jinja(template, prepared), text))
        found[PREPARED].append(Asked(one.id, context, now, ours))
    return found


def _request(one: Conversation, echo: bool) -> dict[str, Any]:
    more = {"tools": list(one.tools)} if one.tools else {}
    return {
        "messages": list(one.messages),
        "add_generation_prompt": one.roles[-1] != "assistant",
        "chat_template_kwargs": {**one.variables, **({"tokaudit_echo": True} if echo else {})},
        **more,
    }


def echo_of(template: str) -> str:
    """Written before a template: what llama.cpp hands to its Jinja of all that the template reads.

    >>> echo_of("{{ messages }}{{ date }}").count("<<date>>")
    1
    """
    sandbox = environment(Dialect.TRANSFORMERS_5)
    read = find_undeclared_variables(sandbox.parse(template)) - sandbox.globals.keys()
    names = sorted({"messages", "tools", *read})
    said = (f"'<<{name}>>' ~ ({name}|tojson if {name} is defined else '')" for name in names)
    return "{{ (" + " ~ ".join((*said, f"'{END}'")) + ") if tokaudit_echo else '' }}"


def _echoed(text: str, context: Mapping[str, Any]) -> dict[str, Any]:
    """The variables before the text of a template, in place of those of a context."""
    _, *said = NAMED.split(text.partition(END)[0])
    given = dict(zip(said[::2], said[1::2], strict=True))
    left = {name: value for name, value in context.items() if given.get(name, "left")}
    return left | {name: json.loads(value) for name, value in given.items() if value}


def by_jinja(template: str, context: Mapping[str, Any]) -> str | None:
    """The text by Jinja today: llama.cpp's clock cannot be stopped."""
    sandbox = environment(Dialect.TRANSFORMERS_5)
    sandbox.now = datetime.now()
    try:
        return sandbox.from_string(template).render(**context)
    except Exception:
        return None


def _answer(command: Sequence[Path | str], question: Mapping[str, Any]) -> Any:
    given = json.dumps(question)
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def write_gguf(path: Path) -> None:
    """A model of one layer whose tokens are bytes, which its server starts with."""
    tokens = ["<unk>", *SPECIAL.values(), *(f"<0x{byte:02X}>" for byte in range(256))]
    keys = g.tokenizer(
        "llama",
        tokens,
        scores=(g.F32, [0.0] * len(tokens)),
        token_type=(g.I32, [2, 3, 3, *[6] * 256]),
        bos_token_id=(g.U32, 1),
        eos_token_id=(g.U32, 2),
        add_bos_token=(g.BOOL, False),
    )
    path.write_bytes(with_one_layer(keys))
