"""Small SentencePiece models of characters and of words, trained here."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from format_files import spec_of

from tokaudit_reference.spec import ModelType
from tokaudit_reference.tokenizer import ReferenceTokenizer

SENTENCES = ["the cat sat on the mat", "a dog and a cat", "naïve café 24"] * 5


def trained(kind: str, **options: Any) -> bytes:
    sentencepiece = pytest.importorskip("sentencepiece")
    writer = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES),
        model_writer=writer,
        model_type=kind,
        hard_vocab_limit=False,
        minloglevel=5,
        **{"vocab_size": 60, **options},
    )
    return writer.getvalue()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"user_defined_symbols": ["<b>", "the"]},
        {"byte_fallback": True, "vocab_size": 320},
        {"add_dummy_prefix": False, "remove_extra_whitespaces": False},
        {"treat_whitespace_as_suffix": True},
        {"normalization_rule_name": "identity"},
    ],
    ids=str,
)
@pytest.mark.parametrize(
    ("kind", "model_type"), [("char", ModelType.CHARACTER), ("word", ModelType.WORDLEVEL)]
)
def test_a_small_sentencepiece_model_encodes_as_the_library_does(
    tmp_path: Path, kind: str, model_type: ModelType, options: dict[str, Any]
) -> None:
    sentencepiece = pytest.importorskip("sentencepiece")
    data = trained(kind, **options)
    upstream = sentencepiece.SentencePieceProcessor(model_proto=data)
    spec = spec_of(tmp_path, {"m.model": data})
    assert (spec.model_type, spec.size()) == (model_type, upstream.get_piece_size())
    ours = ReferenceTokenizer(spec)
    texts = [*SENTENCES[:3], "", " ", "the  dog ", "xyz zzz", "a<b>the", "\u65e5 cat\u2581dog"]
    for text in [*texts, "cat\u3000\uff21", "the\tmat\n", "caf\u0065\u0301"]:
        ids = upstream.encode(text)
        assert ours.encode(text).ids == ids
        assert ours.decode(ids) == upstream.decode(ids)


def test_the_kinds_of_a_character_models_pieces_are_read(tmp_path: Path) -> None:
    data = trained("char", user_defined_symbols=["<b>"], control_symbols=["<sep>"])
    spec = spec_of(tmp_path, {"m.model": data})
    kinds = [(spec.pieces[id].value, spec.pieces[id].token_type.value) for id in range(5)]
    assert sorted(kinds) == [
        ("</s>", "control"),
        ("<b>", "user_defined"),
        ("<s>", "control"),
        ("<sep>", "control"),
        ("<unk>", "unknown"),
    ]


def test_a_text_whose_sum_of_scores_is_beyond_single_precision_is_cut_alike(tmp_path: Path) -> None:
    sentencepiece = pytest.importorskip("sentencepiece")
    data = trained("unigram", user_defined_symbols=["<b>", ","])
    upstream = sentencepiece.SentencePieceProcessor(model_proto=data)
    spec = spec_of(tmp_path, {"m.model": data})
    text = "the cat, a naïve dog   and <b> xyz " * 2_500
    ids = upstream.encode(text)
    assert sum(spec.scores[id] for id in ids) < -100_000
    assert ReferenceTokenizer(spec).encode(text).ids == ids
