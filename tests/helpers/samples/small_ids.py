"""A small tokenizer that ships with us, and documents of ids that it makes."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path

from tokenizers import Tokenizer

from tokaudit_folders.folder import Folder
from tokaudit_suites.shared.sample_texts import load

END = "<|endoftext|>"
LANGUAGES = ("English", "German", "French", "Spanish")


@cache
def small_folder() -> Folder:
    """The tokenizer of 8,192 entries of the suite `throughput`, with an end of text."""
    file = files("tokaudit_suites.throughput").joinpath("yardstick.json")
    folder = Folder(json.loads(file.read_text("utf-8"))).added(END)
    return folder.tokenizer_config(tokenizer_class="PreTrainedTokenizerFast", eos_token=END)


@cache
def small_tokenizer(path: Path) -> Path:
    """The same, written into a folder."""
    return small_folder().write(path)


def texts(count: int = 60) -> list[str]:
    """Sentences of the built-in sample, two a document."""
    sentences = [text for sample in load() for text in sample.sentences if text.isascii()]
    return [" ".join(sentences[at : at + 2]) for at in range(0, 2 * count, 2)]


def documents(count: int = 60, folder: Folder | None = None) -> list[list[int]]:
    """The ids of these texts, each with the end of text."""
    found = folder or small_folder()
    tokenizer = Tokenizer.from_str(found.text())
    end = found.vocab[END]
    return [[*tokenizer.encode(text).ids, end] for text in texts(count)]
