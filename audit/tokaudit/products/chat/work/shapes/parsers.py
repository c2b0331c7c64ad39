"""Read calls in formats other than JSON as servers' parsers do.

A model writes calls as the template has shown them to it.  So a value that a parser makes another
one of reaches the tool as another one.  Each rule is that of one parser at one commit, for a
parameter whose schema has the type of the value that was given.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from tokaudit.products.chat.rendering.grammar.building import ShapedConversation

Read = Callable[[str, Any], Any]
"""The value that a parser makes of a text, given one of the type in the schema."""
UNREAD = object()
LONGEST = 2000  # characters of a call; drawn ones have a few words
STRING = '<|"|>'  # around texts, in calls of Gemma 4
NAMES = {"true": True, "false": False, "null": None}


@dataclass(frozen=True, slots=True)
class Parser:
    """A parser of a server, by its public name, and how it reads a value."""

    name: str
    read: Read
    source: str


@dataclass(frozen=True, slots=True)
class CallFormat:
    """A format of calls: its delimiters, its arguments, and its parsers.

    `nested` says that the pattern finds the end of an object that is a value.
    """

    begin: re.Pattern[str]
    end: re.Pattern[str]
    argument: re.Pattern[str]
    parsers: tuple[Parser, ...]
    nested: bool = True


def _by_type(nulls: Sequence[str], text: str, given: Any) -> Any:
    """Read by the schema's type: text unchanged, other values by their own rule."""
    text = text.removeprefix("\n").removesuffix("\n")
    if isinstance(given, str):
        return text
    if text.lower() in nulls:
        return None
    if isinstance(given, bool):
        return text.lower() == "true"
    found = _literal(text)
    return found if given is not None and type(found) is type(given) else text


def _json_or_literal(text: str, given: Any) -> Any:
    """Read text unchanged, any other value as JSON or else as Python."""
    return text if isinstance(given, str) else _literal(text.strip())


def _literal(text: str) -> Any:
    """Read as JSON, or else as a Python literal, or else as text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        found = _of_python(text)
    return text if found is UNREAD else found


def _of_python(text: str) -> Any:
    """Read a Python literal, ignoring the compiler's warnings about escapes."""
    try:
        with warnings.catch_warnings(action="ignore"):
            return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return UNREAD


def _by_type_or_json(text: str, given: Any) -> Any:
    """Read by the schema's type; a null word is null in any type."""
    if text.lower() in ("null", "none", "nil"):
        return None
    if isinstance(given, str):
        return text
    if isinstance(given, bool) and text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _python(text: str, given: Any) -> Any:
    """Read a Python literal, or JSON's names as later versions do."""
    return NAMES[text] if text in NAMES else _of_python(text)


def _gemma(text: str, given: Any) -> Any:
    """Read quoted text, a list, or a bare value: `true`, a number, or its text."""
    text = text.strip()
    if text.startswith(STRING) and text.endswith(STRING):
        return text.removeprefix(STRING).removesuffix(STRING)
    if text.startswith("[") and text.endswith("]"):
        return [_gemma(each, None) for each in text[1:-1].split(",") if each]
    if text in ("true", "false") or text.lower() in ("null", "none", "nil"):
        return NAMES.get(text)
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return text


QWEN = "vllm-project/vllm at 00d0a333ba9b, vllm/tool_parsers/qwen3coder_tool_parser.py"
OF_SGLANG = "sgl-project/sglang at 048a57e8f7b0, srt/function_call/qwen3_coder_detector.py"
SEED = "vllm-project/vllm at 3e47bf473f0a, vllm/tool_parsers/seed_oss_tool_parser.py"
GLM = "vllm-project/vllm at 081866a63af3, vllm/tool_parsers/glm4_moe_tool_parser.py"
MINIMAX = "sgl-project/sglang at 087f50049752, srt/function_call/minimax_m2.py"
PYTHONIC = "vllm-project/vllm at 0047fb9dad17, vllm/tool_parsers/pythonic_tool_parser.py"
GEMMA = "vllm-project/vllm at 027004de3715, vllm/tool_parsers/gemma4_tool_parser.py"


def _argument(begin: str, end: str) -> re.Pattern[str]:
    return re.compile(f"{begin}(?P<value>.*?){end}", re.DOTALL)


FORMATS = (
    CallFormat(
        re.compile(r"<function=\w+>"),
        re.compile("</function>"),
        _argument(r"<parameter=(?P<name>\w+)>", "</parameter>"),
        (
            Parser("vLLM's qwen3_coder", partial(_by_type, ("null", "none")), QWEN),
            Parser("SGLang's qwen3_coder", partial(_by_type, ("null",)), OF_SGLANG),
            Parser("vLLM's seed_oss", partial(_by_type, ("null",)), SEED),
        ),
    ),
    CallFormat(
        re.compile("<tool_call>"),
        re.compile("</tool_call>"),
        _argument(r"<arg_key>(?P<name>\w+)</arg_key>\s*<arg_value>", "</arg_value>"),
        (Parser("vLLM's glm45", _json_or_literal, GLM),),
    ),
    CallFormat(
        re.compile("<minimax:tool_call>"),
        re.compile("</minimax:tool_call>"),
        _argument(r'<parameter name="(?P<name>\w+)">', "</parameter>"),
        (Parser("SGLang's minimax-m2", _by_type_or_json, MINIMAX),),
    ),
    CallFormat(
        # The parsers for LFM2 repair quotes inside of quotes, so its calls are left out.
        re.compile(r"(?<!<\|tool_call_start\|>)\[\w+(?=\()"),
        re.compile(r"\)\](?=\s*(?:[<[]|\Z))"),
        _argument(r"[(,]\s*(?P<name>\w+)=", r"(?=,\s*\w+=|\),\s*\w+\(|\Z)"),
        (Parser("vLLM's pythonic", _python, PYTHONIC),),
        nested=False,
    ),
    CallFormat(
        re.compile(r"<\|tool_call>call:\w+"),
        re.compile(r"\}<tool_call\|>"),
        _argument(r"[{,](?P<name>\w+):", r"(?=,\w+:|\Z)"),
        (Parser("vLLM's gemma4", _gemma, GEMMA),),
        nested=False,
    ),
)
"""Ways to write calls that are not JSON; one is a template's where each plain argument is found."""


def formats_of(plain: Sequence[tuple[ShapedConversation, str]]) -> tuple[CallFormat, ...]:
    """Return the formats of arguments in a template's plainest calls."""
    called = [(_given(one), text) for one, text in plain if one.chosen["arguments"] == "words"]
    named = [(given, text) for given, text in called if given]
    return tuple(
        format
        for format in FORMATS
        if named
        and all(given.keys() <= values_written(format, text).keys() for given, text in named)
    )


def misread(
    one: ShapedConversation, text: str, formats: Sequence[CallFormat]
) -> Iterator[tuple[str, str]]:
    """Yield each misread kind of value with its parser, and the value's characters."""
    given = _given(one)
    for format in formats if given else ():
        written = values_written(format, text)
        for name, values in given.items():
            found = written.get(name, [])
            if len(found) != len(values):
                continue  # one that is left out is lost, which is another fault
            for said, value in zip(found, values, strict=True):
                if isinstance(value, Mapping) and not format.nested:
                    continue
                for parser in format.parsers:
                    if _other(parser, said, value):
                        yield f"{_kind(value)} by {parser.name}", f"{name}: {said}"


def same_values(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Return whether two templates write the same values in all common texts."""
    both = [
        (values_written(format, one), values_written(format, other))
        for format in FORMATS
        for one, other in zip(ours, theirs, strict=True)
        if one and other
    ]
    return any(one for one, _ in both) and all(one == other for one, other in both)


def _other(parser: Parser, said: str, value: Any) -> bool:
    """Return whether a parser reads another value, though some spelling would work."""
    spelled = value if isinstance(value, str) else json.dumps(value)
    quoted = (f"{STRING}{value}{STRING}", repr(value)) if isinstance(value, str) else ()
    can = any(_same(parser.read(each, value), value) for each in (spelled, *quoted))
    return can and not _same(parser.read(said, value), value)


def _same(found: Any, wanted: Any) -> bool:
    """Compare two values as JSON, where true is not 1.

    >>> _same([False], [False]), _same(True, 1), _same("None", None)
    (True, False, False)
    """
    return found is not UNREAD and json.dumps(found, default=str) == json.dumps(wanted)


def _kind(value: Any) -> str:
    """Describe the kind of a value: `null`, `true`, a text, a list."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    names: Mapping[type, str] = {str: "a text", list: "a list", dict: "an object"}
    return names.get(type(value), "a number")


def _given(one: ShapedConversation) -> dict[str, list[Any]]:
    """Return the values of each argument in order; none if one is JSON text."""
    found: dict[str, list[Any]] = {}
    for message in one.given.messages:
        for call in message.get("tool_calls") or ():
            arguments = call["function"]["arguments"]
            if not isinstance(arguments, Mapping):
                return {}
            for name, value in arguments.items():
                found.setdefault(name, []).append(value)
    return found


def values_written(format: CallFormat, text: str) -> dict[str, list[str]]:
    """Return the texts of argument values that a text has in this format."""
    found: dict[str, list[str]] = {}
    for call in _calls(format, text):
        for each in format.argument.finditer(call):
            found.setdefault(each["name"], []).append(each["value"])
    return found


def _calls(format: CallFormat, text: str) -> Iterator[str]:
    """Yield the inside of each call, up to one without an end, to limit the time."""
    begun = format.begin.search(text)
    while begun is not None:
        ended = format.end.search(text, begun.end(), begun.end() + LONGEST)
        if ended is None:
            return
        yield text[begun.end() : ended.start()]
        begun = format.begin.search(text, ended.end())
