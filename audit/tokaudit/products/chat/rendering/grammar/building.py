"""Build one conversation of the grammar, with distinct words in each part."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tokaudit.products.chat.rendering.grammar.features import (
    FEATURES,
    NONE,
    SWITCHES,
    Choice,
    plainest,
    speakers,
    with_room,
)
from tokaudit.products.chat.rendering.grammar.words import drawn_words
from tokaudit.subject.conversations.conversation import Conversation
from tokaudit.subject.upstream.published.spellings import reasoning

OFFERED, DOCUMENT, CALL, REASONING = "a tool offered", "a document", "a call", "reasoning"
FALSY, NULL = "an argument that is false, 0 or empty", "an argument that is null"
KEYED = "a parameter named as a key of schemas"
ROLES = {"q": "user", "a": "assistant", "c": "assistant", "r": "tool"}
IN_CONTENT = ("parts", "in the content")  # reasoning that has no key of its own
FORMS = {
    **dict.fromkeys(("marks", "script", "lines", "spaces", "JSON text", "pasted", "long"), "text"),
    **dict.fromkeys(("two parts", "picture"), "parts"),
}
"""The forms of contents; what a text has in it is no form of its own."""
NAMED, NAMED_PARAMETER = "the name of a tool", "the name of a parameter"
MANY = 20
"""Rounds, tools or parameters where there are many: agents send more, histories are longer."""
CALLS_AT_ONCE = 3  # times two
LONG = "Reeds and rushes. " * 1200
"""About 20,000 characters in one line: a file that a tool read, or that a model writes."""
FILLING = "Reeds and\n  rushes. " * 150
"""About 3,000 characters: a log, pasted into a question or read by a tool."""
KEYS = ("type", "description")
"""Names of parameters that schemas have as keys too."""
Content = str | list[dict[str, Any]] | dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a conversation: its role, its value of a feature, and its words."""

    role: str
    feature: str
    shape: str
    words: tuple[str, ...]
    message: int | None = None

    @property
    def is_turn(self) -> bool:
        """Return whether it is message text; arguments without own words are in a call."""
        return self.message is not None and self.role not in (FALSY, NULL)

    @property
    def place(self) -> str:
        """Return the role and form of the words.

        >>> Part("user", "question", "two parts", ("x",)).place
        'user: parts'
        """
        if self.role in (CALL, FALSY, NULL, OFFERED, KEYED, NAMED, NAMED_PARAMETER):
            return self.role
        if self.role == REASONING:
            return f"{REASONING}: {self.shape}" if self.shape in IN_CONTENT else REASONING
        return f"{self.role}: {FORMS.get(self.shape, self.shape)}"


@dataclass(frozen=True, slots=True)
class ShapedConversation:
    """A conversation with the values that it is built from, and its parts in order."""

    chosen: Choice
    given: Conversation
    parts: tuple[Part, ...]
    literals: Mapping[str, Any]
    """The arguments that are no texts, by their drawn names."""

    @property
    def id(self) -> str:
        """The id of the conversation."""
        return self.given.id

    @property
    def places(self) -> frozenset[str]:
        """Return the roles and forms of all words in the conversation."""
        return frozenset(part.place for part in self.parts if part.words)


def built(chosen: Choice) -> ShapedConversation:
    """Build a conversation with these values, and the plainest of other features.

    >>> built({"question": "parts"}).given.messages[0]["content"]
    [{'type': 'text', 'text': 'Griminorp.'}]
    """
    full = {**plainest(), **{name: value for name, value in chosen.items() if value != NONE}}
    return _Builder(with_room(full)).build()


@dataclass
class _Builder:
    """The conversation built so far."""

    chosen: Choice
    messages: list[dict[str, Any]] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    literals: dict[str, Any] = field(default_factory=dict)
    calls: list[tuple[str, str]] = field(default_factory=list)
    words: Iterator[str] = field(default_factory=drawn_words)

    def build(self) -> ShapedConversation:
        self.names = [self._name() for _ in range(self._count("many tools", 2))]
        self.keys = [self._key() for _ in range(2)]
        tools = self._tools()
        self._instructions()
        steps = speakers(self.chosen).split() * self._count("many turns", 1)
        for step in steps:
            self._turn(step)
        documents = self._documents()
        switched = {"on": True, "off": False}.get(self.chosen["thinking"])
        named = [f"{name}: {self.chosen[name]}" for name in FEATURES if self._odd(name)]
        given = Conversation(
            "; ".join(named) or "plain",
            tuple(self.messages),
            tools=tools,
            documents=documents,
            variables={} if switched is None else dict.fromkeys(SWITCHES, switched),
            continue_final=any("+" in step for step in steps),
        )
        return ShapedConversation(self.chosen, given, tuple(self.parts), self.literals)

    def _count(self, amount: str, usual: int) -> int:
        """Return the large amount if the conversation has that value, else the usual one."""
        return MANY if self.chosen["amount"] == amount else usual

    def _name(self) -> str:
        """Return a tool name: a word, or one with all characters that tool servers allow."""
        word = next(self.words).lower()
        return f"Find_{word}-2.v" if self.chosen["amount"] == "names of clients" else word

    def _key(self) -> str:
        """Return a parameter name: a word, or one spelled as in programs."""
        word = next(self.words).lower()
        return f"max_{word}Id" if self.chosen["amount"] == "names of clients" else word

    def _odd(self, feature: str) -> bool:
        return self.chosen[feature] not in (NONE, FEATURES[feature][0])

    def _said(self, role: str, feature: str, *words: str, message: int | None = None) -> None:
        self.parts.append(Part(role, feature, self.chosen[feature], words, message))

    def _content(self, role: str, feature: str, shape: str | None = None) -> Content:
        """Build a content of the feature's value, and record it as part of the next message."""
        shape = self.chosen[feature] if shape is None else shape
        if self.chosen["amount"] == "long texts":
            shape = "long"
        word = next(self.words)
        content: Content
        content, words = _CONTENTS[shape](word, self.words)
        self.parts.append(Part(role, feature, shape, words, len(self.messages)))
        return content

    def _instructions(self) -> None:
        shape = self.chosen["instructions"]
        role = "developer" if shape == "developer" else "system"
        form = {"parts": "parts", "lines": "lines", "empty": "empty"}.get(shape.split()[-1], "text")
        if shape not in ("none", "system later"):
            self._say(role, self._content(role, "instructions", form))
        if shape == "two systems":
            self._say(role, self._content(role, "instructions", form))

    def _say(self, role: str, content: Content, **more: Any) -> None:
        self.messages.append({"role": role, "content": content, **more})

    def _turn(self, step: str) -> None:
        if step == "q":
            if self.chosen["instructions"] == "system later" and len(self.messages) == 2:
                self._say("system", self._content("system", "instructions", "text"))
            self._say("user", self._content("user", "question"))
        elif step.startswith("a"):
            self._answer()
        elif step.startswith("c"):
            self._call(len(step))
        elif step.startswith("r"):
            self._results(len(step.rstrip("-")), turned=step.endswith("-"))

    def _answer(self) -> None:
        shape = self.chosen["reasoning"]
        form = "parts" if shape == "parts" else self.chosen["answer"]
        content = self._content("assistant", "answer", form)
        more = self._reasoning()
        if shape == "parts":
            thought = {"type": "thinking", "thinking": more.pop("parts")}
            content = [thought, *content] if isinstance(content, list) else content
        elif shape == "in the content":
            before, after = next(iter(reasoning().items()))
            content = f"{before}\n{more.pop(shape)}\n{after}\n\n{content}"
        if self.chosen["calls of an answer"] != "absent":
            more["tool_calls"] = [] if self.chosen["calls of an answer"] == "empty list" else None
        self._say("assistant", content, **more)

    def _reasoning(self) -> dict[str, Any]:
        """Return the message fields for the conversation's form of reasoning."""
        shape = self.chosen["reasoning"]
        if shape == "none":
            return {}
        if shape in ("null", "empty"):
            return {"reasoning_content": None if shape == "null" else ""}
        word = next(self.words)
        self._said(REASONING, "reasoning", word, message=len(self.messages))
        return {shape: f"{word}."}

    def _call(self, count: int) -> None:
        shape = self.chosen["call content"]
        form = {"text": "text", "parts": "parts"}.get(shape)
        more = {} if form is None else {"content": self._content("assistant", "call content", form)}
        if form is None and shape != "absent":
            more["content"] = {"empty": "", "null": None}[shape]
        thought = self._reasoning()
        for odd in ("parts", "in the content"):
            if odd in thought:
                thought = {"reasoning_content": thought.pop(odd)}
        if self.chosen["amount"] == "many calls":
            count *= CALLS_AT_ONCE
        calls = [self._one_call(place) for place in range(count)]
        self.messages.append({"role": "assistant", **more, **thought, "tool_calls": calls})

    def _one_call(self, place: int) -> dict[str, Any]:
        name, id = self.names[place % self._offered()], f"call{len(self.calls) + 1:05}"
        if self.chosen["amount"] == "long ids":
            id = f"call_{id}x{next(self.words)}"
        self.calls.append((id, name))
        arguments = self._arguments()
        if self.chosen["arguments form"] == "JSON text":
            arguments = json.dumps(arguments, ensure_ascii=False)
        call = {"type": "function", "function": {"name": name, "arguments": arguments}}
        return {"id": id, **call} if self.chosen["call id"] == "given" else call

    def _offered(self) -> int:
        return self._count("many tools", 2 if self.chosen["tools"] == "two tools" else 1)

    def _arguments(self) -> Any:
        shape, word = self.chosen["arguments"], next(self.words)
        first, second = self.keys
        if shape == "empty":
            return {}
        self._said(CALL, "arguments", word, message=len(self.messages))
        if shape == "literals":
            names = [next(self.words).lower() for _ in range(7)]
            odd = dict(zip(names, (True, None, 1.5, [False], False, 0, ""), strict=True))
            self.literals.update(odd)
            self._said(NULL, "arguments", names[1], message=len(self.messages))
            self._said(FALSY, "arguments", *names[4:], message=len(self.messages))
            return {first: word, **odd}
        if shape == "nested":
            inner = next(self.words).lower()
            self.literals[inner] = True
            return {first: {inner: True, second: [{"of": word}]}}
        if self.chosen["amount"] == "long texts":
            last = next(self.words)
            self._said(CALL, "amount", last, message=len(self.messages))
            return {first: f"{word}. {LONG}{last}", second: 7}
        if more := [next(self.words) for _ in range(self._count("many parameters", 0))]:
            self._said(CALL, "amount", *more, message=len(self.messages))
            return {first: word, **{each.lower(): each for each in more}}
        spelled = {"marks": f'"{word}" & it\'s', "script": f"{word} 雪"}.get(shape, word)
        return {first: spelled, second: 7}

    def _results(self, count: int, *, turned: bool) -> None:
        if self.chosen["amount"] == "many calls":
            count *= CALLS_AT_ONCE
        answered = self.calls[-count:]
        for id, name in reversed(answered) if turned else answered:
            message: dict[str, Any] = {"role": "tool"}
            if self.chosen["call id"] == "given":
                message["tool_call_id"] = id
            if self.chosen["result name"] != "absent":
                message["name"] = name if self.chosen["result name"] == "given" else None
            self.messages.append({**message, "content": self._content("tool", "result")})

    def _tools(self) -> tuple[dict[str, Any], ...] | None:
        shape = self.chosen["tools"]
        if shape in ("absent", "null", "empty list"):
            return () if shape == "empty list" else None
        names = self.names[: self._offered()]
        return tuple({"type": "function", "function": self._tool(name)} for name in names)

    def _tool(self, name: str) -> dict[str, Any]:
        shape, first, second = self.chosen["tools"], *self.keys
        described, of_first = next(self.words), next(self.words)
        about = f"{described} 雪 né." if shape == "script" else f"{described}."
        properties: dict[str, Any] = {
            first: {"type": "string", "description": f"{of_first}."},
            second: {"type": "integer"},
        }
        said = [name, first, second, described, of_first]
        found: dict[str, Any] = {"name": name, "description": about}
        parameters: dict[str, Any] = {
            "type": "object",
            "properties": properties,
            "required": [first],
        }
        if shape in ("without description", "null description"):
            said.remove(described)
            del found["description"]
            if shape == "null description":
                found["description"] = None
        if shape == "enum":
            of_enum = next(self.words).lower()
            properties[first]["enum"] = [of_enum, None]
            said.append(of_enum)
        elif shape == "nested":
            inner = next(self.words).lower()
            properties[second] = {
                "type": "array",
                "items": {"type": "object", "properties": {inner: {"type": ["string", "null"]}}},
            }
            said.append(inner)
            of_keys = [next(self.words) for _ in KEYS]
            either = {"type": ["string", "null"]}
            for key, word in zip(KEYS, of_keys, strict=True):
                properties[key] = {**either, "description": f"{word}."}
            self._said(KEYED, "tools", *of_keys)
        elif shape == "reference":
            properties[second] = {"$ref": "#/$defs/Size"}
            parameters["$defs"] = {"Size": {"type": "integer", "default": None}}
        if shape in ("without parameters", "empty parameters"):
            said = [name, described]
            parameters = {"type": "object", "properties": {}}
        for _ in range(self._count("many parameters", 0)):
            more = next(self.words).lower()
            properties[more] = {"type": "string"}
            self._said(NAMED_PARAMETER, "tools", more)
        if shape != "without parameters":
            found["parameters"] = parameters
        if self.chosen["amount"] != "few":
            self._said(NAMED, "tools", name)
        self._said(OFFERED, "tools", *said)
        return found

    def _documents(self) -> tuple[dict[str, Any], ...] | None:
        if self.chosen["documents"] == "absent":
            return None
        words = [next(self.words) for _ in range(2)]
        self._said(DOCUMENT, "documents", *words)
        return tuple({"title": f"No. {n}", "text": f"{word}."} for n, word in enumerate(words, 1))


def _text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def _two_parts(word: str, more: Iterator[str]) -> tuple[Content, tuple[str, ...]]:
    other = next(more)
    return [_text(f"{word}."), _text(f"{other}.")], (word, other)


def _lines(word: str, more: Iterator[str]) -> tuple[Content, tuple[str, ...]]:
    other = next(more)
    return f"{word}.\n\n{other}.\n", (word, other)


def _pasted(word: str, more: Iterator[str]) -> tuple[Content, tuple[str, ...]]:
    before, after = next(iter(reasoning().items()))
    other = next(more)
    return f"{word}. {before} {after} {FILLING}{other}.", (word, other)


def _long(word: str, more: Iterator[str]) -> tuple[Content, tuple[str, ...]]:
    other = next(more)
    return f"{word}. {LONG}{other}.", (word, other)


def _picture(word: str, more: Iterator[str]) -> tuple[Content, tuple[str, ...]]:
    other = next(more)
    return [_text(f"{word}."), {"type": "image"}, _text(f"{other}.")], (word, other)


_CONTENTS: Mapping[str, Any] = {
    "text": lambda word, _: (f"{word}.", (word,)),
    "parts": lambda word, _: ([_text(f"{word}.")], (word,)),
    "two parts": _two_parts,
    "picture": _picture,
    "pasted": _pasted,
    "long": _long,
    "marks": lambda word, _: (f'"{word}" & it\'s {{{{ x }}}} 1 < 2', (word,)),
    "script": lambda word, _: (f"{word} 雪 né", (word,)),
    "lines": _lines,
    "spaces": lambda word, _: (f"  {word} ", (word,)),
    "empty": lambda word, _: ("", ()),
    "one space": lambda word, _: (" ", ()),
    "mapping": lambda word, _: ({"found": word}, (word,)),
    "JSON text": lambda word, _: (json.dumps({"found": word, "warm": True}), (word,)),
}
"""The content of each shape, and the words in it that are looked for."""
