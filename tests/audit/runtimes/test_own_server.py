"""llama.cpp's own server on a file with one random layer: what it gives is what the file says."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from llama_cpp_extra import NAME, runs_llama_cpp

import tokaudit
from tokaudit.products.engines import compared_runtimes as runtimes
from tokaudit.products.engines import runtime_speed
from tokaudit.products.engines.referee import long_texts
from tokaudit.report.comparison import Outcome
from tokaudit.report.recorded import RuntimeState
from tokaudit.runtimes.protocol import EncodeOptions
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit_faults.healthy.folders import gguf_keys, llama_keys, marked
from tokaudit_folders import gguf_files as g
from tokaudit_folders import sick
from tokaudit_folders.one_layer import with_one_layer

SERVER = Path(__file__).with_name("fakes") / "own_llama_server.py"
TEMPLATE = "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}"
SAID = [{"role": "assistant", "content": "acorn"}, {"role": "user", "content": "Grüße"}]

pytestmark = [runs_llama_cpp, pytest.mark.usefixtures("processes")]


@contextmanager
def served(path: Path) -> Iterator[str]:
    """The server in a process of its own."""
    with subprocess.Popen(
        [sys.executable, str(SERVER), str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as running:
        try:
            assert running.stdout is not None
            yield running.stdout.readline().strip()
        finally:
            running.kill()


def merged(folder: Path) -> Mapping[str, g.Value]:
    keys = gguf_keys(sick.read(sick.healthy(folder) / "tokenizer.json"))
    return {**keys, "tokenizer.chat_template": (g.TEXT, TEMPLATE)}


def scored(folder: Path) -> Mapping[str, g.Value]:
    marked(folder)
    return llama_keys(folder / "tokenizer.model")


@pytest.fixture
def few_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(runtimes.MOST_OF_A_KIND, "quick", 30)
    monkeypatch.setitem(long_texts.LARGEST, "quick", 10)
    monkeypatch.setattr(runtime_speed, "ROUNDS", 1)


@pytest.mark.parametrize(("keys", "text"), [(merged, " ."), (scored, " ")])
@pytest.mark.usefixtures("few_texts")
def test_the_server_gives_the_ids_of_the_file_and_decodes_token_by_token(
    keys: Any, text: str, tmp_path: Path
) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(with_one_layer(keys(tmp_path / "source")))
    with served(path) as url:
        report = tokaudit.compare_runtimes(path, runtime=[url, NAME], tier="quick")
    compared = report.comparisons
    states = {each.right: each.runtime.state for each in compared if each.runtime}
    assert states == {
        "server (llama-server)": RuntimeState.DIFFERS,
        "llama.cpp 2026.10.11549": RuntimeState.AGREES,
    }
    differing = [each for each in compared[0].facets if each.outcome is Outcome.DIFFERS]
    assert [(each.name, each.evidence[0].text) for each in differing] == [("decode", text)]
    assert compared[0].texts > 200 and compared[0].different == 0


def test_it_tokenizes_and_detokenizes_with_special_tokens_asked_for_or_not(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(with_one_layer(scored(tmp_path / "source")))
    asked = (
        EncodeOptions(),
        EncodeOptions(parse_special=False),
        EncodeOptions(add_special_tokens=True),
    )
    texts = ["a</s> b", " the", "가\u20e3", ""]
    engine = LoadRequest(NAME, str(path), files=(str(path),))
    with (
        served(path) as url,
        WorkerTokenizer(LoadRequest("server", place=url)) as server,
        WorkerTokenizer(engine) as library,
    ):
        for how in asked:
            assert server.encode(texts, how) == library.encode(texts, how)
        [ids] = server.encode(["a</s> b"])
        assert library.decode([ids.ids]) == ["a</s>  b"]
        assert server.decode([ids.ids]) == [" a</s>  b"]  # it joins the pieces of the tokens


def test_it_writes_a_chat_as_the_template_of_the_file_says(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(with_one_layer(merged(tmp_path / "source")))
    body = json.dumps({"messages": SAID}).encode()
    with served(path) as url:
        asked = urllib.request.Request(f"{url}/apply-template", body, {"Content-Type": "text/json"})
        with urllib.request.urlopen(asked, timeout=10) as answer:
            assert json.load(answer) == {"prompt": "<|assistant|>acorn<|user|>Grüße"}
