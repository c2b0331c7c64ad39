"""Chat templates of a subject, and their selection by loaders.

transformers takes `chat_template.jinja` and the files next to it in `additional_chat_templates/`
before the template in `tokenizer_config.json`.  `chat_template.json` and the template of a
`processor_config.json` are read by processors only, so they come after.  A GGUF file carries its
own.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass

from tokaudit.subject.configs import ROLES
from tokaudit.subject.conversations.conversation import Conversation
from tokaudit.subject.formats.common.settings import setting
from tokaudit.subject.formats.common.template_alone import stand_ins
from tokaudit.subject.material import Fact, Subject
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.text.bytes_or_text import text_of

DEFAULT, TOOL_USE = "default", "tool_use"
FOLDER = "additional_chat_templates/"
GGUF_KEY = "tokenizer.chat_template."
FILES = (  # in the order in which loaders prefer them
    "chat_template.jinja",
    "tokenizer_config.json",
    "chat_template.json",
    "processor_config.json",
)


@dataclass(frozen=True, slots=True)
class ChatTemplate:
    """One template: its name (`default` for plain chats), its text and its place."""

    name: str
    text: str
    file: str
    pointer: str


def chat_templates(subject: Subject) -> tuple[ChatTemplate, ...]:
    """Return every template with its name, the loaders' template for plain chats first."""
    names = {
        (fact.file, fact.pointer): str(fact.value)
        for fact in subject.facts_named("chat_template_name")
    }
    found = [
        ChatTemplate(_name(fact, names), fact.value, fact.file, fact.pointer)
        for fact in subject.facts_named("chat_template")
        if isinstance(fact.value, str)
    ]
    return tuple(sorted(found, key=_preference))


def taken_by_loaders(names: Container[str], given: Conversation) -> str:
    """Return the template that transformers uses: another one with tools."""
    return TOOL_USE if given.tools is not None and TOOL_USE in names else DEFAULT


def _name(fact: Fact, names: Mapping[tuple[str, str], str]) -> str:
    if FOLDER in fact.file:
        return fact.file.rpartition("/")[2].removesuffix(".jinja")
    if fact.pointer.startswith(GGUF_KEY):
        return fact.pointer.removeprefix(GGUF_KEY)
    at = fact.pointer.removesuffix("/template") + "/name"
    return names.get((fact.file, at), DEFAULT)


def _preference(template: ChatTemplate) -> tuple[int, bool, int]:
    """Sort by outermost folder, then plain chats, then the order of files."""
    base = template.file.rpartition("/")[2]
    depth = template.file.removeprefix(FOLDER).count("/")
    place = FILES.index(base) if base in FILES else len(FILES)
    return depth, template.name != DEFAULT, place


def special_tokens(subject: Subject, spec: TokenizerSpec | None = None) -> dict[str, str]:
    """Return the variables that a tokenizer passes to templates: `bos_token` and so on.

    Where no file states the token of a role, as in GGUF, the token of the role's id is taken.
    """
    found: dict[str, str] = {}
    for role in ROLES:
        name = f"{role}_token"
        fact = setting(subject, name)
        token = fact.value if fact is not None and isinstance(fact.value, str) else None
        token = token or _by_id(subject, spec, f"{name}_id")
        if token:
            found[name] = token
    return found or dict(stand_ins(subject))


def _by_id(subject: Subject, spec: TokenizerSpec | None, name: str) -> str | None:
    """Return the text of the token whose id a GGUF file states."""
    ids = [f.value for f in subject.facts_named(name) if f.file.endswith(".gguf")]
    if spec is None or not ids:
        return None
    added = {token.id: token.content for token in spec.added_tokens}
    if ids[0] in added:
        return added[ids[0]]
    piece = spec.pieces.get(ids[0])
    if piece is None:
        return None
    return text_of(piece.value)
