"""Times the BPE trainer next to its competitors, and says whether all learned the same merges.

    python benchmarks/train_bpe.py CORPUS [--vocab-size 32000] [--rounds 5] [--out result.json]

CORPUS is a UTF-8 file of documents joined by `<|endoftext|>`, such as `corpus.py` makes.  Every run
is a fresh process; rounds go through all competitors in turn, and the median comes with the least
and the most.  `count` is what a run with a single merge takes, and `merge` the rest.  `cpu` adds up
what all its processes and threads computed, which says more where the machine has other work.
Memory is the most that a process and its children held at once.  The textbook's trainer stands in
for minbpe's algorithm; it gets the first SMALL bytes and few merges, and so does ours next to it.
Merges are the same if what they make is, in order.  Absolute times depend on the machine; ratios
within one run are what this is for.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from corpus import BOUNDARY

ROUNDS = 5
SMALL, SMALL_MERGES = 1_000_000, 500
Tokens = list[bytes]  # what the merges made, in order


def documents(path: Path) -> Iterator[str]:
    """The documents of the corpus, one after another."""
    held = ""
    with path.open(encoding="utf-8", newline="") as file:
        while block := file.read(1 << 20):
            *whole, held = (held + block).split(BOUNDARY)
            yield from whole
    yield held


def ours(path: Path, merges: int, byte_order: str) -> Tokens:
    """The production trainer, on all cores."""
    from tokaudit_reference.training.bpe_on_files import train_bpe

    _, learned = train_bpe(
        path,
        256 + 1 + merges,
        [BOUNDARY],
        tie_break="lowest_id",
        byte_order=byte_order,  # type: ignore[arg-type]
    )
    return [left + right for left, right in learned]


def hugging_face(path: Path, merges: int) -> Tokens:
    """`tokenizers.trainers.BpeTrainer`, on all cores."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    from tokaudit_reference.text.bytes_alphabet import to_bytes

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=256 + 1 + merges,
        special_tokens=[BOUNDARY],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(documents(path), trainer)
    pairs = json.loads(tokenizer.to_str())["model"]["merges"]
    return [to_bytes(left + right) or b"" for left, right in pairs]


def rustbpe(path: Path, merges: int) -> Tokens:
    """The trainer of the package of that name, with GPT-2's pattern."""
    import rustbpe as package

    from tokaudit_reference.text.published_patterns import GPT2

    tokenizer = package.Tokenizer()
    tokenizer.train_from_iterator(documents(path), vocab_size=256 + merges, pattern=GPT2)
    return [bytes(token) for token, _ in tokenizer.get_mergeable_ranks()][256:]


def textbook(path: Path, merges: int) -> Tokens:
    """The trainer that counts everything anew for each merge."""
    from tokaudit_reference.text.patterns import compiled
    from tokaudit_reference.text.published_patterns import GPT2
    from tokaudit_reference.training.textbook_bpe import train_textbook

    pieces = compiled(GPT2).pieces
    counts = Counter(piece for document in documents(path) for piece in pieces(document))
    values: list[Any] = [bytes([byte]) for byte in range(256)]
    words = ((tuple(piece.encode()), count) for piece, count in counts.items())
    for left, right in train_textbook(words, values, merges):
        values.append(values[left] + values[right])
    return values[256:]


COMPETITORS: dict[str, tuple[Callable[[Path, int], Tokens], bool, str]] = {
    "ours, alphabet order": (lambda path, n: ours(path, n, "alphabet"), False, ""),
    "tokenizers BpeTrainer": (hugging_face, False, "ours, alphabet order"),
    "ours, raw byte order": (lambda path, n: ours(path, n, "raw"), False, ""),
    "rustbpe": (rustbpe, False, "ours, raw byte order"),
    "ours, small": (lambda path, n: ours(path, n, "raw"), True, ""),
    "textbook, small": (textbook, True, "ours, small"),
}


def one(name: str, path: Path, merges: int) -> dict[str, Any]:
    """Train in this process, and tell how long it took."""
    started = time.perf_counter()
    tokens = COMPETITORS[name][0](path, merges)
    seconds = time.perf_counter() - started
    digest = hashlib.sha256(b"\0".join(tokens)).hexdigest()
    return {"seconds": seconds, "cpu": cpu(), "merges": len(tokens), "digest": digest}


def cpu() -> float:
    """The seconds that this process and the children it has waited for have computed."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def run(name: str, path: Path, merges: int) -> dict[str, Any]:
    """Train in its own process, and watch the memory of it and its children."""
    program = [sys.executable, __file__, str(path), "--one", name, "--merges", str(merges)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        watch = _Watch(process.pid)
        watch.start()
        answer, _ = process.communicate()
        watch.join()
    if process.returncode:
        raise SystemExit(f"{name} ended with {process.returncode}")
    return {**json.loads(answer.splitlines()[-1]), "megabytes": watch.most / 1e6}


def in_parts(name: str, path: Path, merges: int) -> dict[str, Any]:
    """A whole run, and how much of its time counting takes: that of a run with a single merge."""
    whole, counted = run(name, path, merges), run(name, path, 1)
    counting = min(counted["seconds"], whole["seconds"])
    return {**whole, "counting": counting, "merging": whole["seconds"] - counting}


class _Watch(threading.Thread):
    """The most resident memory of a process and its children, looked at every 50 ms."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid, self.most = pid, 0

    def run(self) -> None:
        """Look until the process is gone."""
        while (now := sum(map(_resident, [self._pid, *_children(self._pid)]))) > 0:
            self.most = max(self.most, now)
            time.sleep(0.05)


def _children(pid: int) -> list[int]:
    try:
        return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))
    except OSError:
        return []


def _resident(pid: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def table(runs: dict[str, list[dict[str, Any]]]) -> str:
    """A line for each competitor, with its ratio to ours."""
    titles = ("median", "least", "most", "count", "merge", "cpu", "MB")
    columns = "  ".join(f"{title:>6}" for title in titles)
    lines = [f"{'competitor':24}  {columns}  ours / theirs"]
    for name, found in runs.items():
        times = [one["seconds"] for one in found]
        least, most = min(times), max(times)
        line = f"{name:24}  {median(times):6.2f}  {least:6.2f}  {most:6.2f}"
        line += f"  {middle(found, 'counting'):6.2f}  {middle(found, 'merging'):6.2f}"
        line += f"  {middle(found, 'cpu'):6.2f}  {middle(found, 'megabytes'):6.0f}"
        compared = runs.get(COMPETITORS[name][2])
        lines.append(f"{line}  {ratios(compared, found)}" if compared else line)
    return "\n".join(lines)


def middle(found: list[dict[str, Any]], what: str) -> float:
    """The median of one measurement."""
    return median(one[what] for one in found)


def ratios(ours: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> str:
    """How ours compares, and whether both learned the same."""
    names = {
        "seconds": "time",
        "counting": "counting",
        "merging": "merging",
        "cpu": "cpu",
        "megabytes": "memory",
    }
    parts = [
        f"{said} {middle(ours, what) / middle(theirs, what):.3f}" for what, said in names.items()
    ]
    same = {one["digest"] for one in ours} == {one["digest"] for one in theirs}
    return ", ".join([*parts, "same merges" if same else "OTHER merges"])


def main() -> None:
    """All rounds, then the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--vocab-size", type=int, default=32_000)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--only", nargs="*", default=[""], help="parts of the competitors' names")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--merges", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(one(options.one, options.corpus, options.merges)))
        return
    runs: dict[str, list[dict[str, Any]]] = {}
    with TemporaryDirectory() as folder:
        small = Path(folder) / "small.txt"
        small.write_bytes(options.corpus.open("rb").read(SMALL).decode(errors="ignore").encode())
        for number in range(1, options.rounds + 1):
            for name, (_, is_small, _) in COMPETITORS.items():
                if not any(part in name for part in options.only):
                    continue
                path = small if is_small else options.corpus
                merges = SMALL_MERGES if is_small else options.vocab_size - 257
                runs.setdefault(name, []).append(in_parts(name, path, merges))
                print(f"round {number}  {name:24} {runs[name][-1]['seconds']:8.2f} s", flush=True)
    print(table(runs))
    if options.out:
        options.out.write_text(json.dumps(runs, indent=1) + "\n")


if __name__ == "__main__":
    main()
