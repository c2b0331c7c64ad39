"""The one line that installs each runtime, run in a new environment, and what it then answers.

The lines are those that tokaudit itself says where a runtime is missing.  tokaudit is installed
from a wheel of this checkout, which takes the place of its name in them.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_runtimes import first_answer
from tokaudit_runtimes.page import SUBJECTS

JSON, RANKS, TEKKEN = SUBJECTS["DeepSeek"], SUBJECTS["cl100k"], SUBJECTS["tekken"]
MODEL = SUBJECTS["Mistral v1"]
TAKES = {
    **dict.fromkeys(("tokenizers", "fastokens", "gigatoken", "tokie", "kitoken"), JSON),
    **dict.fromkeys(("onnxruntime-extensions", "transformers", "@huggingface/tokenizers"), JSON),
    **dict.fromkeys(("tiktoken", "bpe-openai", "gpt-tokenizer", "tiktoken-wasm"), RANKS),
    "sentencepiece": MODEL,
    "mistral-common": TEKKEN,
}
"""A tokenizer of a package for each runtime, or the GGUF that is given."""
LLAMA = "llama.cpp"
PLAIN = "pip install tokaudit"
NPM = re.compile(r"npm install --prefix FOLDER (\S+),")


@dataclass(frozen=True)
class Install:
    """A runtime, the line that installed it, how long that took, and the first answer."""

    runtime: str
    line: str
    seconds: float
    answer: str

    @property
    def works(self) -> bool:
        """Whether it gave ids."""
        return self.answer.endswith("]")


class NewEnvironments:
    """Environments in a folder, one for each line, in which nothing but that line was run."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self._folder, self._wheel = folder, wheel
        self._made: dict[str, tuple[Path, float]] = {}

    def with_line(self, line: str) -> tuple[Path, float]:
        """The interpreter of the environment that a line made, and the seconds of the line."""
        if line not in self._made:
            folder = self._folder / str(len(self._made))
            subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
            started = time.monotonic()
            words = shlex.split(line.replace("tokaudit", str(self._wheel)))
            command = [str(folder / "bin" / words[0]), *words[1:], "--quiet"]
            subprocess.run(command, check=True, stdout=sys.stderr)
            self._made[line] = folder / "bin" / "python", time.monotonic() - started
        return self._made[line]

    def npm(self, package: str) -> tuple[Path, float]:
        """A folder with a package of npm."""
        folder, started = self._folder / "npm" / package, time.monotonic()
        folder.mkdir(parents=True)
        command = ["npm", "install", "--silent", "--prefix", str(folder), package]
        subprocess.run(command, check=True, stdout=sys.stderr)
        return folder, time.monotonic() - started


def installs(environments: NewEnvironments, gguf: Path, only: str = "") -> Iterator[Install]:
    """Every runtime that is a package, with transformers by its two versions too."""
    for name, subject in {**TAKES, LLAMA: str(gguf)}.items():
        if only in name:
            yield _installed(environments, name, subject)
    for version in (FOUR, FIVE):
        if only in "transformers":
            line = f"pip install transformers=={version}"
            there, seconds = environments.with_line(line)
            yield _asked(environments, f"transformers@{there}", JSON, line, seconds)


def _installed(environments: NewEnvironments, name: str, subject: str) -> Install:
    """By the line that tokaudit says by itself where the runtime is missing."""
    plain, seconds = environments.with_line(PLAIN)
    said = _answer(plain, name, subject)
    if npm := NPM.search(said):
        folder, seconds = environments.npm(npm[1])
        line = f"npm install --prefix FOLDER {npm[1]}"
        return _asked(environments, f"{name}@{folder}", subject, line, seconds)
    if not said.startswith("missing: "):
        return Install(name, PLAIN, seconds, said)
    line = said.partition("run: ")[2]
    there, seconds = environments.with_line(line)
    return Install(name, line, seconds, _answer(there, name, subject))


def _asked(
    environments: NewEnvironments, runtime: str, subject: str, line: str, seconds: float
) -> Install:
    """A runtime in a place of its own, asked by tokaudit in an environment without it."""
    plain, _ = environments.with_line(PLAIN)
    return Install(runtime.partition("@/")[0], line, seconds, _answer(plain, runtime, subject))


def _answer(python: Path, runtime: str, subject: str) -> str:
    """The last line that the runtime's first answer prints, or that of the error."""
    command = [str(python), first_answer.__file__, runtime, _path(subject)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines: Sequence[str] = (done.stdout or done.stderr).strip().splitlines()
    return lines[-1] if lines else f"nothing, exit code {done.returncode}"


def _path(subject: str) -> str:
    """The file of a package here, as the new environments do not have the package."""
    if not subject.startswith("pkg:"):
        return subject
    package, _, rest = subject.removeprefix("pkg:").partition("/")
    found = find_spec(package)
    folders = (found.submodule_search_locations or []) if found else []
    return str(Path(next(iter(folders)), rest))
