"""Files made to break libraries end in ids, a refusal or a named death, in bounded time."""

from __future__ import annotations

import ast
import base64
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tokaudit.runtimes.protocol import EncodeOptions
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.worker.client import UpstreamRefused, WorkerCrashed, WorkerTokenizer
from tokaudit_folders.folder import Folder
from tokaudit_reference.spec import AddedToken

pytestmark = pytest.mark.usefixtures("processes", "workers_in_forks")

TEXTS = ["", "a", "ab ba abab", "a" * 60 + "!", "Hello  world \u0301\u202e𝄞", "\ud800", " " * 500]
TIMEOUT = 2.0
MOST_SECONDS = 45.0  # for one file: loading, seven texts and the deaths they may cause
MEMORY = 2**30


def outcome(request: LoadRequest) -> str:
    """How it ends; anything but these four is an error of ours."""
    started = time.monotonic()
    with WorkerTokenizer(request, timeout=TIMEOUT, memory=MEMORY) as tokenizer:
        try:
            found = tokenizer.encode(TEXTS)
        except UpstreamRefused as error:
            assert error.message
            return "refused"
        except WorkerCrashed as error:
            assert error.reason.startswith("load: ")
            return "crashed"
    assert time.monotonic() - started < MOST_SECONDS
    assert len(found) == len(TEXTS)
    assert all(not one.ids for one in found if one.error)
    return "trouble" if any(one.error for one in found[:-2]) else "ids"


def outcomes(requests: dict[str, LoadRequest]) -> dict[str, str]:
    """The outcome of each, two at a time."""
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(requests, pool.map(outcome, requests.values()), strict=True))


def _finds(folder: Path, upstream: str) -> Iterator[tuple[str, str]]:
    """What fuzzing found: the input's literal, after a line that quotes the panic if it did."""
    for path in sorted((folder / "hostile").glob(f"{upstream}_*")):
        text = path.read_bytes().decode("utf-8", "replace")
        start = min(i for i in (text.find("'{"), text.find("('")) if i >= 0)
        yield path.name, text[start:]


def test_every_hostile_tokenizer_json_ends_bounded(material: Path) -> None:
    files = sorted((material / "hostile").glob("t_*.json"))
    found = outcomes({path.name: LoadRequest("tokenizers", str(path)) for path in files})
    assert len(found) == len(files) > 30
    assert found["t_empty.json"] == found["t_merge_missing.json"] == "refused"
    assert found["t_merge_prefix_longer.json"] in ("refused", "crashed")
    assert found["t_pad_5e7.json"] == found["t_pad_mmax.json"] == "ids"


def test_every_hostile_sentencepiece_model_ends_bounded(material: Path) -> None:
    files = sorted((material / "hostile").glob("s_*.model"))
    found = outcomes({path.name: LoadRequest("sentencepiece", str(path)) for path in files})
    assert len(found) == len(files) > 10
    assert found["s_ff.model"] == "refused"


def test_what_fuzzing_found_in_tokenizers_ends_bounded(material: Path, tmp_path: Path) -> None:
    requests = {}
    for name, literal in _finds(material, "tokenizers"):
        path = tmp_path / f"{name}.json"
        path.write_text(ast.literal_eval(literal))
        requests[name] = LoadRequest("tokenizers", str(path))
    found = outcomes(requests)
    assert len(found) >= 8
    assert "refused" in found.values() or "crashed" in found.values()


def test_what_fuzzing_found_in_tiktoken_ends_bounded(material: Path, tmp_path: Path) -> None:
    requests = {}
    for name, literal in _finds(material, "tiktoken"):
        pattern, ranks, special = ast.literal_eval(literal)
        path = tmp_path / f"{name}.tiktoken"
        lines = (f"{base64.b64encode(token).decode()} {rank}" for token, rank in ranks.items())
        path.write_text("\n".join(lines))
        added = tuple(AddedToken(id, content, special=True) for content, id in special.items())
        requests[name] = LoadRequest("tiktoken", str(path), pattern=pattern, added_tokens=added)
    found = outcomes(requests)
    assert found["tiktoken_SIGALRM_2"] == found["tiktoken_SIGALRM_4"] == "refused"
    assert len(found) >= 4


def test_padding_a_batch_never_goes_to_a_fixed_length(tmp_path: Path) -> None:
    padding = {
        "strategy": {"Fixed": 10**12}, "direction": "Left", "pad_to_multiple_of": None,
        "pad_id": 1, "pad_type_id": 0, "pad_token": "b",
    }  # fmt: skip
    folder = Folder.bpe("ab").changed(added_tokens=[], padding=padding).write(tmp_path)
    request = LoadRequest("tokenizers", str(folder / "tokenizer.json"))
    with WorkerTokenizer(request, timeout=5, memory=MEMORY) as tokenizer:
        short, long = tokenizer.encode(["a", "aa"], EncodeOptions(pad=True))
    assert (short.ids, short.attention_mask) == ((1, 0), (0, 1))
    assert long.ids == (0, 0)
