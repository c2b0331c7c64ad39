"""Engines of chat templates are found where they are installed, and run in a worker."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tokaudit.products.chat.engines.client import EngineRenderer, EngineText, contexts_of
from tokaudit.products.chat.engines.engine import TemplateEngine, installed_engines
from tokaudit.runtimes.adapters.node import program
from tokaudit.subject.conversations.conversation import Conversation

FAKE = """exports.Template = class {
  constructor(text) { if (text === "bad") throw new Error("no such tag"); this.text = text; }
  render(context) {
    if (context.messages[0].content === "stop") throw new Error("refused");
    return `${this.text} ${context.messages.length} ${new Date().getUTCFullYear()}`;
  }
};"""
CHAT = Conversation("a", ({"role": "user", "content": "Hi"},))
STOP = Conversation("b", ({"role": "user", "content": "stop"},))


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: None) -> TemplateEngine:
    """A package of npm that writes how many messages there are."""
    if not program():
        pytest.skip("there is no node")
    package = tmp_path / "node_modules" / "@huggingface" / "jinja"
    package.mkdir(parents=True)
    (package / "package.json").write_text(json.dumps({"version": "0.9", "main": "index.js"}))
    (package / "index.js").write_text(FAKE)
    monkeypatch.setenv("NODE_PATH", str(tmp_path / "node_modules"))
    [found] = [one for one in installed_engines() if one.folder]
    return found


def render(engine: TemplateEngine, template: str, *given: Conversation) -> list[EngineText]:
    contexts = [context for _, context in contexts_of(template, given, {})]
    return EngineRenderer(engine).render(template, contexts)


def test_a_package_of_npm_is_found_where_node_path_is(engine: TemplateEngine) -> None:
    assert str(engine) == "@huggingface/jinja 0.9"


def test_a_folder_that_is_named_from_here_is_run_too(
    engine: TemplateEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(engine.folder).parent)
    monkeypatch.setenv("NODE_PATH", f"{Path(engine.folder).name}/node_modules")
    [found] = [one for one in installed_engines() if one.folder]
    assert render(found, "t", CHAT) == [EngineText("t 1 2025")]


def test_it_renders_each_conversation_at_the_pinned_moment(engine: TemplateEngine) -> None:
    assert render(engine, "t", CHAT, STOP) == [EngineText("t 1 2025"), EngineText(error="refused")]


def test_a_template_that_it_refuses_has_its_words_for_each(engine: TemplateEngine) -> None:
    assert render(engine, "bad", CHAT, CHAT) == [EngineText(error="no such tag")] * 2


def test_an_engine_that_ends_has_not_run(engine: TemplateEngine) -> None:
    package = Path(engine.folder) / "node_modules" / "@huggingface" / "jinja"
    (package / "index.js").write_text("process.exit(1);")
    [found] = render(engine, "t", CHAT)
    assert (found.ran, found.error) == (False, "RuntimeError: Node ended with exit code 1")


def test_no_engine_is_run_where_none_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NODE_PATH", "/nowhere/node_modules")
    assert [one for one in installed_engines() if one.folder] == []
