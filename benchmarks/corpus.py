"""Assembles about 110 MB of real text in some 150 languages, without a hub.

    python benchmarks/corpus.py --out corpus.txt [--megabytes 110] [--cache FOLDER]

Debian's translated manual pages, the translations of iso-codes, and the sources of Python's
standard library, as documents joined by `<|endoftext|>`.  The packages are fetched with
`apt-get download` into the cache folder and unpacked there; nothing is installed.  Where there is
no apt, the pages and translations below /usr/share are taken.  The language that has least so far
gives the next document, so a smaller corpus has the same mixture.  The order depends on names only.
It is written for benchmarks: text of no language is cleaned.

Source: the .mo format is that of GNU gettext.
"""

from __future__ import annotations

import argparse
import gzip
import heapq
import shutil
import struct
import subprocess
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

BOUNDARY = "<|endoftext|>"
LANGUAGES = [
    "cs",
    "da",
    "de",
    "el",
    "es",
    "fi",
    "fr",
    "hu",
    "id",
    "it",
    "ja",
    "mk",
    "nb",
    "nl",
    "pl",
    "pt-br",
    "ro",
    "ru",
    "sr",
    "sv",
    "tr",
    "uk",
    "vi",
    "zh",
]
DEVELOPERS = [
    "cs",
    "da",
    "de",
    "es",
    "fr",
    "it",
    "ja",
    "nl",
    "pl",
    "pt-br",
    "ru",
    "uk",
]  # a second package of pages
PACKAGES = [
    "iso-codes",
    "manpages",
    "manpages-dev",
    *(f"manpages-{language}" for language in LANGUAGES),
    *(f"manpages-{language}-dev" for language in DEVELOPERS),
]
MAGIC = 0x950412DE


def main() -> None:
    """Fetch, mix, write, and say what was written."""
    options = arguments()
    shelves = shelves_below(fetched(options.cache))
    taken: dict[str, int] = {}
    with options.out.open("w", encoding="utf-8", newline="") as out:
        for shelf, text in mixed(shelves, options.megabytes * 1_000_000):
            out.write(text + BOUNDARY)
            taken[shelf] = taken.get(shelf, 0) + len(text.encode())
    languages = sorted({shelf.partition("/")[2] for shelf in taken})
    print(f"{options.out}: {options.out.stat().st_size:,} bytes, {len(languages)} languages")
    for kind in ("man", "iso", "python"):
        size = sum(size for shelf, size in taken.items() if shelf.startswith(kind))
        print(f"  {kind:7} {size:12,} bytes")
    print(" ", " ".join(languages))


def arguments() -> argparse.Namespace:
    """The options of the command line."""
    scratch = Path(tempfile.gettempdir()) / "tokaudit-corpus"
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--megabytes", type=int, default=110)
    parser.add_argument("--cache", type=Path, default=scratch)
    return parser.parse_args()


def fetched(cache: Path) -> Path:
    """The folder that has `man` and `locale`, filled on the first call."""
    share = cache / "usr" / "share"
    if not shutil.which("apt-get"):
        return Path("/usr/share")
    if not (cache / "complete").exists():
        cache.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", *PACKAGES], cwd=cache, check=True)
        for package in sorted(cache.glob("*.deb")):
            subprocess.run(["dpkg", "-x", package, cache], check=True)
        (cache / "complete").touch()
    return share


def shelves_below(share: Path) -> dict[str, list[Path]]:
    """Kind and language -> its files, in the order of their names."""
    shelves: dict[str, list[Path]] = {}
    for page in sorted(share.glob("man/**/*.gz")):
        inside = page.relative_to(share / "man").parts
        language = inside[0] if len(inside) > 2 else "en"
        shelves.setdefault(f"man/{language}", []).append(page)
    for catalogue in sorted(share.glob("locale/*/LC_MESSAGES/iso_*.mo")):
        if not catalogue.is_symlink():
            shelves.setdefault(f"iso/{catalogue.parts[-3]}", []).append(catalogue)
    library = Path(sysconfig.get_path("stdlib"))
    modules = (path for path in library.rglob("*.py") if "site-packages" not in path.parts)
    shelves["python/en"] = sorted(modules)
    return shelves


def mixed(shelves: dict[str, list[Path]], enough: int) -> Iterator[tuple[str, str]]:
    """Documents with their shelf, the shelf with least so far first, until it is enough."""
    waiting = [(0, shelf, iter(files)) for shelf, files in sorted(shelves.items())]
    heapq.heapify(waiting)
    size = 0
    while waiting and size < enough:
        given, shelf, files = heapq.heappop(waiting)
        for file in files:
            text = text_of(file)
            if text:
                yield shelf, text
                size += len(text.encode())
                heapq.heappush(waiting, (given + len(text.encode()), shelf, files))
                break


def text_of(file: Path) -> str:
    """The text of a page, a catalogue or a module; empty where it is not UTF-8."""
    data = file.read_bytes()
    try:
        if file.suffix == ".gz":
            return gzip.decompress(data).decode()
        return translations(data) if file.suffix == ".mo" else data.decode()
    except (UnicodeDecodeError, OSError, EOFError):
        return ""


def translations(data: bytes) -> str:
    """The translated strings of a .mo file, one a line."""
    order = "<" if struct.unpack_from("<I", data)[0] == MAGIC else ">"
    count, _, table = struct.unpack_from(f"{order}3I", data, 8)
    places = struct.unpack_from(f"{order}{2 * count}I", data, table)
    strings = zip(places[1::2], places[::2], strict=True)
    return "\n".join(data[start : start + size].decode() for start, size in strings)


if __name__ == "__main__":
    main()
