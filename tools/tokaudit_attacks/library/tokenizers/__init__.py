"""A library that makes something of the worker's folder when it loads, as the file says."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

NAMES = ("a", "d" * 255, "tokenizer.json", "-rf", "new\nline", "..a", " ", "é")
MODES = (0o700, 0o300, 0o100, 0o000)


def nest(draw: random.Random) -> None:
    """Folders in folders, deeper than a path is long."""
    name, here = draw.choice(NAMES), os.open(".", os.O_DIRECTORY)
    for _ in range(draw.choice((3, 40, 1_500))):
        os.mkdir(name, dir_fd=here)
        inner = os.open(name, os.O_DIRECTORY, dir_fd=here)
        os.close(here)
        here = inner


def lock(draw: random.Random) -> None:
    """Files in folders that nobody may enter or list."""
    for number in range(draw.randint(1, 20)):
        folder = Path(f"locked {number}")
        folder.mkdir()
        (folder / "file").write_bytes(b"a" * draw.randint(0, 10_000))
        locked = Path(f"mode {number}")
        locked.mkdir(draw.choice(MODES))


def link(draw: random.Random) -> None:
    """Links to the system, to nothing and to themselves."""
    for number, target in enumerate(("/", "/etc", "nowhere", "..", ".", "link 0")):
        Path(f"link {number}").symlink_to(target)


def many(draw: random.Random) -> None:
    """Very many folders or files."""
    make = draw.choice((Path.mkdir, Path.touch))
    for number in range(draw.choice((100, 1_900, 4_000))):
        make(Path(f"{number} {draw.choice(NAMES)[:200]}"))


def remove(draw: random.Random) -> None:
    """Large files that are removed while they are open."""
    for number in range(8):
        file = os.open(str(number), os.O_CREAT | os.O_RDWR)
        os.ftruncate(file, 1 << 25)
        Path(str(number)).unlink()


def imitate(draw: random.Random) -> None:
    """Files that have the names of a subject's, and of what a killed audit leaves."""
    for name in ("tokenizer.json", "config.json", "tokaudit-read-00000000-1.1-abc", ".tokaudit-x"):
        Path(name).write_text("[" * draw.choice((1, 100_000)))


class Tokenizer:
    """Loads nothing."""

    @staticmethod
    def from_file(path: str) -> Any:
        """Attack as the file says."""
        draw = random.Random(json.loads(Path(path).read_bytes())["attack"])
        for attack in draw.sample((nest, lock, link, many, remove, imitate), 2):
            attack(draw)
        raise ValueError("attacked")
