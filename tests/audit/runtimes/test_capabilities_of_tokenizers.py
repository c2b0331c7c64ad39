"""What the adapter of Hugging Face's tokenizers can do follows the installed version."""

from __future__ import annotations

import pytest
from tokenizers import Tokenizer, decoders, models

from tokaudit.runtimes.adapters.tokenizers_adapter import HuggingFaceTokenizer
from tokaudit.runtimes.request import LoadRequest


def adapter() -> HuggingFaceTokenizer:
    return HuggingFaceTokenizer(Tokenizer(models.BPE()), LoadRequest("tokenizers"))


def test_it_streams_where_the_library_has_a_decoder_of_streams() -> None:
    assert "stream" in adapter().capabilities


def test_it_does_not_stream_in_a_version_without_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(decoders, "DecodeStream")  # as in tokenizers 0.20
    assert "stream" not in adapter().capabilities
