"""Both decoders are asked for every id alone and for whole texts, and parting is shown by ids."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import tokaudit
import tokaudit_suites.agreement.decoder as decoders
from tokaudit.engine.check import all_checks
from tokaudit.engine.needs import Upstream
from tokaudit.report.model import Finding, Status
from tokaudit.runtimes.protocol import DecodeOptions, EncodeOptions, Encoding, TokenizerInfo
from tokaudit_folders.folder import Folder
from tokaudit_reference.spec import Component, ModelType, Piece, Standing, TokenizerSpec, TokenType
from tokaudit_reference.text.bytes_alphabet import CHARACTER_OF

SPEC = TokenizerSpec(
    ModelType.BPE,
    {id: Piece(TokenType.ORDINARY, text) for id, text in enumerate("abc")},
    decoder=Component(None, Standing.STATED),
    format="tokenizer.json",
    files=("tokenizer.json",),
)
ASKED = decoders.IdLists(((0,), (1,), (2,), (0, 1)), DecodeOptions())


class Library:
    """A library that nobody asks; only its name is shown."""

    info = TokenizerInfo("lib", "lib", "1.0")
    capabilities = frozenset({"decode"})

    def vocab(self) -> dict[int, bytes | str]:
        return {}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        return []

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        return []


@pytest.fixture
def subject(tmp_path: Path) -> Path:
    """A byte-level tokenizer of 256 bytes, half of which are no text alone."""
    vocab = {CHARACTER_OF[byte]: byte for byte in range(256)}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    cut = {**byte_level, "use_regex": True}
    stages = {"added_tokens": [], "pre_tokenizer": cut, "decoder": byte_level}
    return Folder.bpe(vocab).changed(**stages).write(tmp_path)


def findings(ours: tuple[str, ...], theirs: tuple[str, ...]) -> list[Finding]:
    """What the check finds where the decoders give these texts."""
    given = decoders.UpstreamTexts(theirs), decoders.ReferenceTexts(ours)
    said = decoders.independent_decoder.function(SPEC, Upstream(Library()), ASKED, *given)
    return [one for one in said if isinstance(one, Finding)]


def test_two_decoders_that_agree_on_every_list_pass() -> None:
    assert findings(("a", "b", "c", "ab"), ("a", "b", "c", "ab")) == []


def test_the_fewest_ids_with_both_texts_are_shown() -> None:
    (found,) = findings(("a", " b", "c", "a b"), ("a", "b", "c", "ab"))
    assert found.message == (
        "The reference and lib 1.0 decode 2 lists of 4 to other text: the ids [1] to ' b' and 'b'."
    )
    assert found.places[0].pointer == "/decoder"
    assert found.evidence[0].ids == (1,)
    assert found.evidence[1].facts == {"the reference": "' b'", "lib 1.0": "'b'"}


def test_bytes_that_are_not_text_are_compared_as_bytes(subject: Path, processes: None) -> None:
    (result,) = tokaudit.audit(subject, select=["agreement/decoder"]).results
    (measured,) = result.measurements
    assert measured.value == 0
    assert measured.n > len(CHARACTER_OF)
    assert measured.method == "each id alone, and the ids of each probe text"


def test_a_quick_audit_does_not_ask(subject: Path, processes: None) -> None:
    everything_else = [each.suite for each in all_checks() if each.suite != "agreement"]
    report = tokaudit.audit(subject, ignore=everything_else, tier="quick")
    asked = {result.check for result in report.results}
    assert "agreement/reference" in asked and "agreement/decoder" not in asked


def test_a_library_without_a_decoder_skips_it(tmp_path: Path, processes: None) -> None:
    model = {"type": "WordLevel", "vocab": {"a": 0}, "unk_token": "a"}
    (tmp_path / "tokenizer.json").write_text(
        json.dumps({"version": "1.0", "added_tokens": [], "model": model, "decoder": {"type": "?"}})
    )
    (result,) = tokaudit.audit(tmp_path, select=["agreement/decoder"]).results
    assert result.status is Status.SKIPPED
