"""How engines that are not Jinja read the constructs of a chat template: a table, as measured.

Rendered by `@huggingface/jinja` 0.5.11 (transformers.js), onnxruntime-extensions 0.15.2 (the
tokenizer of onnxruntime-genai) and llama.cpp of October 2026, one template a construct.
"""

from __future__ import annotations

from dataclasses import dataclass

from tokaudit.report.model import Severity
from tokaudit.runtimes.chat.terms import Construct

JS = "transformers.js"
ONNX = "onnxruntime-genai"
LLAMA = "llama.cpp"
PLAIN = "engines with Jinja's own filters"


@dataclass(frozen=True, slots=True)
class Reading:
    """What the engines that read a construct otherwise do with it.

    A warning where such an engine gives another text, or none, whenever it comes to the place;
    information where that depends on the data, or where only one engine refuses.
    """

    severity: Severity
    effects: dict[str, str]


def _always(**effects: str) -> Reading:
    return Reading(Severity.WARNING, _by_engine(effects))


def _at_times(**effects: str) -> Reading:
    return Reading(Severity.INFO, _by_engine(effects))


def _by_engine(effects: dict[str, str]) -> dict[str, str]:
    names = {"js": JS, "onnx": ONNX, "llama": LLAMA, "plain": PLAIN}
    return {names[key]: effect for key, effect in effects.items()}


REFUSED = "refuses the whole template"
REFUSES = "refuses when it comes to it"
NO_START = "its server does not start"

READINGS = {
    Construct.RAW: _always(js=REFUSED, onnx=REFUSED, llama=NO_START),
    Construct.KEPT_INDENT: _always(js=REFUSED, onnx=REFUSED, llama=NO_START),
    Construct.WITH: _always(js=REFUSED, onnx=REFUSED),
    Construct.RECURSIVE: _always(js=REFUSED),
    Construct.CALL_BLOCK: _at_times(onnx=REFUSED),
    Construct.PRINTED_CONSTANT: _always(
        js="writes true and false, and nothing for none",
        onnx="writes nothing for none",
        llama="writes nothing for none",
    ),
    Construct.PRINTED_COLLECTION: _always(
        js="writes JSON", llama="writes the items of a list, and nothing for a mapping"
    ),
    Construct.PRINTED_FLOAT: _always(
        js="writes 1 for 1.0", onnx="writes 1.000000 for a float made to text", llama="writes 1"
    ),
    Construct.CHAINED: _always(js=REFUSES, onnx=REFUSES, llama=NO_START),
    Construct.REPEATED: _always(js=REFUSES),
    Construct.DIVIDED: _always(onnx="gives 3 for 7 / 2"),
    Construct.NEGATIVE: _at_times(
        js="gives -1 for -7 % 3, not 2", onnx="gives -1 for -7 % 3 and -3 for -7 // 2, not 2 and -4"
    ),
    Construct.RARE_FILTER: _always(js=REFUSES, onnx="refuses most of them", llama="refuses some"),
    Construct.PYTHON_METHOD: _always(js=REFUSES, onnx=REFUSES),
    Construct.PYTHON_FORMAT: _always(js=REFUSES, onnx=REFUSES),
    Construct.GLOBAL: _always(js=REFUSES, onnx="refuses dict and cycler"),
    Construct.MAPPED_FILTER: _at_times(js=REFUSES, onnx=REFUSES, llama=REFUSES),
    Construct.CYCLE: _always(js=REFUSES, llama=NO_START),
    Construct.STRIP: _always(js="strips white space, not these characters"),
    Construct.STRIP_LINE_ENDS: _at_times(js="strips spaces too"),
    Construct.SPLIT: _always(onnx=REFUSES, llama="gives empty items between two spaces"),
    Construct.LENGTH: _at_times(js="counts an emoji as 2", onnx="as 4", llama="as 4"),
    Construct.SLICE: _at_times(onnx="counts bytes, so it may cut a character in two"),
    Construct.WITHIN: _at_times(onnx="finds no text within a text"),
    Construct.JINJA_FILTER: _at_times(onnx=REFUSES),
    Construct.METHOD: _at_times(
        onnx=REFUSES, llama="changes the case of ASCII letters only, and replaces without a count"
    ),
    Construct.TOJSON: _at_times(
        js="writes 1 for 1.0",
        llama="writes 1 for 1.0",
        plain="write characters beyond ASCII as escapes",
    ),
    Construct.TOJSON_OPTIONS: _at_times(onnx="refuses all but indent"),
}
