"""Installs the package of `third_party/` as an installer would, without running one."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

SOURCE = Path(__file__).with_name("third_party")


def install(site: Path, package: Path = SOURCE) -> Path:
    """A folder for the path that holds the package and the metadata made of its pyproject.toml."""
    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    name, version = project["name"], project["version"]
    shutil.copytree(package / name, site / name, ignore=shutil.ignore_patterns("__pycache__"))
    about = site / f"{name}-{version}.dist-info"
    about.mkdir()
    about.joinpath("METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    )
    lines = []
    for group, entries in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{place} = {value}" for place, value in entries.items())]
    about.joinpath("entry_points.txt").write_text("\n".join(lines) + "\n")
    return site
