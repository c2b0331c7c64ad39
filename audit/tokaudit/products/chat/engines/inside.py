"""Render a chat template by an engine other than Jinja, in the worker's process."""

from __future__ import annotations

import importlib
import os
import subprocess
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from tokaudit.products.chat.engines.engine import SCRIPT
from tokaudit.runtimes.adapters.node import HEAP, program
from tokaudit.runtimes.json_line import answer_of

MOST_WORDS = 500  # characters of an error that are passed on
Texts = list[dict[str, str]]


def rendered(session: object, request: Mapping[str, Any]) -> Any:
    """Render each context, or return the engine's own error."""
    given = request["template"], request["contexts"], request["clock"]
    return _by_node(request, *given) if request["folder"] else _by_minijinja(*given)


def _by_minijinja(template: str, contexts: Sequence[Any], clock: str) -> Texts:
    """Render as Rust servers do: with Python's methods, trimming and `raise_exception`."""
    minijinja: Any = importlib.import_module("minijinja")
    engine = minijinja.Environment(trim_blocks=True, lstrip_blocks=True, pycompat=True)
    engine.add_function("raise_exception", _refuse)
    engine.add_function("strftime_now", datetime.fromisoformat(clock).strftime)
    try:
        engine.add_template("chat", template)
    except Exception as error:
        return [_refused(error)] * len(contexts)
    return [_one(engine, context) for context in contexts]


def _one(engine: Any, context: Mapping[str, Any]) -> dict[str, str]:
    try:
        return {"text": engine.render_template("chat", **context)}
    except Exception as error:
        return _refused(error)


def _refused(error: Exception) -> dict[str, str]:
    return {"error": (str(error) or type(error).__name__)[:MOST_WORDS]}


def _refuse(message: object) -> None:
    raise ValueError(message)


def _by_node(
    request: Mapping[str, Any], template: str, contexts: Sequence[Any], clock: str
) -> Texts:
    """Render by the script next to this module, which ends after its answer."""
    process = subprocess.Popen(
        [*program(), HEAP, str(SCRIPT), request["engine"], request["folder"]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"HOME": os.sep, "OPENSSL_CONF": os.devnull},
    )
    with process:
        asked = {"template": template, "contexts": contexts, "clock": clock}
        found: Texts = answer_of(process, asked, "Node")["found"]
    return found
