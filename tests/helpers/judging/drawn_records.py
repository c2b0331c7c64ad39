"""The part of the records that is drawn from transformers, held by its digest.

`make upstream` draws it anew.  What is written by hand has recorded answers instead.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from recorded_answers import HERE

from tokaudit.subject.upstream import records
from tokaudit_upstream.answers import Answers
from tokaudit_upstream.records import BY_HAND, HAND_KEY, class_text, types_text

DIGESTS = HERE / "drawn.json"


def recorded() -> dict[str, str]:
    """The digests by kind, as they were when the records were last drawn."""
    found: dict[str, str] = json.loads(DIGESTS.read_text("utf-8"))
    return found


def write() -> None:
    """Record the digests of the records as they are."""
    DIGESTS.write_text(json.dumps(digests(), indent=1) + "\n", "utf-8")


def digests() -> dict[str, str]:
    """The digests of what is drawn, by kind."""
    room = Path(str(records.HERE))
    types = (room / records.TYPES).read_text("utf-8").splitlines()
    drawn = {
        records.CLASSES: "\n".join(_heads(room / records.CLASSES)),
        records.TYPES: "\n".join(line for line in types if not line.startswith(HAND_KEY)),
    }
    return {kind: hashlib.sha256(text.encode()).hexdigest() for kind, text in drawn.items()}


def _heads(folder: Path) -> Iterator[str]:
    """The part of each record before what is written by hand, after its name."""
    for path in sorted(folder.glob("*.toml")):
        yield f"{path.stem}: {path.read_text('utf-8').partition(BY_HAND)[0]}"


def changed(answers: Answers) -> list[str]:
    """The files that would be another if they were drawn from these answers."""
    room = Path(str(records.HERE))
    new = {room / records.TYPES: types_text((room / records.TYPES).read_text("utf-8"), answers)}
    for path in sorted((room / records.CLASSES).glob("*.toml")):
        if any(answers.of_class(path.stem)):
            new[path] = class_text(path.stem, answers, path.read_text("utf-8"))
    return [path.name for path, text in new.items() if path.read_text("utf-8") != text]
