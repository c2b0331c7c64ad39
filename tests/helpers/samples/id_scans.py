"""Scans of ids without a process: the library encodes here, and the checks are asked directly."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

from tokenizers import Tokenizer as Library

from tokaudit.engine.check import all_checks
from tokaudit.engine.evidence import token_names
from tokaudit.engine.resolver import Needs
from tokaudit.foundation.errors import NotApplicable, Skip
from tokaudit.products.data.files.files import IdDescription, files_of
from tokaudit.products.data.files.opening import Corpus, open_data
from tokaudit.products.data.ids.plan import Draw, Expected, Plan
from tokaudit.products.data.shards.carrying_out import Measurer, Way, carry_out
from tokaudit.products.data.shards.job import Job
from tokaudit.products.data.work.roles import expected_of
from tokaudit.products.data.work.scan import DataScan
from tokaudit.report.model import Finding
from tokaudit.runtimes.protocol import DecodeOptions, EncodeOptions, Encoding, TokenizerInfo
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all


class Here:
    """A tokenizer.json, run in this process."""

    capabilities = frozenset({"encode", "decode", "vocab"})
    info = TokenizerInfo("tokenizers", "tokenizers", "here")

    def __init__(self, text: str) -> None:
        self._library = Library.from_str(text)

    def vocab(self) -> dict[int, bytes | str]:
        return {id: token for token, id in self._library.get_vocab().items()}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        self._library.encode_special_tokens = not options.parse_special
        found = self._library.encode_batch(list(texts), add_special_tokens=False)
        return [Encoding(tuple(each.ids)) for each in found]

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        return list(self._library.decode_batch(list(map(list, ids)), skip_special_tokens=False))


@cache
def known(tokenizer: Path) -> tuple[Expected, dict[int, str], Here]:
    """The roles and names of the ids of a folder's tokenizer, and the tokenizer."""
    subject = open_subject(tokenizer)
    spec = parse_all(subject).parsed[0][1]
    here = Here((tokenizer / "tokenizer.json").read_text("utf-8"))
    return expected_of(subject, spec), token_names(spec), here


def scan_of(data: Path, tokenizer: Path, dtype: str = "", share: float = 1.0) -> DataScan:
    """The scan of what a path names, by the tokenizer of a folder."""
    expected, names, here = known(tokenizer)
    given = IdDescription(dtype, expected.size)
    corpus = open_data([data], given)
    files = {file.name: file for file in files_of([data])}
    tallies = carry_out(
        Job("test", Plan(expected, Draw(share)), given),
        {files[shard.info.name]: shard for shard in corpus.shards},
        Way(here=Measurer(here).measure),
    )
    return DataScan(
        {shard.info.name: shard.info for shard in corpus.shards},
        tallies,
        corpus.unreadable,
        corpus.others,
        expected,
        names,
        here,
        share,
    )


def findings(scan: DataScan) -> list[Finding]:
    """What the checks of the suite find, each with its check's id."""
    return list(_found(scan))


def _found(scan: DataScan) -> Iterator[Finding]:
    from dataclasses import replace

    needs = Needs.of((), scan, Corpus((), scan.unreadable, scan.others))
    for check in all_checks():
        if check.suite == "data":
            with suppress(NotApplicable, Skip):
                for each in check.function(**needs.arguments(check.function)):
                    if isinstance(each, Finding):
                        yield replace(each, check=check.id)


def identities(scan: DataScan) -> set[str]:
    """The identities of the findings, without notes."""
    return {each.identity for each in findings(scan) if each.severity != "info"}
