"""A rank file under a published encoding's name that is not that encoding."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.engine.check import check
from tokaudit.engine.needs import Contents
from tokaudit.foundation.errors import NotApplicable
from tokaudit.report.model import Basis, Finding, Place, Severity
from tokaudit.subject.formats.common.known_encodings import KNOWN
from tokaudit.subject.material import Subject


@check(
    "files/known-encoding",
    title="A file with a published encoding's name is that encoding",
    why="A rank file cannot contradict itself, so a single exchanged line stays unseen until the "
    "model answers nonsense; clients that know the checksum refuse the file.",
    remedy="Fetch the published file again, or give the file its own name.",
    severity=Severity.ERROR,
    basis=Basis.BASELINE,
    incident="A bundled cl100k_base file failed its checksum after its line ends were converted "
    "(BerriAI/litellm PR#42208).",
    bad="cl100k_base.tiktoken: YQ== 0\\nYg== 1\\nYWI= 2\\n",
    no_example="The good example is the published file itself, which is too long to show.",
)
def known_file(subject: Subject, contents: Contents) -> Iterator[Finding]:
    """Compare the SHA-256 of files that are named like a published encoding."""
    asked = 0
    for file in subject.files:
        base = file.name.rpartition("/")[2]
        name = base.removesuffix(".tiktoken")
        if name == base or name not in KNOWN:
            continue
        asked += 1
        found = contents.digest(file)
        if found != KNOWN[name].sha256:
            yield Finding(
                Severity.ERROR,
                f"{file.name} is not the published {name}: its SHA-256 begins with {found[:12]}, "
                f"the published one's with {KNOWN[name].sha256[:12]}.",
                (Place("vocab", file.name, "", found),),
                cause="file",
            )
    if not asked:
        raise NotApplicable("no file is named like a published encoding")
