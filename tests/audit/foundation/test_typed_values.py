"""Types of ours are shown to msgspec by one thread at a time."""

from __future__ import annotations

import ast
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import msgspec
import pytest
from locations import ROOT

from tokaudit.foundation.typed_values import read_json, read_value

HOME = ROOT / "audit/tokaudit/foundation/typed_values.py"
WITHOUT_CLASSES = {"str", "None"}  # of these msgspec learns nothing


@pytest.mark.parametrize(
    "read", [lambda: read_json("[1]", list[int]), lambda: read_value([1], list[int])]
)
def test_no_two_threads_show_a_type_to_msgspec_at_once(read, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    decoder, looking, together = msgspec.json.Decoder, list[int](), Barrier(4)

    def slow(kind: type) -> object:
        looking.append(1)
        assert len(looking) == 1
        time.sleep(0.002)  # long enough for another thread
        looking.pop()
        return decoder(kind)

    def at_once() -> object:
        together.wait()
        return read()

    monkeypatch.setattr(msgspec.json, "Decoder", slow)
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(at_once) for _ in range(4)]
    assert [each.result() for each in asked] == [[1]] * 4


def test_nothing_else_shows_a_class_to_msgspec() -> None:
    modules = (p for room in ("audit", "suites", "reports") for p in (ROOT / room).rglob("*.py"))
    assert [
        f"{module.relative_to(ROOT)}:{call.lineno}: use foundation/typed_values.py"
        for module in modules
        if module != HOME
        for call in shows(ast.parse(module.read_text("utf-8")))
    ] == []


def shows(tree: ast.Module) -> Iterator[ast.Call]:
    """The calls of msgspec that name a type which may hold a class."""
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        named = ast.unparse(call.func)
        kinds = [word.value for word in call.keywords if word.arg == "type"]
        names = {node.id for kind in kinds for node in ast.walk(kind) if isinstance(node, ast.Name)}
        if named == "msgspec.convert" or (
            named == "msgspec.json.decode" and names - WITHOUT_CLASSES
        ):
            yield call
