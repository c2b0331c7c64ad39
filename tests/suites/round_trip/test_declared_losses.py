"""What a tokenizer declares to lose, and words that are too long for it, are shown with texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import class_folders
import pytest
from real_tokenizers import put

import tokaudit
from tokaudit.engine.needs import Traces
from tokaudit.engine.samples import Sample, Samples
from tokaudit.report.model import Finding, Severity, Status
from tokaudit_folders.folder import Folder
from tokaudit_reference.spec import ModelType, Piece, TokenizerSpec, TokenType
from tokaudit_reference.trace import TracedPiece, TracedSegment

Call = Callable[..., list[Any]]


def sample(*sentences: str) -> Samples:
    return Samples((Sample("eng_Latn", "English", "language", "", "", sentences),))


class Given:
    """Gives the model every text whole."""

    def trace(self, text: str) -> list[TracedSegment]:
        piece = TracedPiece(text, (0, len(text)), (), ())
        return [TracedSegment(text, (0, len(text)), None, text, (piece,))]


def words(cap: int = 100) -> TokenizerSpec:
    """The letters a and b, at the beginning of a word and within one."""
    pieces = {0: Piece(TokenType.UNKNOWN, "[UNK]")}
    pieces |= {1 + n: Piece(TokenType.ORDINARY, c) for n, c in enumerate("ab")}
    pieces |= {3 + n: Piece(TokenType.CONTINUATION, c) for n, c in enumerate("ab")}
    return TokenizerSpec(
        ModelType.WORDPIECE,
        pieces,
        unk_id=0,
        continuing_subword_prefix="##",
        max_input_chars_per_word=cap,
        format="tokenizer.json",
        files=("tokenizer.json",),
    )


def test_the_cap_of_words_is_information_with_a_word_that_it_loses(call: Call) -> None:
    [found] = call("vocab/word-length", words(), sample("ab ab"), Traces(Given()))
    assert (found.severity, found.evidence[0].text) == (Severity.INFO, "a" * 101)
    assert found.places[0].pointer == "/model/max_input_chars_per_word"


def test_a_cap_below_a_word_that_is_written_is_a_warning(call: Call) -> None:
    [found] = call("vocab/word-length", words(4), sample("ab ababab abc"), Traces(Given()))
    assert (found.severity, found.evidence[0].text) == (Severity.WARNING, "ababab")


def test_a_word_that_the_vocabulary_cannot_spell_is_not_lost_by_the_cap(call: Call) -> None:
    [found] = call("vocab/word-length", words(4), sample("abcabc"), Traces(Given()))
    assert found.severity is Severity.INFO


def test_a_default_sentencepiece_model_says_which_texts_are_one(
    tmp_path: Path, processes: None
) -> None:
    put(tmp_path / "m" / "tokenizer.model", class_folders.model())
    result = tokaudit.run_check("round_trip/declared-loss", tmp_path / "m", tier="quick")
    [found] = result.findings
    assert found.severity is Severity.INFO
    assert "runs of spaces ('a  b' is read as 'a b')" in found.message
    assert "69 characters of ASCII ('0', '1'" in found.message
    shown = [each.text for each in found.evidence if each.text]
    assert shown == ["a  b", "a ", "a\nb", "a\tb", "a\uff21"]


def test_a_tokenizer_of_bytes_declares_no_loss(folder: Path, processes: None) -> None:
    result = tokaudit.run_check("round_trip/declared-loss", folder, tier="quick")
    assert result.status is Status.NOT_APPLICABLE


def test_the_path_of_the_training_text_is_told(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("\n".join(class_folders.CORPUS))
    class_folders.SentencePieceTrainer.train(
        input=str(corpus),
        model_prefix=str(tmp_path / "own"),
        vocab_size=60,
        hard_vocab_limit=False,
        minloglevel=2,
    )
    (tmp_path / "m").mkdir()
    (tmp_path / "own.model").rename(tmp_path / "m" / "tokenizer.model")
    [found] = tokaudit.run_check("files/training-path", tmp_path / "m").findings
    assert f"input is {str(corpus)!r}" in found.message
    assert [place.value for place in found.places] == [str(corpus), str(tmp_path / "own")]


def test_a_model_without_a_path_only_says_how_it_was_trained(tmp_path: Path) -> None:
    put(tmp_path / "m" / "tokenizer.model", class_folders.model())
    [found] = tokaudit.run_check("files/training-path", tmp_path / "m").findings
    assert (found.severity, found.cause) == (Severity.INFO, "settings")
    assert found.evidence[0].facts["vocab_size"] == "57"


def gguf(folder: Path, **keys: Any) -> list[Finding]:
    from tokaudit_folders import gguf_files as g

    tokens = [*(f"{n}" for n in range(11)), ",", "<|end|>", "<fim>"]
    ends = {"eos_token_id": (g.U32, 12), "bos_token_id": (g.U32, 12)}
    stated = {"pre": (g.TEXT, "gpt-2"), **ends, **keys}
    made = g.tokenizer(
        "gpt2",
        tokens,
        token_type=(g.I32, [1] * 12 + [3, 1]),
        merges=(g.TEXT, ["1 0"]),
        **{key: value for key, value in stated.items() if value},
    )
    put(folder / "g" / "model.gguf", g.gguf(made))
    return list(tokaudit.run_check("special_tokens/gguf-ends", folder / "g").findings)


@pytest.mark.parametrize(
    ("keys", "severity", "said"),
    [
        ({"bos_token_id": None}, Severity.WARNING, "no bos id: llama.cpp takes 11"),
        ({"eos_token_id": None}, Severity.ERROR, "no eos id: llama.cpp takes 11"),
        (
            {"bos_token_id": None, "eos_token_id": None, "pre": (8, "glm4")},
            Severity.ERROR,
            "no eos id: llama.cpp takes 11",
        ),
        (
            {"bos_token_id": None, "add_bos_token": (7, True)},
            Severity.ERROR,
            "ordinary token ',' here, and every prompt gets it",
        ),
        ({"fim_pre_token_id": (4, 32007)}, Severity.WARNING, "the tokenizer's ids go from 0 to 13"),
        ({"fim_suf_token_id": (4, 5)}, Severity.WARNING, "that is the ordinary token '5'"),
    ],
)
def test_an_id_that_a_gguf_file_leaves_open_or_copies_is_told(
    tmp_path: Path, keys: dict[str, Any], severity: Severity, said: str
) -> None:
    [found] = gguf(tmp_path, **keys)
    assert found.severity is severity and said in found.message


def test_a_gguf_file_that_states_its_own_ids_is_silent(tmp_path: Path) -> None:
    assert gguf(tmp_path, fim_pre_token_id=(4, 13)) == []


def test_a_gguf_file_with_the_split_of_another_tokenizer_is_told_where_no_token_shows_it(
    tmp_path: Path,
    processes: None,
) -> None:
    from tokaudit_folders import gguf_files as g

    level = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}
    vocab = {c: n for n, c in enumerate([*sorted(class_folders.BYTE_OF), "th"])}
    stages = {"added_tokens": [], "pre_tokenizer": level, "decoder": level}
    Folder.bpe(vocab, ["t h"]).changed(**stages).write(tmp_path / "m")
    said = {}
    for name in ("gpt-2", "llama-bpe"):
        keys = g.tokenizer("gpt2", list(vocab), pre=(g.TEXT, name), merges=(g.TEXT, ["t h"]))
        put(tmp_path / "m" / "model.gguf", g.gguf(keys))
        result = tokaudit.run_check("pipeline/split-name", tmp_path / "m", tier="quick")
        said[name] = [(f.severity, f.cause) for f in result.findings]
    assert said == {"gpt-2": [], "llama-bpe": [(Severity.WARNING, "another")]}


@pytest.mark.parametrize(
    ("behavior", "pattern", "causes"),
    [
        ("Isolated", "\\w+", []),
        ("Removed", "\\s+", []),
        ("Removed", "\\w+", ["dropped"]),
        ("Removed", "[0-9]+", ["dropped"]),
    ],
)
def test_a_cut_that_throws_letters_or_digits_away_is_an_error(
    tmp_path: Path, behavior: str, pattern: str, causes: list[str], processes: None
) -> None:
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": behavior, "invert": False}
    Folder.bpe("?on", unk_token="?").changed(pre_tokenizer=split).write(tmp_path)
    result = tokaudit.run_check("round_trip/vanishes", tmp_path, tier="quick")
    assert [each.cause for each in result.findings] == causes


@pytest.mark.parametrize(
    ("model", "severity"),
    [("CLIPTextModel", "info"), ("GPT2LMHeadModel", "warning"), ("", "warning")],
)
def test_a_clean_up_matters_little_where_nobody_decodes(
    folder: Path, sick: ModuleType, model: str, severity: str
) -> None:
    named = {"architectures": [model]} if model else {}
    sick.edit(folder, "config.json", lambda config: config.pop("architectures", None))
    sick.edit(folder, "config.json", lambda config: config.update(named))
    flag = {"clean_up_tokenization_spaces": True}
    sick.edit(folder, "tokenizer_config.json", lambda config: config.update(flag))
    (found,) = tokaudit.run_check("round_trip/clean-up", folder).findings
    assert str(found.severity) == severity
