"""Builds what would be published in the folder that is named, and tries it.

The wheel is made from the source archive, as an index would have it.  It is installed in a new
environment of every supported Python that this machine has, and audits a small checkpoint there;
so is the source archive with one of them.  With the first, the demo runs, and a package of somebody
else adds its check.  Digests, an SBOM and the provenance of the build are written next to both.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from functools import cache
from pathlib import Path

import release_papers
from release_papers import digests

ROOT = Path(__file__).resolve().parents[1]
VERSIONS = ("3.11", "3.12", "3.13")
WRITE = """
import pathlib, sys
from tokaudit.products.demo.checkpoints import write_checkpoints
write_checkpoints(pathlib.Path(sys.argv[1]))
"""  # by the wheel that is tried: what builds it has none of its packages

PLUGIN = ROOT / "tests" / "third_party"  # adds the check acorn/known, as a stranger's package does
PLUGGED = "acorn/known"


@dataclass(frozen=True)
class Tried:
    """How a package fared with one Python; without a program there is none here."""

    version: str
    program: Path | None
    trouble: str = ""

    def __str__(self) -> str:
        """The line that is printed."""
        if self.program is None:
            return f"Python {self.version}: not on this machine, so not tried"
        return f"Python {self.version}: {self.trouble or 'installed, and audits a checkpoint'}"


def main() -> int:
    """1 where the wheel does not work with a Python that is here."""
    folder = Path(sys.argv[1])
    wheel = build(folder)
    here = {version: find(version) for version in VERSIONS}
    first = next(version for version in VERSIONS if here[version] is not None)
    sbom = folder / release_papers.SBOM
    (archive,) = folder.glob("*.tar.gz")
    packages = [(version, wheel) for version in VERSIONS] + [(first, archive)]
    tried = []
    for version, package in packages:
        about = sbom if (version, package) == (first, wheel) else None
        tried.append(try_with(version, here[version], package, about))
        print(f"{package.name}: {tried[-1]}", flush=True)
    release_papers.write_papers(folder, release_papers.commit_of(ROOT), last_commit())
    return 1 if any(each.trouble for each in tried) else 0


def build(folder: Path) -> Path:
    """The wheel, next to its source archive; what an index would show of both is checked."""
    shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="tokaudit-release-") as again:
        for each in (folder, Path(again)):
            _run(sys.executable, "-m", "build", "--outdir", str(each), str(ROOT))
        refuse_other_bytes(digests(folder), digests(Path(again)))
    _run(sys.executable, "-m", "twine", "check", "--strict", *map(str, folder.iterdir()))
    (wheel,) = folder.glob("*.whl")
    lost = lost_links(_rendered(wheel))
    if lost:
        raise RuntimeError(f"{wheel.name}: on an index these lead nowhere: {', '.join(lost)}")
    return wheel


def refuse_other_bytes(first: dict[str, str], second: dict[str, str]) -> None:
    """Print the digests of two builds, which must be the same; raises `RuntimeError`."""
    if first != second:
        other = sorted(name for name, _ in first.items() ^ second.items())
        raise RuntimeError(f"two builds differ: {', '.join(dict.fromkeys(other))}")
    print("\n".join(f"{digest}  {name}, in two builds" for name, digest in first.items()))


def _rendered(wheel: Path) -> str:
    """The long description as an index shows it; twine looks at no Markdown."""
    from readme_renderer import markdown  # which only .venv/release-tools has

    with zipfile.ZipFile(wheel) as archive:
        (name,) = (each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
        text = message_from_bytes(archive.read(name)).get_payload(decode=True)
    return str(markdown.render(text.decode("utf-8")))


def lost_links(page: str) -> list[str]:
    """Links and pictures of a rendered page that neither name an address nor a heading."""
    named = re.findall(r'\b(?:href|src)="([^"]*)"', page)
    return [each for each in named if not each.startswith(("https://", "#"))]


def find(version: str) -> Path | None:
    """The program of a version: on the path, or among those that pyenv keeps."""
    for program in _candidates(version):
        done = subprocess.run([program, "-c", ""], capture_output=True, check=False)
        if done.returncode == 0:
            return program
    return None


def _candidates(version: str) -> Iterator[Path]:
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    yield from sorted(kept.glob(f"{version}.*/bin/python"))
    on_path = shutil.which(f"python{version}")
    if on_path is not None:
        yield Path(on_path)


def try_with(version: str, program: Path | None, package: Path, sbom: Path | None = None) -> Tried:
    """Install a package in a new environment, audit a sound checkpoint, and add a plug-in.

    With `sbom` the demo runs too, and the packages of the environment are listed there.
    """
    if program is None:
        return Tried(version, None)
    with tempfile.TemporaryDirectory(prefix="tokaudit-release-") as name:
        environment, models = Path(name, "environment"), Path(name, "models")
        programs = environment / "bin"
        tokaudit = str(programs / "tokaudit")
        try:
            _run(str(program), "-m", "venv", str(environment))
            _run(str(programs / "pip"), "install", "--quiet", str(package))
            _run(tokaudit, "--version")
            _run(str(programs / "python"), "-c", WRITE, str(models))
            _run(tokaudit, "audit", str(models / "checkpoint"), "--tier", "quick", "--quiet")
            if sbom is not None:
                _run(*release_papers.sbom_command(programs / "python", sbom))
                _run(tokaudit, "demo", str(Path(name, "demo")), "--no-open", "--quiet")
            add_plugin(programs, Path(name))
        except RuntimeError as error:
            return Tried(version, program, str(error))
    return Tried(version, program)


def add_plugin(programs: Path, place: Path) -> None:
    """Install a stranger's package; raises `RuntimeError` where its check does not judge."""
    source, letters = place / "acorn", place / "model.letters"
    shutil.copytree(PLUGIN, source, ignore=shutil.ignore_patterns("__pycache__"))
    letters.write_text("?\na\nc\no\nr\nn\n", encoding="utf-8")
    _run(str(programs / "pip"), "install", "--quiet", "--no-deps", str(source))
    _run(str(programs / "tokaudit"), "checks", PLUGGED)
    _run(str(programs / "tokaudit"), "audit", str(letters), "--select", PLUGGED, "--quiet")


@cache
def last_commit() -> str:
    """When the last commit was made, in seconds; the files of an archive are as old."""
    command = ("git", "-C", str(ROOT), "log", "-1", "--format=%ct")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "315532800"  # the first moment that a zip file can state


def _run(*command: str) -> None:
    moment = {"SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH") or last_commit()}
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **moment}
    )
    if done.returncode:
        ended = f"{' '.join(command)}: exit code {done.returncode}"
        raise RuntimeError(f"{ended}\n{done.stdout}{done.stderr}")
