"""Engines that run here speak for themselves: the table of constructs is silent about them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tokaudit.products.chat.engines import client
from tokaudit.products.chat.engines.client import EngineRenderer, EngineText
from tokaudit.products.chat.engines.engine import TemplateEngine
from tokaudit.report.model import Finding
from tokaudit_folders import chat_folders
from tokaudit_folders.chat_folders import Asked

FAMILY = chat_folders.FAMILIES["ChatML"]
CONSTANT = chat_folders.with_template(FAMILY, FAMILY.template + "{{ tools is defined }}")
RUN = ("@huggingface/jinja", "minijinja", "minijinja-js")


def portable(family: chat_folders.Family, folder: Path) -> list[Finding]:
    found = Asked(chat_folders.write(folder, family)).findings("portable")
    return [each for each in found if each.cause != "trimming"]


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> dict[str, EngineText | None]:
    """What each engine gives for every conversation; None for the text of Jinja."""
    given: dict[str, EngineText | None] = {}

    def installed() -> Iterator[TemplateEngine]:
        yield from (TemplateEngine(name, "1.0") for name in given)

    def render(
        self: EngineRenderer, template: str, contexts: Sequence[Mapping[str, Any]]
    ) -> list[EngineText]:
        return [given[self.engine.name] or _by_jinja(template, each) for each in contexts]

    monkeypatch.setattr(client, "installed_engines", installed)
    monkeypatch.setattr(EngineRenderer, "render", render)
    return given


def _by_jinja(template: str, context: Mapping[str, Any]) -> EngineText:
    from tokaudit.products.chat.rendering.environment import environment
    from tokaudit.products.chat.rendering.terms import Dialect

    try:
        sandbox = environment(Dialect.TRANSFORMERS_5)
        return EngineText(sandbox.from_string(template).render(**context))
    except Exception as error:
        return EngineText(error=str(error))


def test_without_an_engine_the_table_names_what_was_measured(tmp_path: Path) -> None:
    [found] = portable(CONSTANT, tmp_path)
    assert found.cause == "printed_constant"
    assert "transformers.js writes true and false" in found.message


def test_the_table_is_silent_about_engines_that_run(
    answers: dict[str, EngineText | None], tmp_path: Path
) -> None:
    answers |= dict.fromkeys(RUN)
    [found] = portable(CONSTANT, tmp_path)
    assert "transformers.js" not in found.message
    assert "llama.cpp writes nothing for none" in found.message


def test_another_text_of_a_plain_chat_is_a_warning_with_both_texts(
    answers: dict[str, EngineText | None], tmp_path: Path
) -> None:
    answers["minijinja"] = EngineText("other")
    [found] = portable(FAMILY, tmp_path)
    assert (str(found.severity), found.cause) == ("warning", "by minijinja")
    assert " is rendered differently by minijinja 1.0 in " in found.message
    assert "other" in str(found.evidence[0])


def test_a_refusal_has_the_words_of_the_engine(
    answers: dict[str, EngineText | None], tmp_path: Path
) -> None:
    answers["minijinja"] = EngineText(error="unknown method")
    [found] = portable(FAMILY, tmp_path)
    assert " is refused by minijinja 1.0 in " in found.message
    assert found.message.endswith("first 'user': unknown method.")


def test_an_engine_that_gives_no_answer_says_nothing_of_the_template(
    answers: dict[str, EngineText | None], tmp_path: Path
) -> None:
    """It is told as information, and the table speaks in its place."""
    answers["@huggingface/jinja"] = EngineText(error="Node ended with exit code 1", ran=False)
    told, recorded = portable(CONSTANT, tmp_path)
    assert (str(told.severity), told.cause) == ("info", "by @huggingface/jinja")
    assert (
        "was not rendered by @huggingface/jinja 1.0: Node ended with exit code 1." in told.message
    )
    assert "transformers.js writes true and false" in recorded.message


def test_an_engine_that_writes_the_same_gets_no_finding(
    answers: dict[str, EngineText | None], tmp_path: Path
) -> None:
    answers["minijinja"] = None
    assert portable(FAMILY, tmp_path) == []
