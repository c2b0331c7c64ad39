"""What is asked of an upstream library is what the subject's own files say."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tokaudit.runtimes.protocol import EncodeOptions, Tokenizer
from tokaudit.runtimes.request import LoadRequest, Padding
from tokaudit.runtimes.subject_requests import reference_request, request_of_both, upstream_request
from tokaudit.runtimes.worker.client import WorkerTokenizer
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders.folder import Folder

pytestmark = pytest.mark.usefixtures("workers_in_forks")
PIECE = EncodeOptions(piece=True)
VOCAB = {"Ġ": 0, "t": 1, "h": 2, "e": 3, "th": 4, "the": 5, "Ġthe": 6}
MERGES = [["t", "h"], ["th", "e"], ["Ġ", "the"]]
BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
PAD = {"id": 7, "content": "<pad>", "special": True, "normalized": False}
FLAGS = {"lstrip": False, "rstrip": False, "single_word": False}

Write = Callable[..., Path]


@pytest.fixture
def folder(tmp_path: Path) -> Write:
    """Writes a byte-level tokenizer with the settings of its config and its own padding block."""

    def write(config: dict[str, object], padding: dict[str, object] | None = None) -> Path:
        stages = {"added_tokens": [{**PAD, **FLAGS}], "pre_tokenizer": BYTE_LEVEL}
        made = Folder.bpe(VOCAB, MERGES).changed(**stages, padding=padding)
        return made.tokenizer_config(**config).write(tmp_path)

    return write


def requests(folder: Path) -> tuple[LoadRequest, LoadRequest]:
    """What the library and what the reference are to load."""
    subject = open_subject(folder)
    representation, spec = parse_all(subject).parsed[0]
    return (
        upstream_request(subject, representation, spec),
        reference_request(spec),
    )


def padded(tokenizer: Tokenizer) -> list[tuple[tuple[int, ...], tuple[int, ...] | None]]:
    found = tokenizer.encode(["t", "the the"], EncodeOptions(pad=True))
    return [(one.ids, one.attention_mask) for one in found]


def test_a_piece_is_the_same_to_the_library_and_to_the_reference(
    folder: Write, processes: None
) -> None:
    for request in requests(folder({})):
        with WorkerTokenizer(request) as tokenizer:
            assert [one.ids for one in tokenizer.encode([" the", "th"], PIECE)] == [(6,), (4,)]


def test_a_piece_with_a_space_is_one_token_of_gpt2(material: Path, processes: None) -> None:
    for request in requests(material / "tokenizers" / "gpt2"):
        with WorkerTokenizer(request) as tokenizer:
            assert tokenizer.encode([" the"], PIECE)[0].ids == (262,)


def test_a_batch_is_padded_with_the_token_on_the_side_that_the_config_states(
    folder: Write,
    processes: None,
) -> None:
    written = folder({"pad_token": "<pad>", "padding_side": "left"})
    with WorkerTokenizer(requests(written)[0]) as tokenizer:
        assert padded(tokenizer) == [((7, 1), (0, 1)), ((5, 6), (1, 1))]


def test_the_config_goes_before_the_padding_block_of_the_tokenizer(
    folder: Write, processes: None
) -> None:
    block = {"strategy": "BatchLongest", "direction": "Right", "pad_to_multiple_of": None}
    block |= {"pad_id": 3, "pad_type_id": 0, "pad_token": "e"}
    stated = folder({"pad_token": {"content": "<pad>"}, "padding_side": "left"}, block)
    with WorkerTokenizer(requests(stated)[0]) as tokenizer:
        assert padded(tokenizer)[0] == ((7, 1), (0, 1))
    silent = folder({}, block)
    with WorkerTokenizer(requests(silent)[0]) as tokenizer:
        assert padded(tokenizer)[0] == ((1, 3), (1, 0))


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({}, Padding()),
        ({"pad_token": "<pad>", "padding_side": "left"}, Padding("<pad>", 7, "left")),
        ({"pad_token": "the", "padding_side": "RIGHT"}, Padding("the", 5, "right")),
        ({"pad_token": "[PAD]", "padding_side": "top"}, Padding()),
        ({"pad_token": None, "padding_side": None}, Padding()),
    ],
)
def test_only_a_pad_token_that_exists_and_a_known_side_are_asked_for(
    folder: Write, config: dict[str, object], expected: Padding
) -> None:
    assert requests(folder(config))[0].padding == expected


def test_the_reference_runs_with_fields_of_another_subject(
    folder: Write, tmp_path: Path, processes: None
) -> None:
    first = open_subject(str(folder({})))
    (tmp_path / "other").mkdir()
    whole = json.loads((Path(first.name) / "tokenizer.json").read_text())
    whole["normalizer"] = {"type": "Lowercase"}
    (tmp_path / "other" / "tokenizer.json").write_text(json.dumps(whole))
    second = open_subject(str(tmp_path / "other"))
    requests = [reference_request(parse_all(s).parsed[0][1]) for s in (first, second)]
    with WorkerTokenizer(request_of_both(*requests)) as both:
        assert both.encode(["the"])[0].ids == (5,)
        taking = EncodeOptions(taken=("normalizer",))
        assert [one.ids for one in both.encode(["THE"], taking)] == [(5,)]
        assert both.encode(["THE"])[0].ids == ()
        assert both.pre_tokens(["the the"]) == [["the", " the"]]
        assert both.normal_forms(range(0x3000)) == {}
    with WorkerTokenizer(requests[1]) as lower:
        assert lower.normal_forms(range(0x3000))[ord("A")] == "a"
        assert lower.encode(["the"], EncodeOptions(taken=("merges",)))[0].error is not None
