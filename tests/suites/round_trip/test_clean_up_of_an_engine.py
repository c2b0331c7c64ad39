"""What llama.cpp takes out of the text of every file of a kind is no fault of the file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tokaudit.engine.needs import Probes, UpstreamAnswers
from tokaudit.report.model import Finding
from tokaudit.runtimes.adapters.reference_adapter import Reference
from tokaudit_folders.gguf_files import I32, NORMAL, TEXT, parsed, tokenizer
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_reference.text.bytes_alphabet import BYTE_OF
from tokaudit_reference.tokenizer import ReferenceTokenizer

Call = Callable[..., list[Any]]
TEXTS = ("a b", "a , b", "a 's b")


def spec_of(folder: Path, split: str) -> TokenizerSpec:
    """A GGUF file of bytes, whose split decides whether the engine cleans up."""
    kinds = (I32, [NORMAL] * (len(BYTE_OF) + 1))
    merges = (TEXT, ["a b"])
    return parsed(
        folder,
        tokenizer("gpt2", [*BYTE_OF, "ab"], pre=(TEXT, split), token_type=kinds, merges=merges),
    )


class Drops(Reference):
    """An engine that takes letters out too."""

    def decode(self, ids: Any, options: Any = None) -> list[bytes | str]:
        found = super().decode(ids)
        return [str(each).replace("b", "") for each in found]


def found(call: Call, spec: TokenizerSpec, kind: type[Reference] = Reference) -> list[Finding]:
    engine = kind(ReferenceTokenizer(spec))
    answers = UpstreamAnswers(TEXTS, tuple(engine.encode(TEXTS)))
    given = call("round_trip/text", spec, engine, Probes(TEXTS, "by hand"), answers)
    return [each for each in given if isinstance(each, Finding)]


def test_a_clean_up_of_the_engine_is_information_and_no_decoder_is_wanted(
    call: Call, tmp_path: Path
) -> None:
    [tidied] = found(call, spec_of(tmp_path, "gpt-2"))
    assert (str(tidied.severity), tidied.cause) == ("info", "engine's clean-up")
    assert tidied.message.startswith("2 of 3 texts are decoded without a space")
    assert "add the decoder" not in tidied.remedy


def test_a_split_without_clean_up_gives_the_texts_back(call: Call, tmp_path: Path) -> None:
    assert found(call, spec_of(tmp_path, "qwen2")) == []


def test_what_the_clean_up_does_not_explain_stays_an_error(call: Call, tmp_path: Path) -> None:
    severities = [str(each.severity) for each in found(call, spec_of(tmp_path, "gpt-2"), Drops)]
    assert "error" in severities
