"""What `tokaudit train` writes loads everywhere and passes the audit."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import tokaudit
from tokaudit_reference.text.published_patterns import PATTERNS

SPECIAL = ("--special", "<|endoftext|>", "--special", "<|pad|>", "--skip-audit")
FILES = {
    "bpe": {"vocab.json", "merges.txt"},
    "wordpiece": {"vocab.txt"},
    "unigram": set(),
}
ALWAYS = {
    "training_recipe.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few modules of Python's own library, each a document."""
    names = ("textwrap", "bisect", "colorsys", "sched", "this")
    library = Path(os.__file__).parent
    text = "<|endoftext|>".join((library / f"{name}.py").read_text() for name in names)
    file = tmp_path_factory.mktemp("corpus") / "library.txt"
    file.write_text(text + "naïve café, 東京タワー 🙂\r\n", encoding="utf-8", newline="")
    return file


@pytest.fixture(scope="module", params=FILES)
def trained(request, corpus, tokaudit_in_fork, tmp_path_factory):  # type: ignore[no-untyped-def]
    """A folder trained by each algorithm, and what the command said."""
    out = tmp_path_factory.mktemp(request.param) / "tokenizer"
    done = tokaudit_in_fork(
        *("train", corpus, "--vocab-size", 420, "--model", request.param, "--out", out), *SPECIAL
    )
    return request.param, out, done


def test_it_writes_a_folder_and_nothing_on_stdout(trained) -> None:  # type: ignore[no-untyped-def]
    model, out, done = trained
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith(f"{out}: 420 entries\n")
    assert {path.name for path in out.iterdir()} == FILES[model] | ALWAYS
    assert list(out.parent.iterdir()) == [out]


def test_the_audit_passes_it_without_error_or_warning(trained, tokaudit_in_fork) -> None:  # type: ignore[no-untyped-def]
    _, out, _ = trained
    done = tokaudit_in_fork(
        *("audit", out, "--tier", "quick", "--quiet", "--format", "json"),
        *("--ignore", "throughput", "--ignore", "fertility"),  # these measure, and take longest
    )
    assert (done.returncode, done.stderr) == (0, "")
    report = json.loads(done.stdout)
    severities = {f["severity"] for result in report["results"] for f in result["findings"]}
    assert report["verdict"] == "pass"
    assert severities <= {"info"}


def test_the_library_loads_it_and_its_special_tokens_stay_whole(trained) -> None:  # type: ignore[no-untyped-def]
    from tokenizers import Tokenizer

    _, out, _ = trained
    upstream = Tokenizer.from_file(str(out / "tokenizer.json"))
    config = json.loads((out / "tokenizer_config.json").read_text())
    end, pad = (upstream.token_to_id(token) for token in ("<|endoftext|>", "<|pad|>"))
    assert upstream.get_vocab_size() == 420
    assert upstream.encode("<|endoftext|><|pad|>").ids == [end, pad]
    assert (config["eos_token"], config["pad_token"]) == ("<|endoftext|>", "<|pad|>")
    assert config["added_tokens_decoder"][str(end)]["special"] is True


def test_no_learned_piece_holds_a_part_of_a_special_token_s_border(trained) -> None:  # type: ignore[no-untyped-def]
    _, out, _ = trained
    model = json.loads((out / "tokenizer.json").read_text())["model"]["vocab"]
    pieces = [entry if isinstance(entry, str) else entry[0] for entry in model]
    learned = [piece for piece in pieces if piece not in ("<|endoftext|>", "<|pad|>")]
    assert not any("<|" in piece or "endof" in piece for piece in learned)


def test_training_again_writes_the_same_bytes(trained, corpus, tokaudit_in_fork, tmp_path) -> None:  # type: ignore[no-untyped-def]
    model, out, _ = trained
    again = tmp_path / "again"
    arguments = ("train", corpus, "--vocab-size", 420, "--model", model, "--out", again)
    assert tokaudit_in_fork(*arguments, *SPECIAL, "--quiet").stderr == ""
    for name in FILES[model] | ALWAYS:
        assert (again / name).read_bytes() == (out / name).read_bytes()


@pytest.fixture(scope="module")
def byte_level(corpus, tokaudit_in_fork, tmp_path_factory):  # type: ignore[no-untyped-def]
    """Trains a byte-level BPE with more options, once for each set of them."""

    def train(*more: str) -> Path:
        out = tmp_path_factory.mktemp("bpe") / "tokenizer"
        done = tokaudit_in_fork("train", corpus, "--vocab-size", 420, "--out", out, *SPECIAL, *more)
        assert done.returncode == 0 and done.stderr.startswith(f"{out}: 420 entries\n")
        return out

    return train


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_merges_are_those_of_the_library_s_trainer_with_the_same_stages(
    byte_level,  # type: ignore[no-untyped-def]
    corpus: Path,
    pattern: str,
) -> None:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    out = byte_level("--pattern", pattern)
    ours = json.loads((out / "tokenizer.json").read_text())
    upstream = Tokenizer.from_file(str(out / "tokenizer.json"))
    upstream.model = models.BPE()
    trainer = trainers.BpeTrainer(
        vocab_size=418,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    documents = corpus.read_bytes().decode().split("<|endoftext|>")
    upstream.train_from_iterator(documents, trainer)
    theirs = json.loads(upstream.to_str())["model"]
    assert len(ours["model"]["merges"]) == 418 - 256
    assert ours["model"]["merges"] == theirs["merges"]


def test_tiktoken_s_loader_for_gpt_2_s_files_takes_it_with_the_same_ids(byte_level, corpus) -> None:  # type: ignore[no-untyped-def]
    import tiktoken
    from tiktoken.load import data_gym_to_mergeable_bpe_ranks
    from tokenizers import Tokenizer

    out = byte_level("--pattern", "llama3")
    ranks = data_gym_to_mergeable_bpe_ranks(str(out / "merges.txt"), str(out / "vocab.json"))
    special = {"<|endoftext|>": 418, "<|pad|>": 419}
    [pattern] = PATTERNS["llama3"]
    theirs = tiktoken.Encoding(
        "ours", pat_str=pattern, mergeable_ranks=ranks, special_tokens=special
    )
    upstream = Tokenizer.from_file(str(out / "tokenizer.json"))
    text = corpus.read_bytes().decode()
    ids = theirs.encode(text, allowed_special="all")
    assert ids == upstream.encode(text).ids
    assert 418 in ids
    assert upstream.decode(ids, skip_special_tokens=False) == text


def test_the_roles_of_other_tokens_can_be_stated(byte_level) -> None:  # type: ignore[no-untyped-def]
    out = byte_level("--role", "bos=<|endoftext|>", "--role", "pad=<|pad|>")
    stated = json.loads((out / "special_tokens_map.json").read_text())
    assert stated == {"bos_token": "<|endoftext|>", "pad_token": "<|pad|>"}


@pytest.mark.parametrize("rule", ["lowest_id", "lexicographic_max", "first_seen"])
def test_the_rule_for_ties_decides_between_equal_pairs(
    tokaudit_in_fork,  # type: ignore[no-untyped-def]
    tmp_path: Path,
    rule: str,
) -> None:
    (tmp_path / "c").write_text("yx ab yx ab ")
    out = tmp_path / "out"
    arguments = (
        "--vocab-size",
        257,
        "--pattern",
        r"\S+|\s+",
        "--tie-break",
        rule,
        "--out",
        out,
        "--skip-audit",
    )
    assert tokaudit_in_fork("train", tmp_path / "c", *arguments).returncode == 0
    [merge] = (out / "merges.txt").read_text().splitlines()[1:]
    assert merge == {"lowest_id": "a b", "lexicographic_max": "y x", "first_seen": "y x"}[rule]


def test_a_rare_pair_is_not_merged_and_the_shortfall_is_said(tokaudit_in_fork, tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "c").write_text("aa aa bc")
    arguments = (
        "--vocab-size",
        300,
        "--min-frequency",
        2,
        "--out",
        tmp_path / "out",
        "--skip-audit",
    )
    done = tokaudit_in_fork("train", tmp_path / "c", *arguments)
    assert done.returncode == 0
    assert "257 entries (43 fewer than asked: nothing is left to merge)" in done.stderr


def test_reserved_tokens_come_last_and_the_size_is_rounded_up(
    tokaudit_in_fork, corpus, tmp_path
) -> None:  # type: ignore[no-untyped-def]
    choices = ("--vocab-size", "300", "--reserved", "2", "--multiple", "64")
    special = ("--special", "<|endoftext|>", "--skip-audit")
    done = tokaudit_in_fork("train", str(corpus), *choices, *special, "--out", str(tmp_path / "o"))
    assert done.returncode == 0
    content = json.loads((tmp_path / "o" / "tokenizer.json").read_text())
    added = {each["content"]: each["id"] for each in content["added_tokens"]}
    assert added == {"<|endoftext|>": 317, "<|reserved_0|>": 318, "<|reserved_1|>": 319}


def test_a_recipe_with_reserved_tokens_and_a_multiple_gives_the_same_bytes(
    corpus, tmp_path
) -> None:  # type: ignore[no-untyped-def]
    first, again = tmp_path / "first", tmp_path / "again"
    tokaudit.train([corpus], first, 300, reserved=2, multiple=64, jobs=2)
    tokaudit.retrain(first, again)
    names = sorted(file.name for file in first.iterdir())
    assert [(again / name).read_bytes() for name in names] == [
        (first / name).read_bytes() for name in names
    ]
