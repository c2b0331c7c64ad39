"""What the adapter of Hugging Face's tokenizers can do follows the installed version."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from tokenizers import Tokenizer, decoders, models

from tokaudit.runtimes.adapters.tokenizers_adapter import HuggingFaceTokenizer
from tokaudit.runtimes.protocol import DecodeOptions
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.worker.ops import lacks


def adapter() -> HuggingFaceTokenizer:
    return HuggingFaceTokenizer(Tokenizer(models.BPE()), LoadRequest("tokenizers"))


def test_it_streams_where_the_library_has_a_decoder_of_streams() -> None:
    assert "stream" in adapter().capabilities


def test_it_does_not_stream_in_a_version_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(decoders, "DecodeStream")  # as in tokenizers 0.20
    assert "stream" not in adapter().capabilities


def test_what_the_installed_version_lacks_is_told_from_a_failure_of_the_library(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tokenizer = adapter()
    monkeypatch.delattr(decoders, "DecodeStream")
    with pytest.raises(ImportError) as lacking:
        tokenizer.decode([[0]], DecodeOptions(streamed=True))
    with pytest.raises(TypeError) as failing:
        tokenizer.decode([["a"]])  # type: ignore[list-item]
    assert (lacks(lacking.value), lacks(failing.value)) == (True, False)


def test_a_library_that_lacks_something_of_its_own_fails(tmp_path: Path) -> None:
    library = "import math\n\ndef encode(text):\n    return math.no_such_name\n"
    (tmp_path / "own.py").write_text(library)
    spec = spec_from_file_location("own", tmp_path / "own.py")
    own = module_from_spec(spec)  # type: ignore[arg-type]
    spec.loader.exec_module(own)  # type: ignore[union-attr]
    with pytest.raises(AttributeError) as failing:
        own.encode("a")
    assert not lacks(failing.value)
