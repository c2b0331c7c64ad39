"""What `chat`, `trace` and `train` do on the command line, a program does by a function."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import tokaudit
from tokaudit.report.recorded import Transcript

CHATML = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
)
HELLO = {"id": "mine", "messages": [{"role": "user", "content": "ab"}]}


@pytest.fixture
def subject(tmp_path: Path) -> Path:
    """A byte-level tokenizer with every byte, one merge, and a chat template."""
    (tmp_path / "corpus.txt").write_text("ab ab ab\n")
    made = tokaudit.train([tmp_path / "corpus.txt"], tmp_path / "model", 257)
    config = {"chat_template": CHATML, "tokenizer_class": "GPT2Tokenizer"}
    (made.path / "tokenizer_config.json").write_text(json.dumps(config))
    return made.path


def test_training_says_what_it_wrote(tmp_path: Path) -> None:
    (tmp_path / "corpus.txt").write_text("ab ab ab\n")
    steps: list[str] = []
    made = tokaudit.train(
        [tmp_path / "corpus.txt"],
        tmp_path / "model",
        300,
        special=["<|end|>"],
        on_step=lambda what, done, total: steps.append(what),
    )
    assert (made.path, made.asked) == (tmp_path / "model", 300)
    assert "tokenizer.json" in {each.name for each in made.path.iterdir()}
    assert set(steps) == {"reading", "merging"}
    assert made.entries == 256 + 1 + 2


def test_choices_of_a_training_that_are_invalid_are_refused_before_the_corpus_is_read(
    tmp_path: Path,
) -> None:
    with pytest.raises(tokaudit.UsageError, match="pattern has no meaning for --model unigram"):
        tokaudit.train(["absent.txt"], tmp_path / "m", 300, model="unigram", pattern="gpt2")
    with pytest.raises(tokaudit.UsageError, match="vocab_size 0: is not a number from 1 to"):
        tokaudit.train(["absent.txt"], tmp_path / "m", 0)
    assert list(tmp_path.iterdir()) == []


def test_the_stages_of_a_text_are_typed(subject: Path, processes: None) -> None:
    [segment] = tokaudit.trace(subject, "ab")
    assert (segment.text, segment.offsets, segment.added_id) == ("ab", (0, 2), None)
    [piece] = segment.pieces
    assert [(merge.left, merge.right) for merge in piece.merges] == [("a", "b")]
    assert [(token.token, token.offsets) for token in piece.tokens] == [("ab", (0, 2))]


def test_a_format_that_the_subject_has_not_is_refused(subject: Path) -> None:
    with pytest.raises(tokaudit.UsageError, match="has no file of the format 'gguf'"):
        tokaudit.trace(subject, "ab", format="gguf")


def test_conversations_of_a_file_are_transcripts(
    subject: Path, tmp_path: Path, processes: None
) -> None:
    chats = tmp_path / "chats.jsonl"
    chats.write_text(json.dumps(HELLO) + "\n")
    [found] = tokaudit.chat(subject, conversations=chats)
    assert isinstance(found, Transcript)
    assert (found.conversation, found.refused) == ("mine", "")
    assert found.text == "<|im_start|>user\nab<|im_end|>\n"
    assert "user" in {token.role for token in found.tokens}


def test_a_subject_without_a_template_has_no_conversations(subject: Path) -> None:
    (subject / "tokenizer_config.json").write_text("{}")
    with pytest.raises(tokaudit.UnreadableError, match="the tokenizer has no chat template"):
        tokaudit.chat(subject)
