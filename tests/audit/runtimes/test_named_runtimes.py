"""How a user names a runtime, and what that one is to load."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tokaudit.foundation.errors import Skip, UsageError
from tokaudit.runtimes.named_runtimes import (
    available_runtimes,
    formats_of,
    named_runtime,
    runtime_request,
)
from tokaudit.runtimes.registry import all_adapters
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders.folder import Folder


def test_a_name_may_be_followed_by_an_interpreter() -> None:
    found = named_runtime(f"transformers@{sys.executable}")
    assert (found.adapter, found.place) == ("transformers", sys.executable)


def test_an_unknown_name_is_told_which_there_are() -> None:
    with pytest.raises(
        UsageError, match=r"'fastokenz' is not a known runtime; did you mean fastokens or"
    ):
        named_runtime("fastokenz")


def test_a_place_that_is_not_there_is_refused_before_any_work() -> None:
    with pytest.raises(UsageError, match="/not/there does not exist"):
        named_runtime("transformers@/not/there")


def test_the_reference_is_no_runtime_as_all_others_are_compared_with_it() -> None:
    with pytest.raises(UsageError):
        named_runtime("reference")


def test_a_runtime_without_a_file_that_it_takes_says_which_it_takes(tmp_path: Path) -> None:
    subject = open_subject(Folder.bpe("ab", ["a b"]).write(tmp_path))
    found = parse_all(subject)
    with pytest.raises(Skip, match=r"tiktoken reads .*; this tokenizer has tokenizer.json"):
        runtime_request(subject, found, named_runtime("tiktoken"))


def test_an_adapter_that_takes_a_folder_gets_every_file_except_weights(tmp_path: Path) -> None:
    folder = Folder.bpe("ab", ["a b"]).config(vocab_size=3).weights(embed_tokens=[3, 4])
    subject = open_subject(folder.write(tmp_path))
    made = runtime_request(subject, parse_all(subject), named_runtime("transformers"))
    assert sorted(made.request.siblings) == ["config.json", "tokenizer.json"]


def test_those_that_are_installed_and_take_the_files_are_asked_by_themselves(
    tmp_path: Path,
) -> None:
    found = parse_all(open_subject(Folder.bpe("ab", ["a b"]).write(tmp_path)))
    names = available_runtimes(found)
    assert "tokenizers" in names
    assert not {"call", "cmd", "reference", "sentencepiece", "tiktoken"} & {*names}


def test_every_adapter_is_a_runtime_by_the_formats_that_it_takes() -> None:
    without = {name for name, adapter in all_adapters().items() if not formats_of(adapter)}
    assert without == {"call", "cmd", "reference", "server"}
