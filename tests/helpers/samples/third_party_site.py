"""Installs the package of `third_party/` as an installer would, without running one."""

from __future__ import annotations

import os
import shutil
import site
import subprocess
import sys
import tomllib
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "third_party"
VERSION = f"python{sys.version_info.major}.{sys.version_info.minor}"


def environment(folder: Path) -> Path:
    """A new virtual environment in which all that is installed here is installed too."""
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to(Path(sys.executable).resolve())
    (folder / "pyvenv.cfg").write_text(f"home = {Path(sys.executable).resolve().parent}\n")
    packages = folder / "lib" / VERSION / "site-packages"
    packages.mkdir(parents=True)
    folders = [*site.getsitepackages(), *_added_to(site.getsitepackages())]
    (packages / "all_of_the_other.pth").write_text("\n".join(folders) + "\n")
    return folder


def _added_to(folders: list[str]) -> list[str]:
    """The folders of the path that are there because a file of a site folder names them."""
    named = [path.read_text() for folder in folders for path in Path(folder).glob("*.pth")]
    return [entry for entry in sys.path if entry in "\n".join(named).splitlines()]


def install(folder: Path, package: Path = SOURCE) -> Path:
    """A new virtual environment that holds the package and the metadata of its pyproject.toml."""
    packages = packages_of(environment(folder))
    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    name, version = project["name"], project["version"]
    shutil.copytree(package / name, packages / name, ignore=shutil.ignore_patterns("__pycache__"))
    entries = project["entry-points"].items()
    declare(packages, f"{name}-{version}", {group: dict(values) for group, values in entries})
    return folder


def declare(packages: Path, distribution: str, groups: dict[str, dict[str, str]]) -> None:
    """The metadata of a distribution, as an installer writes it."""
    name, _, version = distribution.partition("-")
    about = packages / f"{distribution}.dist-info"
    about.mkdir()
    about.joinpath("METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    )
    lines = []
    for group, entries in groups.items():
        lines += [f"[{group}]", *(f"{place} = {value}" for place, value in entries.items())]
    about.joinpath("entry_points.txt").write_text("\n".join(lines) + "\n")


def packages_of(folder: Path) -> Path:
    """The site folder of an environment."""
    return folder / "lib" / VERSION / "site-packages"


def python(
    folder: Path, *arguments: str, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """What Python of that environment printed; a pytest in it loads no plugin from anywhere else."""
    return subprocess.run(
        [str(folder / "bin" / "python"), *arguments],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        cwd=cwd,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
