"""Defects of how text is normalized, cut and decoded."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tokaudit_faults.healthy import folders as fixtures
from tokaudit_faults.healthy.family import around
from tokaudit_faults.healthy.folders import cut_by, split, words
from tokaudit_faults.healthy.written import Writer, breaks
from tokaudit_folders import sick
from tokaudit_reference.text.published_patterns import CL100K, PATTERNS, QWEN2, SPACES

(GPT2,) = PATTERNS["gpt2"]
UPPER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"
LOWER = r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
CASED = "|".join(
    [
        rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}*{LOWER}+",
        rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}+{LOWER}*",
        r"\p{N}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        SPACES,
    ]
)
STAGES = (r"\p{N}{1,3}", "[一-龥\u3040-ゟ゠-ヿ]+", CL100K)


def cut(folder: Path, *patterns: str) -> None:
    """Give the folder another pre-tokenizer."""
    sick.state(folder, "tokenizer.json", pre_tokenizer=cut_by(*patterns))


def cut_as(*patterns: str) -> Writer:
    """The small folder of cl100k with another pre-tokenizer, as its healthy state."""

    def write(folder: Path) -> None:
        fixtures.cl100k(folder)
        cut(folder, *patterns)

    return write


@breaks(fixtures.cl100k, "pipeline/split-apart", entry="D01", severity="error")
def gpt2_pattern_in_place_of_its_own(folder: Path) -> None:
    cut(folder, GPT2)


@breaks(fixtures.cl100k, "baseline/components", entry="D01", severity="error", base=True)
def gpt2_pattern_since_the_base(folder: Path) -> None:
    cut(folder, GPT2)


@breaks(cut_as(CASED), "baseline/components", entry="D03", severity="error", base=True)
def one_case_pattern_since_the_base(folder: Path) -> None:
    cut(folder, QWEN2)


@breaks(cut_as(*STAGES), "baseline/components", entry="D05", severity="error", base=True)
def one_stage_fewer_since_the_base(folder: Path) -> None:
    cut(folder, *STAGES[1:])


@breaks(fixtures.cl100k, "pipeline/class-rebuild", entry="D07", severity="error")
def class_that_rebuilds_gpt2(folder: Path) -> None:
    sick.state(folder, "tokenizer_config.json", tokenizer_class="GPT2Tokenizer")


@breaks(fixtures.small, "pipeline/byte-components", entry="D08", severity="error")
def model_without_its_steps(folder: Path) -> None:
    stages = ("pre_tokenizer", "decoder", "post_processor")
    sick.edit(folder, "tokenizer.json", lambda t: t.update(dict.fromkeys(stages)))


@breaks(words, "pipeline/rewritten", entry="D10", severity="error")
def cased_words_without_the_switch(folder: Path) -> None:
    sick.edit(folder, "tokenizer_config.json", lambda c: c.pop("do_lower_case"))


def prose_alone(folder: Path) -> None:
    """A SentencePiece model that loses nothing, alone."""
    folder.mkdir(parents=True)
    (folder / "tokenizer.model").write_bytes(fixtures.trained(**fixtures.LLAMA))


@breaks(prose_alone, "round_trip/declared-loss", entry="D11", severity="info")
def default_options_of_sentencepiece(folder: Path) -> None:
    options: dict[str, Any] = {"byte_fallback": False, "vocab_size": 200}
    (folder / "tokenizer.model").write_bytes(fixtures.trained(**options))


@breaks(fixtures.marked, "agreement/merges", "agreement/behaviour", entry="D16", severity="error")
def merge_dropped_in_conversion(folder: Path) -> None:
    sick.edit(folder, "tokenizer.json", lambda t: t["model"]["merges"].pop(30))


@breaks(fixtures.marked, "agreement/merges", "agreement/behaviour", entry="D16", severity="error")
def merges_exchanged_in_conversion(folder: Path) -> None:
    def change(tokenizer: Any) -> None:
        merges = tokenizer["model"]["merges"]
        merges.insert(0, merges.pop())

    sick.edit(folder, "tokenizer.json", change)


@breaks(fixtures.marked, "pipeline/class-rebuild", entry="D18")
def mark_after_every_special_token(folder: Path) -> None:
    sick.edit(
        folder, "tokenizer.json", lambda t: t["pre_tokenizer"].update(prepend_scheme="always")
    )


def accented(folder: Path) -> None:
    """A SentencePiece BPE of text with accents and vowel signs."""
    words = "möchte möchten können könnte schön höher यहाँ यह वहाँ कहाँ हाँ até não são pão mão então "
    fixtures.marked(folder, lines=[words * 3] * 8, vocab_size=360)


@breaks(accented, "pipeline/rewritten", entry="D118")
def accents_stripped(folder: Path) -> None:
    steps = [{"type": "NFD"}, {"type": "StripAccents"}]
    normalizer = {"type": "Sequence", "normalizers": steps}
    sick.state(folder, "tokenizer.json", normalizer=normalizer)


@breaks(fixtures.words, "vocab/word-length", entry="D119", severity="info")
def word_longer_than_the_cap(folder: Path) -> None:
    """Nothing is broken: every WordPiece file has the cap."""


@breaks(fixtures.beginning, "baseline/components", entry="D104", severity="error", base=True)
def special_moved_from_front_to_end(folder: Path) -> None:
    after = around(after=[("<|begin|>", 380)])
    sick.state(folder, "tokenizer.json", post_processor=after)


@breaks(fixtures.small, "round_trip/encodes", "round_trip/survives-runs", entry="D86")
def nested_quantifiers(folder: Path) -> None:
    steps = {"type": "Sequence", "pretokenizers": [split(r"(\w+)+$"), fixtures.LEVEL]}
    sick.state(folder, "tokenizer.json", pre_tokenizer=steps)
