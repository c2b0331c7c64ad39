"""What does the user's own text cost, in tokens?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tokaudit.engine.check import check
from tokaudit.engine.measure import interval, ratio_of_sums
from tokaudit.engine.needs import Options, Vendor
from tokaudit.errors import NotApplicable
from tokaudit.report.model import Basis, Measurement, Severity
from tokaudit.subject.material import SourceFile, read_bytes

MOST_BYTES = 64 * 1024 * 1024
MOST_LINES = 20_000


@check(
    "fertility/corpus",
    title="Bytes per token of the user's own text",
    why="What a tokenizer costs on the text that it will really see is the figure that counts.",
    remedy="Compare the figure across candidate tokenizers on the same files.",
    severity=Severity.INFO,
    basis=Basis.INTRINSIC,
)
def corpus(vendor: Vendor, options: Options) -> Iterator[Measurement]:
    """One measurement for each file of `--corpus`, over its first lines."""
    if not options.corpus:
        raise NotApplicable("no --corpus was named")
    for path in options.corpus:
        lines = _lines(path)
        tokens = [float(len(found.ids)) for found in vendor.encode(lines)]
        sizes = [float(len(line.encode())) for line in lines]
        if sum(tokens):
            yield Measurement(
                "fertility/bytes_per_token",
                ratio_of_sums(sizes, tokens),
                "bytes/token",
                len(lines),
                f"first {MOST_LINES:,} non-empty lines, ratio of sums, seeded bootstrap",
                interval(sizes, tokens, options.seed),
                {"corpus": path.name},
            )


def _lines(path: Path) -> list[str]:
    data = read_bytes(SourceFile(str(path), path, 0, "corpus"), MOST_BYTES)
    lines = data.decode("utf-8", "replace").splitlines()
    return [line for line in lines if line.strip()][:MOST_LINES]
