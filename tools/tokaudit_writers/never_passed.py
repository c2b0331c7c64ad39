"""Prints what is said of ids that another tokenizer wrote, at each size, with ends and without.

    python -m tokaudit_tools never-passed MATERIAL [--ids 100000 1000000] [--tiers quick default]
        [--pairs gpt2:roberta-base] [--shards 200]

MATERIAL has folders of tokenizers with a tokenizer.json.  Documents are distinct, and drawn from
the lines of installed packages.  Of a pair the first reads what the second writes, and then what it
wrote itself, and `random` writes ids that are drawn.  Right is: another's ids never pass unless
they are the same, its own always do, and one wrong shard is named.
"""

from __future__ import annotations

import argparse
import random
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import tokaudit
from tokaudit.report.report import Report
from tokaudit_tools.tables import head, row

if TYPE_CHECKING:
    from tokenizers import Tokenizer

PAIRS = (
    "gpt2:roberta-base",
    "roberta-base:gpt2",
    "mistral-7b-v0.1:phi-3-mini",
    "phi-2:modernbert-base",
    "bert-base-uncased:gpt2",
    "modernbert-base:mpt",
    "clip-base:gpt2",
    "gpt2:random",
)
MOST_LINES = 300_000
LINES = (3, 60)  # of a document
AT_ONCE = 500
RANDOM = "random"
READ = {".py", ".md", ".txt", ".rst"}
IDS_OF_A_SHARD = 20_000


def main() -> int:
    """Print a line for each run; 1 if one is not right."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("material", type=Path)
    parser.add_argument("--ids", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--tiers", nargs="+", default=["quick", "default"])
    parser.add_argument("--pairs", nargs="*", default=list(PAIRS))
    parser.add_argument("--shards", type=int, default=200)
    given = parser.parse_args()
    lines = sorted(_lines())
    print(head("read by", "written by", "ids", "ends", "tier", "verdict", "s"))
    wrong = 0
    for pair in given.pairs:
        for ids in given.ids:
            wrong += _of_pair(given, lines, *pair.split(":"), ids)
    if given.shards:
        wrong += _of_shards(given, lines, *given.pairs[0].split(":"))
    print(f"\n{wrong} not right")
    return 1 if wrong else 0


def _lines() -> Iterator[str]:
    """Lines of the files of Python's library and of installed packages, each once."""
    found: set[str] = set()
    for root in ("stdlib", "purelib"):
        for file in sorted(Path(sysconfig.get_path(root)).rglob("*")):
            if len(found) > MOST_LINES:
                break
            if file.suffix in READ and file.is_file():
                found |= {x for x in file.read_text("utf-8", "ignore").splitlines() if len(x) > 20}
    yield from found


def _of_pair(
    given: argparse.Namespace, lines: Sequence[str], reader: str, writer: str, ids: int
) -> int:
    wrong = 0
    for ends in (True, False):
        own = written(given.material, reader, lines, ids, ends=ends)
        other = _drawn(own) if writer == RANDOM else None
        if other is None:
            other = written(given.material, writer, lines, ids, ends=ends)
        for name, found in ((writer, other), (reader, own)):
            passes = found.tolist() == own.tolist()
            with TemporaryDirectory() as folder:
                found.tofile(f"{folder}/ids.bin")
                for tier in given.tiers:
                    report, seconds = _examined(folder, given.material / reader, tier)
                    right = (report.verdict == "pass") is passes
                    wrong += not right
                    cells = (reader, name, f"{ids:,}", ends, tier, report.verdict, f"{seconds:.0f}")
                    print("|", " | ".join(map(str, cells)), "|", "" if right else "NOT RIGHT")
                    _why("" if right else report)
    return wrong


def _drawn(own: Any) -> Any:
    """As many ids as these, drawn among the same."""
    import numpy as np

    drawn = np.random.default_rng(len(own)).integers(0, int(own.max()) + 1, len(own))
    return drawn.astype(own.dtype)


def _why(report: Report | str) -> None:
    """What made a verdict that is not right."""
    if isinstance(report, Report):
        said = [each.message for each in report.findings if each.severity == "error"]
        said += [f"{each.check}: {each.reason}" for each in report.results if each.reason]
        print("\n".join(each[:300] for each in said))
    sys.stdout.flush()


def _examined(folder: str, tokenizer: Path, tier: str) -> tuple[Report, float]:
    start = time.perf_counter()
    report = tokaudit.data(folder, tokenizer, tier=tier, dtype=_kind(tokenizer))
    return report, time.perf_counter() - start


def _kind(tokenizer: Path) -> str:
    return "uint16" if _library(tokenizer).get_vocab_size() < 1 << 16 else "uint32"


def _library(folder: Path) -> Tokenizer:
    from tokenizers import Tokenizer

    found = Tokenizer.from_file(str(folder / "tokenizer.json"))
    found.no_truncation()
    found.no_padding()
    return found


def _end(library: Tokenizer) -> int:
    added = {token.content: id for id, token in library.get_added_tokens_decoder().items()}
    return next(added[name] for name in ("<|endoftext|>", "</s>", "[SEP]") if name in added)


def written(material: Path, name: str, lines: Sequence[str], count: int, *, ends: bool) -> Any:
    """About so many ids of distinct documents, which are the same for every writer."""
    import numpy as np

    library = _library(material / name)
    kind = "<u2" if library.get_vocab_size() < 1 << 16 else "<u4"
    last = [_end(library)] if ends else []
    found: list[Any] = []
    held, draw = 0, random.Random(f"{count} {ends}")
    while held < count:
        texts = ["\n".join(draw.choices(lines, k=draw.randint(*LINES))) for _ in range(AT_ONCE)]
        for one in library.encode_batch(texts, add_special_tokens=False):
            found.append(np.array([*one.ids, *last], kind))
            held += len(found[-1])
            if held >= count:
                break
    joined = np.concatenate(found)
    return joined if ends else joined[:count]


def _shard_faults(other: Any, size: int) -> dict[str, Callable[[Any], Any]]:
    import numpy as np

    return {
        "another tokenizer": lambda _: other,
        "shuffled": lambda ids: np.random.default_rng(1).permutation(ids),
        "plus one": lambda ids: ((ids.astype("i8") + 1) % size).astype(ids.dtype),
        "cut at its end": lambda ids: ids[: len(ids) - 37],
        "sound": lambda ids: ids,
    }


def _of_shards(given: argparse.Namespace, lines: Sequence[str], reader: str, writer: str) -> int:
    """One of many shards is wrong in each way."""
    import numpy as np

    library = _library(given.material / reader)
    total = given.shards * IDS_OF_A_SHARD
    ids = written(given.material, reader, lines, total, ends=True)
    other = written(given.material, writer, lines, IDS_OF_A_SHARD, ends=True)
    stops = np.flatnonzero(ids == _end(library)) + 1
    wanted = np.arange(1, given.shards) * IDS_OF_A_SHARD
    shards = np.split(ids, stops[np.searchsorted(stops, wanted)])
    bad, wrong = given.shards // 3, 0
    for fault, change in _shard_faults(other, library.get_vocab_size() - 1).items():
        with TemporaryDirectory() as folder:
            for at, shard in enumerate(shards):
                (change(shard) if at == bad else shard).tofile(f"{folder}/{at:05}.bin")
            for tier in given.tiers:
                report, seconds = _examined(folder, given.material / reader, tier)
                errors = [each.message for each in report.findings if each.severity == "error"]
                named = any(f"{bad:05}.bin" in each for each in errors)
                right = (report.verdict == "fail" and named) is (fault != "sound")
                wrong += not right
                cells = (reader, f"one shard {fault}", f"{total:,}", True, tier, report.verdict)
                print(row(*cells, f"{seconds:.0f}"), flush=True)
                _why("" if right else report)
    return wrong
