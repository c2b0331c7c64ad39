"""A translator's two models and the list of their ids: exchanged ones are found."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from class_folders import pieces_of
from sentencepiece import SentencePieceTrainer

import tokaudit
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Finding
from tokaudit_suites.shared.sample_texts import load

Ask = Callable[..., list[object]]
EXCHANGED = "vocab/exchanged-sides"


@cache
def model(language: str) -> bytes:
    """A SentencePiece model of the sample of one language."""
    texts = next(sample.sentences for sample in load() if sample.language == language)
    written = io.BytesIO()
    SentencePieceTrainer.train(
        sentence_iterator=iter(texts),
        model_writer=written,
        vocab_size=420,
        hard_vocab_limit=False,
        minloglevel=2,
        num_threads=1,
        unk_id=0,
        bos_id=1,
        eos_id=2,
        pad_id=-1,
    )
    return written.getvalue()


def translator(folder: Path, models: tuple[str, str], languages: tuple[str, str]) -> Path:
    """A folder of Marian whose list of ids has both models' pieces in their order."""
    source, target = (model(language) for language in models)
    words = dict.fromkeys([*pieces_of(source)[3:], *pieces_of(target)[3:]])
    tokens = ["</s>", "<unk>", *words, "<pad>"]
    settings = {"tokenizer_class": "MarianTokenizer"}
    settings |= dict(zip(("source_lang", "target_lang"), languages, strict=True))
    folder.mkdir()
    (folder / "source.spm").write_bytes(source)
    (folder / "target.spm").write_bytes(target)
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    (folder / "vocab.json").write_text(json.dumps({t: id for id, t in enumerate(tokens)}))
    return folder


def causes(found: list[object]) -> list[str]:
    return [finding.cause for finding in found if isinstance(finding, Finding)]


@pytest.mark.parametrize(
    ("models", "languages", "found"),
    [
        (("eng_Latn", "deu_Latn"), ("en", "de"), []),
        (("deu_Latn", "eng_Latn"), ("eng", "deu"), ["exchanged"]),
        (("cmn_Hans", "eng_Latn"), ("en", "zh"), ["exchanged"]),
        (("eng_Latn", "eng_Latn"), ("en", "de"), []),  # one model for both
    ],
)
def test_two_models_each_in_the_place_of_the_other_are_found_by_their_languages(
    ask: Ask,
    tmp_path: Path,
    models: tuple[str, str],
    languages: tuple[str, str],
    found: list[str],
    processes: None,
) -> None:
    folder = translator(tmp_path / "model", models, languages)
    assert causes(ask(EXCHANGED, folder)) == found


def test_without_a_language_nothing_tells_the_sides_apart(
    ask: Ask, tmp_path: Path, processes: None
) -> None:
    folder = translator(tmp_path / "model", ("deu_Latn", "eng_Latn"), ("mul", "en"))
    with pytest.raises(NotApplicable, match="source_lang"):
        ask(EXCHANGED, folder)


@pytest.mark.parametrize(
    ("pair", "found"),
    [(("▁the", "."), ["exchanged"]), (("</s>", "<unk>"), ["head"]), (("▁the", "▁the"), [])],
)
def test_two_ids_exchanged_in_a_list_that_keeps_the_order_of_the_model_are_found(
    ask: Ask, tmp_path: Path, pair: tuple[str, str], found: list[str]
) -> None:
    folder = translator(tmp_path / "model", ("eng_Latn", "eng_Latn"), ("en", "en"))
    vocab = json.loads((folder / "vocab.json").read_bytes())
    one, other = pair
    vocab[one], vocab[other] = vocab[other], vocab[one]
    (folder / "vocab.json").write_text(json.dumps(vocab))
    assert causes(ask("vocab/listed-ids", folder)) == found


def test_pieces_of_the_other_side_are_decoded_as_the_class_does(
    tmp_path: Path, processes: None
) -> None:
    folder = translator(tmp_path / "model", ("eng_Latn", "deu_Latn"), ("en", "de"))
    report = tokaudit.audit(folder, select=["agreement/decoder"])
    assert [str(each.status) for each in report.results] == ["passed", "passed"]
