"""`python -m tokaudit_template_defects.warnings`: what checks say of healthy published templates.

Every template of the packages that `make templates` fetches, with a small tokenizer that has its
markers.  What is worse than information was read by cause; it is true of each template.
"""

from __future__ import annotations

import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tokaudit_folders import chat_folders
from tokaudit_folders.chat_folders import Asked
from tokaudit_template_defects.published import UNPACKED, family

OF_TOKENS = {"stops", "tokens", "bos", "missing"}  # they judge the tokenizer that was made here


def table() -> Iterator[str]:
    """A row for each check and cause, with the templates, of which the first two are named."""
    names = sorted({path.stem for path in UNPACKED.rglob("*.jinja")})
    if not names:
        raise FileNotFoundError(f"there are no templates in {UNPACKED}")
    found: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for name in names:
        with tempfile.TemporaryDirectory(prefix="tokaudit-warnings-") as folder:
            reported = Asked(chat_folders.write(Path(folder), family(name))).reported()
        for check, severity, cause in reported:
            if severity != "info" and check not in OF_TOKENS:
                found[check, cause, severity].append(name)
    yield f"| finding on {len(names)} healthy templates | severity | templates | such as |\n"
    yield "|---|---|---|---|\n"
    for (check, cause, severity), of in sorted(found.items()):
        yield f"| `{check}`: {cause} | {severity} | {len(of)} | {', '.join(of[:2])} |\n"


def main() -> int:
    """Print the table."""
    try:
        print("".join(table()), end="")
    except (FileNotFoundError, ValueError) as error:
        print(f"tokaudit_template_defects: {error}: run make templates", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
