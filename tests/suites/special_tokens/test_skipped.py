"""Special tokens vanish from decoded text when they are skipped, by each version of the library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from installed_library import of_the_newest

from tokaudit.foundation.errors import NotApplicable
from tokaudit.plugin import DecodeOptions, Upstream
from tokaudit.runtimes.protocol import TokenizerInfo
from tokaudit_reference.spec import (
    AddedToken,
    Component,
    ModelType,
    Piece,
    Standing,
    TokenizerSpec,
    TokenType,
)

CHECK = "special_tokens/skipped"
Call = Callable[..., list[Any]]


@dataclass(frozen=True)
class Decoding:
    """A library that decodes each special token alone to a text, of any version."""

    texts: Sequence[str]
    version: str = "0.23.3"
    package: str = "tokenizers"
    capabilities = frozenset({"encode", "decode"})

    @property
    def info(self) -> TokenizerInfo:
        return TokenizerInfo(self.package, self.package, self.version)

    def decode(self, ids: Sequence[Sequence[int]], options: DecodeOptions) -> Sequence[str]:
        assert options.skip_special_tokens
        assert [len(each) for each in ids] == [1] * len(self.texts)
        return self.texts


def said(call: Call, library: Decoding, *tokens: AddedToken) -> list[tuple[str, list[str]]]:
    spec = TokenizerSpec(
        ModelType.BPE,
        {0: Piece(TokenType.ORDINARY, "a")},
        added_tokens=tokens,
        normalizer=Component({"type": "Lowercase"}, Standing.STATED),
    )
    found = call(CHECK, spec, Upstream(library))  # type: ignore[arg-type]
    return [(each.cause, list(each.about.tokens)) for each in found]


PAD = AddedToken(1, "[PAD]", special=True, normalized=True)
LOW = AddedToken(2, "[mask]", special=True, normalized=True)
RAW = AddedToken(3, "[SEP]", special=True, normalized=False)


def test_a_normalized_token_that_stays_is_named(call: Call) -> None:
    assert said(call, Decoding(["[pad]", "", ""]), PAD, LOW, RAW) == [("normalized", ["[PAD]"])]


@pytest.mark.parametrize("version", ["0.20.3", "0.21.4", "0.22.2"])
def test_an_older_library_that_drops_it_is_told_of_newer_ones(call: Call, version: str) -> None:
    library = Decoding(["", "", ""], version)
    assert said(call, library, PAD, LOW, RAW) == [("normalized", ["[PAD]"])]


def test_a_newer_library_that_drops_it_is_believed(call: Call) -> None:
    assert said(call, Decoding(["", "", ""], "0.99.0"), PAD, LOW, RAW) == []


def test_another_token_that_stays_is_named_too(call: Call) -> None:
    assert said(call, Decoding(["", "", "[SEP]"]), PAD, LOW, RAW) == [("kept", ["[SEP]"])]


def test_a_library_that_skips_by_ids_is_not_asked(call: Call) -> None:
    with pytest.raises(NotApplicable):
        said(call, Decoding([], "0.2.3", "sentencepiece"), PAD)


@of_the_newest
def test_the_installed_library_keeps_a_token_whose_normal_form_is_another() -> None:
    """What the check says of it, asked without the check."""
    from tokenizers import AddedToken as Added
    from tokenizers import Tokenizer, models, normalizers

    library = Tokenizer(models.WordLevel({"a": 0}, "a"))
    library.normalizer = normalizers.Lowercase()
    library.add_special_tokens([Added("[PAD]", normalized=True), Added("[SEP]", normalized=False)])
    assert library.decode([0, 1, 2], skip_special_tokens=True) == "a [pad]"
