"""Whose merges they are: four trainers over one corpus, and what explains a difference."""

from __future__ import annotations

import base64
import json
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
import regex
import rustbpe
import sentencepiece
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

import tokaudit
from tokaudit.products.train import reproducing
from tokaudit.products.train.trainers.byte_level import spelled, vocab_of
from tokaudit_reference.text.published_patterns import GPT2

pytestmark = pytest.mark.usefixtures("processes")
SIZE = 330
PAPER = {"low": 5, "lower": 2, "newest": 6, "widest": 3}  # of the first paper on subword BPE


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two files of made-up words, so that many pairs are equally frequent."""
    drawn = Random(3)
    words = ["".join(drawn.choices("etaoinshrdlu", k=drawn.randint(2, 9))) for _ in range(150)]
    files = [tmp_path_factory.mktemp("corpus") / name for name in ("a.txt", "b.txt")]
    for file in files:
        file.write_text("".join(" ".join(drawn.choices(words, k=9)) + "\n" for _ in range(60)))
    return files


def test_another_corpus_is_said_from_parts_of_it_and_counted_once(
    corpus: list[Path], tmp_path: Path
) -> None:
    tokaudit.train(corpus, tmp_path / "right", SIZE, pattern="gpt2")
    (tmp_path / "wrong.txt").write_text("zzz yyy\n" * 50_000)
    steps: list[str] = []
    found = tokaudit.reproduce(
        tmp_path / "right", [tmp_path / "wrong.txt"], on_step=lambda step, *_: steps.append(step)
    )
    [said] = [step for step in steps if "merges agree" in step]
    other = (
        "probably another text, where 'z' + 'z' is more frequent than ' ' + 'n' in each of 30 parts"
    )
    assert said.startswith(f"{other}; 0 of 74 merges agree in them; trying: ")
    assert [each.not_tried for each in found.attempts[:3]] == ["", other, other]


def test_parts_of_the_right_corpus_raise_no_doubt(corpus: list[Path], tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("".join(file.read_text() for file in corpus) * 60)
    tokaudit.train([tmp_path / "long.txt"], tmp_path / "right", SIZE, pattern="gpt2")
    steps: list[str] = []
    found = tokaudit.reproduce(
        tmp_path / "right", [tmp_path / "long.txt"], on_step=lambda step, *_: steps.append(step)
    )
    assert found.ok
    assert "merges agree in 30 parts of the corpus; trying: " in "".join(steps)
    assert "another" not in "".join(steps)


def merged(chunk: list[bytes], pair: tuple[bytes, bytes]) -> list[bytes]:
    found: list[bytes] = []
    for each in chunk:
        if found and (found[-1], each) == pair:
            found[-1:] = [found[-1] + each, b""]  # an empty part, so that it is not merged again
        else:
            found.append(each)
    return [each for each in found if each]


def by_minbpe(texts: list[str], merges: int) -> list[tuple[bytes, bytes]]:
    """The merges of minbpe, in its own words: of the most frequent the first that is counted."""
    chunks = [[bytes([b]) for b in c.encode()] for text in texts for c in regex.findall(GPT2, text)]
    found = []
    for _ in range(merges):
        counts: dict[tuple[bytes, bytes], int] = {}
        for chunk in chunks:
            for pair in pairwise(chunk):
                counts[pair] = counts.get(pair, 0) + 1
        best = max(counts, key=lambda pair: counts[pair])
        chunks = [merged(chunk, best) for chunk in chunks]
        found.append(best)
    return found


def by_cs336(words: dict[str, int], merges: int) -> list[tuple[bytes, bytes]]:
    """The merges as the first assignment of CS336 asks: of the most frequent the greatest pair."""
    spelt = {word: [bytes([b]) for b in word.encode()] for word in words}
    found = []
    for _ in range(merges):
        counts: dict[tuple[bytes, bytes], int] = {}
        for word, parts in spelt.items():
            for pair in pairwise(parts):
                counts[pair] = counts.get(pair, 0) + words[word]
        best = max(counts, key=lambda pair: (counts[pair], pair))
        spelt = {word: merged(parts, best) for word, parts in spelt.items()}
        found.append(best)
    return found


def folder_of(merges: list[tuple[bytes, bytes]], folder: Path) -> Path:
    """A folder with these merges, and GPT-2's stages."""
    (folder.parent / "x.txt").write_text("x")
    tokaudit.train([folder.parent / "x.txt"], folder, 256)
    file = folder / "tokenizer.json"
    content = json.loads(file.read_text())
    pairs = spelled(merges)
    content["model"] |= {"merges": [list(pair) for pair in pairs], "vocab": vocab_of(pairs)}
    for other in (*folder.glob("*.txt"), folder / "vocab.json", folder / "training_recipe.json"):
        other.unlink()
    file.write_text(json.dumps(content))
    return folder


def test_the_trainer_of_tokenizers_is_recognised(corpus: list[Path], tmp_path: Path) -> None:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=SIZE, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train([str(file) for file in corpus], trainer)
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    found = tokaudit.reproduce(tmp_path, corpus)
    assert found.ok and "tokenizers" in found.trainers and "minbpe" not in found.trainers


def test_the_trainer_of_sentencepiece_is_recognised(corpus: list[Path], tmp_path: Path) -> None:
    sentencepiece.SentencePieceTrainer.train(
        input=[str(file) for file in corpus],
        model_prefix=str(tmp_path / "tokenizer"),
        model_type="bpe",
        vocab_size=120,
        minloglevel=2,
    )
    found = tokaudit.reproduce(tmp_path, corpus)
    assert found.ok and found.trainers == ("SentencePiece",)


def ranks_by_rustbpe(corpus: list[Path], file: Path) -> Path:
    tokenizer = rustbpe.Tokenizer()
    tokenizer.train_from_iterator((each.read_text() for each in corpus), SIZE, pattern=GPT2)
    ranks = tokenizer.get_mergeable_ranks()
    lines = (f"{base64.b64encode(bytes(token)).decode()} {rank}\n" for token, rank in ranks)
    file.write_text("".join(lines))
    return file


def test_the_ranks_of_rustbpe_are_recognised_with_their_pattern(
    corpus: list[Path], tmp_path: Path
) -> None:
    ranks = ranks_by_rustbpe(corpus, tmp_path / "mine.tiktoken")
    found = tokaudit.reproduce(ranks, corpus, pattern="gpt2")
    assert found.ok and "rustbpe" in found.trainers
    assert found.merges == SIZE - 256


def test_the_merges_of_minbpe_are_recognised_and_no_other_trainer_gives_them(
    corpus: list[Path], tmp_path: Path
) -> None:
    merges = by_minbpe([file.read_text() for file in corpus], SIZE - 256)
    found = tokaudit.reproduce(folder_of(merges, tmp_path / "made"), corpus)
    assert found.ok and found.trainers == ("minbpe",)


def test_our_own_folder_is_recognised(corpus: list[Path], tmp_path: Path) -> None:
    tokaudit.train(corpus, tmp_path / "made", SIZE)
    assert tokaudit.reproduce(tmp_path / "made", corpus).ok


def test_our_own_folder_of_characters_and_bytes_is_recognised(
    corpus: list[Path], tmp_path: Path
) -> None:
    tokaudit.train(corpus, tmp_path / "made", SIZE, alphabet="characters", coverage=0.95)
    found = tokaudit.reproduce(tmp_path / "made", corpus)
    assert found.ok and found.merges > 20


def test_the_rule_of_cs336_is_named_on_the_words_of_the_first_paper_with_the_first_merge(
    tmp_path: Path,
) -> None:
    merges = by_cs336(PAPER, 6)
    assert merges[:3] == [(b"s", b"t"), (b"e", b"st"), (b"o", b"w")]
    text = "\n".join(word for word, count in PAPER.items() for _ in range(count))
    (tmp_path / "paper.txt").write_text(text + "\n")
    found = tokaudit.reproduce(folder_of(merges, tmp_path / "made"), [tmp_path / "paper.txt"])
    assert found.ok and found.trainers == ("the assignment of CS336",)
    first = found.plain.first
    assert first is not None and first.number == 1
    assert (first.given, first.given_count) == ((b"s", b"t"), 9)
    assert (first.learned, first.learned_count) == ((b"e", b"s"), 9)


def test_the_example_of_minbpe_is_recognised(tmp_path: Path) -> None:
    merges = by_minbpe(["aaabdaaabac"], 3)
    assert merges == [(b"a", b"a"), (b"aa", b"a"), (b"aaa", b"b")]
    (tmp_path / "c.txt").write_text("aaabdaaabac")
    found = tokaudit.reproduce(folder_of(merges, tmp_path / "made"), [tmp_path / "c.txt"])
    assert found.ok and "minbpe" in found.trainers


def test_a_missing_file_is_named_from_the_recipe_with_the_first_merge(
    corpus: list[Path], tmp_path: Path
) -> None:
    tokaudit.train(corpus, tmp_path / "made", SIZE)
    found = tokaudit.reproduce(tmp_path / "made", corpus[:1])
    first = found.best.first
    assert not found.ok and first is not None and first.number == found.best.agreed + 1
    assert first.given_count < first.learned_count
    assert [each.name for each in found.missing] == [corpus[1].as_posix()]


def test_special_tokens_that_were_text_are_named_for_characters_too(
    corpus: list[Path], tmp_path: Path
) -> None:
    marked = tmp_path / "marked.txt"
    marked.write_text(corpus[0].read_text().replace("\n", " <|end|><|end|> "))
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    special = ["<unk>", "<|end|>"]
    trainer = trainers.BpeTrainer(vocab_size=80, special_tokens=special, show_progress=False)
    tokenizer.train([str(marked)], trainer)
    (tmp_path / "made").mkdir()
    tokenizer.save(str(tmp_path / "made" / "tokenizer.json"))
    found = tokaudit.reproduce(tmp_path / "made", [marked])
    assert found.ok and "special tokens taken for text" in found.best.way
    assert found.plain.first is not None


def test_a_pattern_of_the_user_s_is_tried_and_named(corpus: list[Path], tmp_path: Path) -> None:
    tokaudit.train(corpus, tmp_path / "made", SIZE, pattern=r"\w{1,4}|\W+")
    file = tmp_path / "made" / "tokenizer.json"
    file.write_text(file.read_text().replace(r"\\w{1,4}|\\W+", r"\\w+|\\W+"))
    found = tokaudit.reproduce(tmp_path / "made", corpus, pattern=r"\w{1,4}|\W+")
    assert found.ok and r"split by the pattern of \w{1,4}|\W+" in found.best.way
    assert found.plain.first is not None


def test_the_command_says_the_first_merge_that_needed_an_explanation(
    tmp_path: Path,
    tokaudit_in_fork,  # type: ignore[no-untyped-def]
) -> None:
    (tmp_path / "paper.txt").write_text(
        " ".join(word for word in PAPER for _ in range(PAPER[word]))
    )
    folder = folder_of(by_cs336(PAPER, 2), tmp_path / "made")
    done = tokaudit_in_fork("train", tmp_path / "paper.txt", "--reproduce", folder)
    assert done.returncode == 0
    assert (
        "ties by lowest_id, bytes numbered as GPT-2 does, each file whole: merge 1: " in done.stdout
    )
    assert (
        "the tokenizer has 's' + 't', 9 times here; the corpus gives 'e' + 's', 9 times"
        in done.stdout
    )
    assert "trainer: the assignment of CS336 breaks ties so" in done.stdout


def test_a_wrong_corpus_is_told_by_its_counts_and_no_other_rule_for_ties_is_tried(
    corpus: list[Path], tmp_path: Path, tokaudit_in_fork: Any
) -> None:
    tokaudit.train(corpus, tmp_path / "made", SIZE)
    other = tmp_path / "other.txt"
    other.write_text("".join(f"{word} zebra zoo zz " for word in PAPER for _ in range(PAPER[word])))
    found = tokaudit.reproduce(tmp_path / "made", [other])
    first = found.best.first
    assert first is not None and first.number < 0.05 * found.merges
    assert first.given_count < first.learned_count
    tried = [each for each in found.attempts if not each.not_tried]
    assert len({each.way.partition(",")[0] for each in tried}) == 1
    done = tokaudit_in_fork("train", other, "--reproduce", tmp_path / "made")
    assert done.returncode == 1
    assert "no rule for ties gives that merge: it comes from another text" in done.stdout


def test_documents_in_another_order_are_told_apart_from_another_text(
    corpus: list[Path], tmp_path: Path
) -> None:
    texts = [file.read_text() for file in corpus]
    merges = by_minbpe(texts, 60)
    found = tokaudit.reproduce(folder_of(merges, tmp_path / "made"), corpus[::-1])
    assert not found.ok and found.best.is_tie


def test_a_text_that_is_longer_than_the_limit_is_cut_at_line_ends_or_not_tried(
    corpus: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokaudit.train(corpus, tmp_path / "made", SIZE)
    monkeypatch.setattr(reproducing, "CUT_AT", 200)
    assert tokaudit.reproduce(tmp_path / "made", corpus).ok
    monkeypatch.setattr(reproducing, "LARGEST_DOCUMENT", 20)
    found = tokaudit.reproduce(tmp_path / "made", corpus)
    assert "have no line end to cut at" in found.plain.not_tried
    assert found.ok and "line by line" in found.best.way


def test_a_recipe_holds_the_values_that_were_taken(corpus: list[Path], tmp_path: Path) -> None:
    tokaudit.train(corpus, tmp_path / "made", SIZE)
    kept = json.loads((tmp_path / "made" / "training_recipe.json").read_text())
    settings = kept["predicate"]["settings"]
    shown = {name: settings[name] for name in ("pattern", "tie_break", "alphabet")}
    assert shown == {"pattern": "gpt2", "tie_break": "lowest_id", "alphabet": "bytes"}
    tokaudit.retrain(tmp_path / "made", tmp_path / "again", corpus)
    files = sorted(each.name for each in (tmp_path / "made").iterdir())
    for name in files:
        assert (tmp_path / "made" / name).read_bytes() == (tmp_path / "again" / name).read_bytes()
