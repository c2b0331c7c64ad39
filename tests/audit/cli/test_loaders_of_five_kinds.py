"""The table of loaders of five kinds of folders: each cell, with its source, in lines and on a page."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from class_folders import of_class
from markupsafe import escape

import tokaudit
from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit.subject.upstream.versions import FIVE, FOUR, SENTENCE_TRANSFORMERS
from tokaudit_folders import gguf_files as gguf
from tokaudit_folders.folder import Folder

VERSIONS = tuple(f"transformers {version} (emulated)" for version in (FOUR, FIVE))
ALONE, PIECES = "tokenizers (its file alone)", "sentencepiece (its file alone)"
CONVERTER = "llama.cpp's converter, gguf 0.19.0 (read from its source)"
ENCODER = f"sentence-transformers {SENTENCE_TRANSFORMERS} (its files)"
Make = Callable[[Path], Path]


def settings(path: Path, name: str, **keys: object) -> None:
    file = path / name
    file.parent.mkdir(exist_ok=True)
    stated = json.loads(file.read_text()) if file.is_file() else {}
    file.write_text(json.dumps(stated | keys))


def of(name: str, **config: object) -> Make:
    """A folder of a class, with the config of its model."""

    def make(path: Path) -> Path:
        of_class(every_class()[name], path)
        settings(path, "config.json", **config)
        return path

    return make


def sentence_encoder(path: Path) -> Path:
    of("BertTokenizer", model_type="bert", vocab_size=40, pad_token_id=0)(path)
    settings(path, "sentence_bert_config.json", max_seq_length=256, do_lower_case=False)
    settings(path, "1_Pooling/config.json", pooling_mode_cls_token=True)
    kinds = {"Transformer": "", "Pooling": "1_Pooling"}
    listed = [{"path": inner, "type": f"a.{kind}"} for kind, inner in kinds.items()]
    (path / "modules.json").write_text(json.dumps(listed))
    return path


def gguf_next_to_json(path: Path) -> Path:
    folder = Folder.bpe("ab", ["a b"]).added("<s>", "</s>")
    types = (gguf.I32, [gguf.NORMAL] * 3 + [gguf.CONTROL] * 2)
    ends = {"bos_token_id": (gguf.U32, 3), "eos_token_id": (gguf.U32, 4)}
    tokens = ["a", "b", "ab", "<s>", "</s>"]
    keys = gguf.tokenizer("gpt2", tokens, token_type=types, merges=(gguf.TEXT, ["a b"]), **ends)
    folder = folder.gguf({"general.architecture": (gguf.TEXT, "llama"), **keys})
    folder = folder.tokenizer_config(tokenizer_class="PreTrainedTokenizerFast", eos_token="</s>")
    return folder.config(model_type="llama", vocab_size=5, eos_token_id=4).write(path)


KINDS: Mapping[str, tuple[Make, tuple[str, ...], Mapping[tuple[str, str], tuple[str, str]]]] = {
    "Llama": (
        of("LlamaTokenizer", model_type="llama", vocab_size=420),
        (*VERSIONS, PIECES, CONVERTER),
        {
            (VERSIONS[0], "tokenizer_class"): (
                "LlamaTokenizerFast",
                "tokenizer_config.json#/tokenizer_class",
            ),
            (VERSIONS[1], "eos_token_id"): ("2", "default of a llama"),
        },
    ),
    "BERT": (
        of("BertTokenizer", model_type="bert", vocab_size=40),
        (*VERSIONS, CONVERTER),
        {
            (VERSIONS[0], "cls_token"): ("[CLS]", "default of BertTokenizer"),
            (VERSIONS[1], "do_lower_case"): ("true", "default of BertTokenizer"),
        },
    ),
    "Whisper": (
        of("WhisperTokenizer", model_type="whisper", decoder_start_token_id=7),
        (*VERSIONS, CONVERTER),
        {
            (VERSIONS[0], "decoder_start_token_id"): ("7", "config.json#/decoder_start_token_id"),
            (VERSIONS[1], "eos_token"): ("<|endoftext|>", "default of WhisperTokenizer"),
        },
    ),
    "sentence encoder": (
        sentence_encoder,
        (*VERSIONS, ENCODER, CONVERTER),
        {
            (ENCODER, "max_seq_length"): ("256", "sentence_bert_config.json#/max_seq_length"),
            (ENCODER, "pooling"): (
                "cls",
                "1_Pooling/config.json#/pooling_mode_cls_token",
            ),
        },
    ),
    "GGUF next to its json": (
        gguf_next_to_json,
        (*VERSIONS, ALONE, "llama.cpp (model.gguf)", CONVERTER),
        {
            ("llama.cpp (model.gguf)", "eos_token_id"): (
                "4",
                "model.gguf#tokenizer.ggml.eos_token_id",
            ),
            (VERSIONS[0], "eos_token_id"): ("4", "config.json#/eos_token_id"),
        },
    ),
}


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    make, loaders, expected = KINDS[request.param]
    return make(tmp_path_factory.mktemp("kind") / "folder"), loaders, expected


def test_each_cell_is_a_line_of_the_terminal_with_its_source(
    kind: Any,
    tokaudit_in_fork,  # type: ignore[no-untyped-def]
) -> None:
    folder, loaders, expected = kind
    cells = json.loads(tokaudit_in_fork("loaders", folder, "--json").stdout)
    assert tuple(dict.fromkeys(cell["loader"] for cell in cells)) == loaders
    lines = tokaudit_in_fork("loaders", folder).stdout.splitlines()
    letters = {line[3:]: line[0] for line in lines[: len(loaders)]}
    shown, key = dict[tuple[str, str], tuple[str, str]](), ""
    width = max(len(cell["key"]) for cell in cells if f"{cell['key']} " in "\n".join(lines)) + 2
    end = next(at for at, line in enumerate(lines) if line.startswith("absent for all: "))
    for line in lines[len(loaders) + 1 : end]:
        key = line[:width].strip() or key
        taken, value, source = line[width:].split(None, 1)[0], *said_on(line[width:])
        for loader, letter in letters.items():
            if letter in taken:
                shown[loader, key] = (value, source)
    assert {place: shown.get(place) for place in expected} == expected
    for cell in cells:
        if cell["said_by"] != "nobody":
            assert shown[cell["loader"], cell["key"]][1] == cell["source"]


def said_on(rest: str) -> tuple[str, str]:
    """The value and the source after the letters of a line."""
    columns = [each for each in rest.split("  ") if each.strip()]
    return columns[1].strip(), columns[-1].strip()


def test_each_cell_is_on_the_page_with_its_source(kind: Any, processes: None) -> None:
    folder, loaders, _ = kind
    report = tokaudit.audit(folder, select=["files/parse"], tier="quick")
    page = tokaudit.render(report, "html")
    start = page.index('<section id="loader-values">')
    table = page[start : page.index("</section>", start)]
    heads = [table.index(escape(each)) for each in loaders]
    assert heads == sorted(heads)
    assert report.subject.loaded
    for cell in report.subject.loaded:
        assert f"{escape(cell.source)}</span></td>" in table
        assert escape(cell.shown()) in table
