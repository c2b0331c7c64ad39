"""Maps of characters that are packed differently are proved the same by their entries."""

from __future__ import annotations

import io
import struct
from base64 import b64decode, b64encode
from dataclasses import replace

import pytest

from tokaudit.engine.sides.side import Open, Side
from tokaudit.engine.sides.trial import Trial
from tokaudit.products.compare.facets.stages import normalizer
from tokaudit.products.compare.recheck.proofs import objection
from tokaudit.report.comparison import Comparison, Facet, Outcome, Proof, Relation
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_reference.errors import SpecError
from tokaudit_reference.spec import Component, ModelType, Standing, TokenizerSpec
from tokaudit_reference.steps.normalizers.precompiled import charsmap

RULES = "41\t61\n66 69\tFB01\n00C4\t61 65\n"


@pytest.fixture(scope="module")
def blob(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A map that SentencePiece makes of three rules."""
    import sentencepiece

    folder = tmp_path_factory.mktemp("rules")
    (folder / "rules.tsv").write_text(RULES)
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["aa bb ab ba"]),
        model_writer=written,
        vocab_size=12,
        hard_vocab_limit=False,
        normalization_rule_tsv=str(folder / "rules.tsv"),
        minloglevel=2,
    )
    (folder / "small.model").write_bytes(written.getvalue())
    ((representation, _),) = parse_all(open_subject(str(folder / "small.model"))).parsed
    (step,) = representation.spec.normalizer.steps
    return step.effects.charsmap


def packed_otherwise(blob: str) -> str:
    """The same map with a byte more before its strings."""
    data = b64decode(blob)
    (size,) = struct.unpack_from("<I", data)
    units = struct.unpack_from(f"<{size // 4}I", data, 4)
    moved = (unit + 1 if unit >> 31 else unit for unit in units)
    head = struct.pack(f"<{1 + size // 4}I", size, *moved)
    return b64encode(head + b"\0" + data[4 + size :]).decode()


def side(type: str, blob: str, **more: bool) -> Side:
    options = {"type": type, "precompiled_charsmap": blob, **more}
    stated = Component(options, Standing.STATED).at("normalizer")
    return Side(type, TokenizerSpec(ModelType.UNIGRAM, {}, normalizer=stated))


def compared(left: Side, right: Side) -> Facet | Open:
    return normalizer(left, right, Trial(left, right, []))


def test_the_entries_are_those_of_the_rules(blob: str) -> None:
    table = charsmap(blob)
    assert table is not None
    assert table.entries() == {b"A": "a", b"fi": "\ufb01", "Ä".encode(): "ae"}


@pytest.mark.parametrize("type", ["Precompiled", "SentencePiece"])
def test_the_same_entries_are_proved_and_can_be_checked_again(type: str, blob: str) -> None:
    left, right = side(type, blob), side(type, packed_otherwise(blob))
    found = compared(left, right)
    assert isinstance(found, Facet) and found.outcome is Outcome.EQUIVALENT
    assert found.certificate is not None and found.certificate.proof is Proof.CHARSMAPS
    stored = Comparison("left", "right", 0, 0, Relation.SAME)
    assert objection(left, right, found, stored) == ""
    other = replace(right, spec=side(type, "AAAAAA==").spec)
    said = "the maps of characters do not hold the same entries"
    assert objection(left, other, found, stored) == said


def test_another_way_to_walk_the_map_is_no_proof(blob: str) -> None:
    other = packed_otherwise(blob)
    assert isinstance(compared(side("Precompiled", blob), side("SentencePiece", other)), Open)
    kept = side("SentencePiece", other, remove_extra_whitespaces=False)
    assert isinstance(compared(side("SentencePiece", blob), kept), Open)


def test_a_map_without_an_end_is_refused() -> None:
    """A unit whose only child is itself."""
    units = [0x61 | (label << 10) for label in range(1)] + [0] * 127
    units[0x61] = 0x61 | (0x61 << 10)
    table = charsmap(b64encode(struct.pack("<129I", 512, *units)).decode())
    assert table is not None
    with pytest.raises(SpecError, match="has no end"):
        table.entries()
