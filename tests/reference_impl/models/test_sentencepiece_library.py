"""The reference and the sentencepiece library agree on models of every type and setting."""

from __future__ import annotations

import io
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_loaders.piece_models import drawn_model
from tokaudit_reference.steps.decoders import Decoder
from tokaudit_reference.tokenizer import ReferenceTokenizer

SENTENCES = [
    *Path(io.__file__).parent.joinpath("textwrap.py").read_text().splitlines(),
    "Grüße aus Köln und Zürich",
    "東京タワー は 高い",
    "Привет, мир",
]
# How white space is kept, and which rule changes characters.
SETTINGS = {
    "usual": {},
    "as it is": {"remove_extra_whitespaces": False, "normalization_rule_name": "identity"},
    "suffix": {"treat_whitespace_as_suffix": True},
    "no prefix": {"add_dummy_prefix": False, "normalization_rule_name": "identity"},
    "bytes": {"byte_fallback": True, "remove_extra_whitespaces": False},
}
TEXTS = st.lists(
    st.sampled_from(
        [
            *"abe .,()▁\u3000\u00a0\tﬁé東京😀\0",
            "  ",
            "<x>",
            "▁ab",
            "ab",
            "foo bar",
            "return ",
            "self.",
        ]
    ),
    max_size=12,
).map("".join)
LAW = settings(deadline=None, derandomize=True, database=None, max_examples=some(60))
MODELS = list(product(["bpe", "unigram", "char", "word"], SETTINGS))


@cache
def trained(kind: str, setting: str) -> tuple[Any, bytes]:
    """A model of the library's own trainer, and its file."""
    import sentencepiece

    file = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES),
        model_writer=file,
        model_type=kind,
        vocab_size=420,
        hard_vocab_limit=False,
        character_coverage=0.98,
        user_defined_symbols=["<x>", "foo bar", "ab"],
        control_symbols=["<c>"],
        minloglevel=2,
        **SETTINGS[setting],  # type: ignore[arg-type]
    )
    return sentencepiece.SentencePieceProcessor(model_proto=file.getvalue()), file.getvalue()


@pytest.fixture(scope="module", params=MODELS, ids=lambda model: f"{model[0]}-{model[1]}")
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The library's processor and the reference, of one model."""
    upstream, file = trained(*request.param)
    path = tmp_path_factory.mktemp("model") / "tokenizer.model"
    path.write_bytes(file)
    [(_, spec)] = parse_all(open_subject(str(path))).parsed
    return upstream, ReferenceTokenizer(spec), Decoder(spec)


def test_ids_and_offsets_are_the_library_s(both: Any) -> None:
    upstream, ours, _ = both

    @LAW
    @given(TEXTS)
    def law(text: str) -> None:
        theirs = upstream.encode(text, return_type="offset_mapping")
        found = ours.encode(text, offsets=True)
        assert found.ids == theirs["ids"]
        assert found.offsets == theirs["offsets"]
        assert ours.encode(text).ids == theirs["ids"]

    law()


def test_decoded_text_is_the_library_s(both: Any) -> None:
    upstream, _, decoder = both

    @LAW
    @given(st.lists(st.integers(0, upstream.get_piece_size() - 1), max_size=9))
    def law(ids: list[int]) -> None:
        assert decoder.decode(ids) == upstream.decode(ids)

    law()


@pytest.mark.parametrize("seed", range(40))
def test_unused_and_control_pieces_come_out_of_no_text(tmp_path: Path, seed: int) -> None:
    """Models of drawn types, whose one-letter pieces may be unused and whole words control."""
    import sentencepiece

    data = drawn_model(Random(seed), b"")
    path = tmp_path / "tokenizer.model"
    path.write_bytes(data)
    ours = ReferenceTokenizer(parse_all(open_subject(path)).parsed[0][1])
    try:
        upstream = sentencepiece.SentencePieceProcessor(model_proto=data)
    except RuntimeError:
        return  # the switch of byte fallback against the pieces
    for text in ("the cat on", "<s>", "do 1, case", "</s> DER."):
        assert list(ours.encode(text).ids) == upstream.encode(text)
