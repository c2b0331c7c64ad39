"""Measures who holds the memory of a quick audit of large vocabularies, and what it leaves out.

    python benchmarks/memory.py [ENTRIES ...] [--memory MB]

For each size a folder is made by a seed, as Gemma's are: a SentencePiece model with bytes and
scores next to a tokenizer.json that lists every way to make a token of two.  Printed are the most
that the audit's own process held, that all processes held together, the processor seconds of all,
and how many checks passed.  The exit code is 1 where a check was left out for memory.
"""

from __future__ import annotations

import argparse
import json
import os
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from tokaudit.runtimes.worker.resources.usage import family, usage

SIZES = (32_000, 128_256, 262_144)
FLAGS = ("single_word", "lstrip", "rstrip", "normalized")
SPECIAL = ("<pad>", "<eos>", "<bos>", "<unk>")
UNKNOWN, CONTROL, BYTE = 2, 3, 6  # types of pieces
SETTINGS = bytes([0x12, 5, 0x18, 2, 0x98, 2, 1]) + bytes([0x1A, 4, 0x18, 0, 0x20, 0])
LONGEST = 16  # characters of a token
OFTEN = 0.02  # seconds between two looks
MEGABYTE = 1_000_000
LEFT_OUT = "out of memory"


@dataclass
class Held:
    """The most that was held, in bytes, and the processor seconds of all."""

    own: int = 0
    together: int = 0
    seconds: float = 0.0


def main() -> int:
    """Print one line for each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("entries", nargs="*", type=int, default=list(SIZES))
    parser.add_argument("--memory", default="1500", metavar="MB")
    options = parser.parse_args()
    print(f"{'entries':>10}{'own MB':>10}{'all MB':>10}{'seconds':>10}{'passed':>10}  left out")
    lacking = 0
    for entries in options.entries:
        with TemporaryDirectory() as place:
            write(Path(place, "folder"), entries)
            held, report = audited(Path(place), options.memory)
        results = report["results"]
        passed = sum(each["status"] == "passed" for each in results)
        left = [each["check"] for each in results if LEFT_OUT in (each.get("reason") or "")]
        lacking += len(left)
        sizes = f"{held.own // MEGABYTE:>10,}{held.together // MEGABYTE:>10,}"
        print(f"{entries:>10,}{sizes}{held.seconds:>10.1f}{passed:>10}  {', '.join(left)}")
    return int(lacking > 0)


def audited(place: Path, memory: str) -> tuple[Held, Any]:
    """The report of an audit, and what its processes held while it ran."""
    out = place / "report.json"
    options = ("--tier", "quick", "--timeout", "3600", "--memory", memory, "--out", out)
    command = (sys.executable, "-m", "tokaudit", "audit", place / "folder", *options)
    held, before = Held(), children_seconds()
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, stdout=quiet, stderr=quiet) as process:
        while process.poll() is None:
            look(process.pid, held)
            time.sleep(OFTEN)
    held.seconds = children_seconds() - before
    return held, json.loads(out.read_bytes())


def children_seconds() -> float:
    """The processor seconds of all that has ended."""
    times = os.times()
    return times.children_user + times.children_system


def look(pid: int, held: Held) -> None:
    """Note what is held now; a child that is no program of its own yet shares its parent's."""
    own, name = usage(pid), command_of(pid)
    workers = [each for each in family(pid) if each != pid and command_of(each) != name]
    used = [found for each in workers if (found := usage(each))]
    if own is not None:
        held.own = max(held.own, own.memory)
        held.together = max(held.together, own.memory + sum(each.memory for each in used))


def command_of(pid: int) -> bytes:
    """The command line of a process; nothing where it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def write(folder: Path, entries: int) -> None:
    """Both files of a tokenizer of so many entries."""
    folder.mkdir()
    kinds = dict.fromkeys(SPECIAL, CONTROL) | {"<unk>": UNKNOWN}
    kinds |= {f"<0x{byte:02X}>": BYTE for byte in range(256)}
    letters = ["▁", *map(chr, range(33, 127))]
    made = list(tokens(letters, entries - len(kinds) - len(letters)))
    order = [*kinds, *made, *letters]
    vocab = {text: id for id, text in enumerate(order)}
    first = len(kinds)
    scored = ((text, float(-max(0, id - first)), kinds.get(text, 1)) for text, id in vocab.items())
    model = b"".join(map(piece, scored)) + SETTINGS
    (folder / "tokenizer.model").write_bytes(model)
    special = {**dict.fromkeys(FLAGS, False), "special": True}
    data = {
        "version": "1.0",
        "added_tokens": [{"id": vocab[text], "content": text, **special} for text in SPECIAL],
        "normalizer": {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
        "pre_tokenizer": None,
        "decoder": {
            "type": "Sequence",
            "decoders": [
                {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
                {"type": "ByteFallback"},
                {"type": "Fuse"},
            ],
        },
        "model": {
            "type": "BPE",
            "unk_token": "<unk>",
            "fuse_unk": True,
            "byte_fallback": True,
            "vocab": vocab,
            "merges": [
                [text[:at], text[at:]]
                for text in made
                for at in range(1, len(text))
                if text[:at] in vocab and text[at:] in vocab
            ],
        },
    }
    (folder / "tokenizer.json").write_text(json.dumps(data, ensure_ascii=False), "utf-8")


def tokens(letters: list[str], count: int) -> Iterator[str]:
    """Distinct tokens, each of two that are there; the short ones more often."""
    draw, known, parts = Random(count), set(letters), list(letters)
    while len(parts) < len(letters) + count:
        left = parts[draw.randrange(min(len(letters) + len(parts) // 4, len(parts)))]
        text = left + draw.choice(parts)
        if len(text) <= LONGEST and text not in known and "▁" not in text[1:]:
            known.add(text)
            parts.append(text)
            yield text


def piece(scored: tuple[str, float, int]) -> bytes:
    """One entry of a SentencePiece model."""
    text, score, kind = scored
    name = text.encode()
    inner = bytes([0x0A, len(name)]) + name + b"\x15" + struct.pack("<f", score)
    inner += bytes([0x18, kind])
    return bytes([0x0A, len(inner)]) + inner


if __name__ == "__main__":
    raise SystemExit(main())
