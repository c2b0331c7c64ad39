"""The hypothesis strategies: what they draw is valid, and reaches where tokenizers break."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import requires
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from locations import ROOT

import tokaudit
from tokaudit.subject.conversations.conversation import read
from tokaudit.testing import conversations, texts, token_ids

END = "<|end|>"
ENOUGH = settings(
    max_examples=1000,
    derandomize=True,
    database=None,
    deadline=None,  # on a busy machine some are slow, and `find` then never ends
    suppress_health_check=list(HealthCheck),
)
FEW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture
def subject(small: Path) -> tokaudit.Opened:
    """The small tokenizer, a hole at id 2, with an added token."""
    data = json.loads((small / "tokenizer.json").read_text())
    added = {"id": 4, "content": END, "special": True, "normalized": False}
    added |= {"lstrip": False, "rstrip": False, "single_word": False}
    data["added_tokens"] = [added]
    (small / "tokenizer.json").write_text(json.dumps(data))
    return tokaudit.open(small)


REACHED: dict[str, Callable[[str], bool]] = {
    "an added token": lambda text: END in text,
    "an added token next to itself": lambda text: END + END in text,
    "an added token cut off": lambda text: "<|en" in text and END not in text,
    "an added token with a space inside": lambda text: (
        re.search(r"<\|\w* \w*\|>", text) is not None
    ),
    "an added token between letters": lambda text: f"a{END}a" in text,
    "a seam of two entries": lambda text: "abab" in text,
    "a space that is no blank": lambda text: "\u3000" in text or "\u00a0" in text,
    "a line end of Windows": lambda text: "\r\n" in text,
    "a control character": lambda text: "\x00" in text,
    "a mark without a letter": lambda text: text.startswith("\u0301"),
    "a character that its normal form changes": lambda text: "\u212b" in text,
    "a joined emoji": lambda text: "\u200d\U0001f469" in text,
    "Chinese": lambda text: "\u4f60\u597d" in text,
    "digits of another script": lambda text: "\u0663" in text,
    "a very long run": lambda text: "a" * 1000 in text,
    "many parts": lambda text: len(text) > 20,
    "nothing": lambda text: text == "",
}


def test_texts_reach_every_place_where_tokenizers_break(subject: tokaudit.Opened) -> None:
    """In a thousand texts, which are always the same."""
    drawn = []
    thousand = settings(
        max_examples=1000, derandomize=True, database=None, deadline=None, phases=[Phase.generate]
    )

    @settings(thousand, suppress_health_check=list(HealthCheck))
    @given(texts(subject))
    def draw(text: str) -> None:
        drawn.append(text)

    draw()
    assert [what for what, reached in REACHED.items() if not any(map(reached, drawn))] == []


def test_texts_are_valid_unicode_of_bounded_length(subject: tokaudit.Opened) -> None:
    @FEW
    @given(texts(subject))
    def law(text: str) -> None:
        assert text.encode().decode() == text
        assert len(text) <= 8 * 3000

    law()


def test_token_ids_are_those_of_the_vocabulary(subject: tokaudit.Opened) -> None:
    @FEW
    @given(token_ids(subject))
    def law(ids: list[int]) -> None:
        assert set(ids) <= {0, 1, 3, 4}

    law()


@pytest.mark.parametrize("id", [0, 1, 3, 4])
def test_token_ids_reach_every_id(subject: tokaudit.Opened, id: int) -> None:
    assert find(token_ids(subject), lambda ids: id in ids, settings=ENOUGH) == [id]


@FEW
@given(conversations(tools=True))
def test_conversations_are_in_the_usual_form(messages: list[dict[str, Any]]) -> None:
    (conversation,) = read(json.dumps({"messages": messages}).encode(), "drawn")
    assert "user" in conversation.roles
    assert "system" not in conversation.roles[1:]


@FEW
@given(conversations(system=False))
def test_without_system_and_tools_two_roles_take_turns(messages: list[dict[str, Any]]) -> None:
    roles = [message["role"] for message in messages]
    assert roles == ["user", "assistant"] * (len(roles) // 2) + ["user"] * (len(roles) % 2)


def test_conversations_reach_every_role() -> None:
    roles = set()

    @settings(FEW, derandomize=True, database=None, phases=[Phase.generate])
    @given(conversations(tools=True))
    def draw(messages: list[dict[str, Any]]) -> None:
        roles.update(message["role"] for message in messages)

    draw()
    assert roles == {"system", "user", "assistant", "tool"}


def test_a_name_is_opened_when_a_text_is_drawn_and_not_before(tmp_path: Path) -> None:
    drawn = texts(tmp_path / "nowhere")
    with pytest.raises(tokaudit.UnreadableError, match="nowhere"):
        find(drawn, lambda text: True)


@pytest.mark.parametrize("call", ["texts('pkg:x')", "token_ids('pkg:x')", "conversations()"])
def test_without_hypothesis_the_error_says_how_to_install_it(call: str, processes: None) -> None:
    program = (
        f"import sys; sys.modules['hypothesis'] = None\nfrom tokaudit.testing import *\n{call}"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "UsageError: tokaudit.testing: hypothesis is not installed" in done.stderr
    assert "pip install 'tokaudit[pytest]'" in done.stderr


def test_whoever_installs_tokaudit_gets_neither_pytest_nor_hypothesis() -> None:
    needed = [each for each in requires("tokaudit") or () if "extra ==" not in each]
    assert needed
    assert not any(re.match("(pytest|hypothesis)\\b", each) for each in needed)


def test_nothing_but_the_testing_room_imports_pytest_or_hypothesis() -> None:
    packages = ("audit/tokaudit", "reference_impl", "suites/tokaudit_suites", "reports")
    importers = set()
    for path in (path for package in packages for path in (ROOT / package).rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if "pytest" not in source and "hypothesis" not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if any(name.partition(".")[0] in ("pytest", "hypothesis") for name in names):
                importers.add(path.parent.relative_to(ROOT).as_posix())
    assert importers == {"audit/tokaudit/testing"}
