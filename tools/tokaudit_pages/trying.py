"""Does what the pages say, or those that are named, and compares what is printed.

Each page is followed in a new environment, a new HOME and a new folder with small checkpoints.
`--here` uses the programs next to this Python instead, which is quick, and installs what a page
installs there.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tokaudit_pages import PAGES
from tokaudit_pages.environment import build_wheel, new_environment
from tokaudit_pages.following import follow, new_home


def main() -> int:
    """1 where anything on a page is not so."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="*", type=Path, metavar="PAGE", help="default: all")
    parser.add_argument("--here", action="store_true", help="make no new environment")
    options = parser.parse_args()
    found = 0
    with tempfile.TemporaryDirectory(prefix="tokaudit-wheel-") as built:
        wheel = None if options.here else build_wheel(Path(built))
        for page in options.pages or PAGES:
            faults = tried(page, wheel)
            found += len(faults)
            print("\n".join([f"{page.name}: {len(faults) or 'nothing'} to correct", *faults]))
            sys.stdout.flush()
    return 1 if found else 0


def tried(page: Path, wheel: Path | None) -> list[str]:
    """What is not so on a page; without a wheel, by what is installed here."""
    with tempfile.TemporaryDirectory(prefix="tokaudit-pages-") as name:
        top = Path(name)
        home, folder = top / "home", top / "work"
        home.mkdir()
        folder.mkdir()
        if wheel is None:
            return list(follow(page, folder, new_home(home, Path(sys.executable).parent)))
        programs = new_environment(top / "environment", wheel)
        return list(follow(page, folder, new_home(home, programs)))
