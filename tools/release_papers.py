"""Writes what goes with a release: digests, an SBOM and the provenance of the build.

`SHA256SUMS` is what `sha256sum --check` reads, the SBOM is CycloneDX of the environment in which
the wheel was tried, and the provenance an in-toto Statement of SLSA 1 about every file.
Sources: the in-toto Statement v1 and the SLSA Provenance v1 specifications.
"""

from __future__ import annotations

import hashlib
import json
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

SUMS, SBOM, PROVENANCE = "SHA256SUMS", "tokaudit.cdx.json", "tokaudit.intoto.json"
STATEMENT, PREDICATE = "https://in-toto.io/Statement/v1", "https://slsa.dev/provenance/v1"
BUILD = "https://tokaudit.dev/release/v1"  # the type of a build by `make release`
BUILD_TOOLS = ("build", "twine", "readme-renderer")


def digests(folder: Path) -> dict[str, str]:
    """The SHA-256 of each file of a folder, by name."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
    }


def write_papers(folder: Path, commit: str, moment: str) -> None:
    """Write provenance and digests of everything in the folder, the SBOM included."""
    for name in (SUMS, PROVENANCE):
        (folder / name).unlink(missing_ok=True)
    statement = provenance(digests(folder), commit, moment, tools())
    (folder / PROVENANCE).write_text(json.dumps(statement, indent=1) + "\n", encoding="utf-8")
    lines = [f"{digest}  {name}\n" for name, digest in digests(folder).items()]
    (folder / SUMS).write_text("".join(lines), encoding="utf-8")


def tools() -> dict[str, str]:
    """The Python and the packages that build, with their versions."""
    found = {"python": platform.python_version()}
    return found | {name: version(name) for name in BUILD_TOOLS}


def provenance(
    files: Mapping[str, str], commit: str, moment: str, built_with: Mapping[str, str]
) -> dict[str, Any]:
    """The statement that these files were built from that commit with those tools.

    `moment` is SOURCE_DATE_EPOCH, by which a second build gives the same bytes.
    """
    resolved: list[dict[str, Any]] = [{"name": "source", "digest": {"gitCommit": commit}}]
    resolved += [
        {"name": name, "annotations": {"version": built_with[name]}} for name in built_with
    ]
    return {
        "_type": STATEMENT,
        "subject": [{"name": name, "digest": {"sha256": files[name]}} for name in sorted(files)],
        "predicateType": PREDICATE,
        "predicate": {
            "buildDefinition": {
                "buildType": BUILD,
                "externalParameters": {"SOURCE_DATE_EPOCH": moment},
                "resolvedDependencies": resolved,
            },
            "runDetails": {"builder": {"id": BUILD}},
        },
    }


def sbom_command(python: Path, out: Path) -> Sequence[str]:
    """The command that lists the packages of an environment as CycloneDX, the same each time."""
    return (
        *(sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible"),
        *("--output-format", "JSON", "--output-file", str(out), str(python)),
    )


def commit_of(root: Path) -> str:
    """The commit of the source; a changed work tree is said with it."""
    head = _git(root, "rev-parse", "HEAD")
    return f"{head}-changed" if _git(root, "status", "--porcelain") else head


def _git(root: Path, *words: str) -> str:
    command = ("git", "-C", str(root), *words)
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
