"""Tiny real material for each adapter, trained with the library's own library: `make_<adapter>`."""

from __future__ import annotations

import base64
import io
import json
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from tokaudit.runtimes.request import LoadRequest
from tokaudit_reference.spec import AddedToken

HERE = Path(__file__).parent
SENTENCES = ["the cat sat on the mat and the hat", "the theory of that matter"] * 20


def make_tokenizers(folder: Path) -> LoadRequest:
    """A byte-level `tokenizer.json` with one special token."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=300, special_tokens=["<s>"], initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(SENTENCES, trainer)
    tokenizer.save(str(folder / "tokenizer.json"))
    return LoadRequest("tokenizers", str(folder / "tokenizer.json"))


def make_tiktoken(folder: Path) -> LoadRequest:
    """A rank file of all bytes and two merges, with one special token."""
    tokens = [bytes([byte]) for byte in range(256)] + [b"th", b"the"]
    lines = [f"{base64.b64encode(token).decode()} {rank}" for rank, token in enumerate(tokens)]
    (folder / "tiny.tiktoken").write_text("\n".join(lines) + "\n")
    path = str(folder / "tiny.tiktoken")
    special = AddedToken(300, "<s>", special=True)
    return LoadRequest("tiktoken", path, pattern=r"\w+|\W+", added_tokens=(special,))


def make_sentencepiece(folder: Path) -> LoadRequest:
    """A unigram model with byte fallback."""
    from sentencepiece import SentencePieceTrainer

    model = io.BytesIO()
    SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES), model_writer=model, vocab_size=300,
        byte_fallback=True, hard_vocab_limit=False, minloglevel=2,
    )  # fmt: skip
    (folder / "tiny.model").write_bytes(model.getvalue())
    return LoadRequest("sentencepiece", str(folder / "tiny.model"))


def make_reference(folder: Path) -> LoadRequest:
    """The same `tokenizer.json` as the library's, run by the reference."""
    from tokaudit.runtimes.subject_requests import reference_request
    from tokaudit.subject.opening import open_subject
    from tokaudit.subject.representations import parse_all

    make_tokenizers(folder)
    [(_, spec)] = parse_all(open_subject(folder)).parsed
    return reference_request(spec)


def make_call(folder: Path) -> LoadRequest:
    """A Python object; its folder must be on PYTHONPATH."""
    return LoadRequest("call", "fake_encoders:code_points")


def make_cmd(folder: Path) -> LoadRequest:
    """A program."""
    return LoadRequest("cmd", shlex.join([sys.executable, str(HERE / "fake_program.py")]))


def make_llama_cpp(folder: Path) -> LoadRequest:
    """A byte-level GGUF file of the same vocabulary; the package comes with the extra `gguf`."""
    from tokaudit_folders import gguf_files as g

    make_tokenizers(folder)
    read = json.loads((folder / "tokenizer.json").read_text())
    vocab = sorted(read["model"]["vocab"], key=read["model"]["vocab"].__getitem__)
    merges = [" ".join(pair) for pair in read["model"]["merges"]]
    types = [g.CONTROL if token == "<s>" else g.NORMAL for token in vocab]
    keys = g.tokenizer(
        "gpt2", vocab, merges=(g.TEXT, merges), token_type=(g.I32, types), pre=(g.TEXT, "qwen2"),
        bos_token_id=(g.U32, 0), eos_token_id=(g.U32, 0),
    )  # fmt: skip
    path = folder / "tiny.gguf"
    path.write_bytes(g.gguf({"general.architecture": (g.TEXT, "llama"), **keys}))
    return LoadRequest("llama.cpp", str(path))


def maker(adapter: str) -> Callable[[Path], LoadRequest]:
    """What makes the material of an adapter: its own function, or the folder of the library's."""
    own: Callable[[Path], LoadRequest] | None = globals().get(f"make_{adapter.replace('.', '_')}")
    return own or partial(_make_as_folder, adapter)


def _make_as_folder(adapter: str, folder: Path) -> LoadRequest:
    """The library's `tokenizer.json`, with a config next to it for who reads a folder."""
    made = make_tokenizers(folder)
    config = folder / "tokenizer_config.json"
    config.write_text('{"tokenizer_class": "GPT2Tokenizer", "add_prefix_space": false}')
    siblings = {"tokenizer.json": made.path, config.name: str(config)}
    return replace(made, adapter=adapter, siblings=siblings)
