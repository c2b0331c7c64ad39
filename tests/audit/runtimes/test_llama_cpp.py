"""llama.cpp itself, in a worker: what it loads, and how it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from llama_cpp_extra import NAME, runs_llama_cpp, without_llama_cpp

from tokaudit.foundation.errors import UsageError
from tokaudit.runtimes import registry
from tokaudit.runtimes.protocol import EncodeOptions
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.worker.client import UpstreamRefused, WorkerTokenizer
from tokaudit_folders import gguf_files as g

ARCHITECTURE = {"general.architecture": (g.TEXT, "llama")}
TOKENS = ["<unk>", "<s>", "</s>", "\u2581", "a", "b", "\u2581a", "<0x41>"]
TYPES = [g.UNKNOWN, g.CONTROL, g.CONTROL, *[g.NORMAL] * 4, g.BYTE]


def opened(path: Path) -> WorkerTokenizer:
    return WorkerTokenizer(LoadRequest(NAME, str(path), files=(str(path),)))


def written(folder: Path, tensors: int = 0, **more: g.Value) -> Path:
    scores = (g.F32, [0.0] * len(TOKENS))
    keys = g.tokenizer("llama", TOKENS, scores=scores, token_type=(g.I32, TYPES))
    path = folder / "model.gguf"
    listed = [(f"t{n}", [4], 0, 32 * n) for n in range(tensors)]
    path.write_bytes(g.gguf(ARCHITECTURE | keys | more, listed, weights=32 * tensors))
    return path


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    without_llama_cpp(monkeypatch)
    with pytest.raises(UsageError) as error:
        registry.adapter_named(NAME)
    assert str(error.value) == "xllamacpp is not installed; run: pip install 'tokaudit[gguf]'"


@runs_llama_cpp
def test_a_file_is_run_with_and_without_special_tokens(tmp_path: Path) -> None:
    with opened(written(tmp_path)) as engine:
        plain, around = (
            engine.encode(["a</s>b"], EncodeOptions(add_special_tokens=add))[0].ids
            for add in (False, True)
        )
        assert plain == (6, 2, 3, 5)
        assert around == (1, 6, 2, 3, 5)
        assert engine.decode([plain]) == ["a</s> b"]


@runs_llama_cpp
def test_weights_and_parts_are_left_out_of_what_the_engine_gets(tmp_path: Path) -> None:
    path = written(tmp_path, tensors=2, **{"split.count": (g.U32, 2)})
    with opened(path) as engine:
        assert engine.encode(["a"])[0].ids == (6,)


@runs_llama_cpp
def test_a_refusal_is_the_engine_s_own_line(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(g.gguf(ARCHITECTURE | g.tokenizer("gpt2", ["a"], pre=(g.TEXT, "gpt-2"))))
    with opened(path) as engine, pytest.raises(UpstreamRefused) as error:
        engine.encode(["a"])
    assert "cannot find tokenizer merges in model file" in str(error.value)


@runs_llama_cpp
def test_a_split_that_the_engine_does_not_know_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    keys = g.tokenizer("gpt2", ["a", "b", "ab"], merges=(g.TEXT, ["a b"]), pre=(g.TEXT, "acorn"))
    path.write_bytes(g.gguf(ARCHITECTURE | keys))
    with opened(path) as engine, pytest.raises(UpstreamRefused) as error:
        engine.encode(["a"])
    assert "unknown pre-tokenizer type: 'acorn'" in str(error.value)


@runs_llama_cpp
def test_every_hostile_file_is_a_refusal_in_one_line(material: Path) -> None:
    files = [*material.glob("hostile/*.gguf"), *material.glob("hostile2/*.gguf")]
    assert len(files) >= 13
    for file in files:
        with opened(file) as engine, pytest.raises(UpstreamRefused) as error:
            _ = engine.info
        assert str(error.value).startswith("ValueError: llama.cpp refuses the file: "), file.name
        assert "\n" not in str(error.value), file.name
