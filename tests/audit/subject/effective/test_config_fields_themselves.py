"""Drawn values of fields, put to the config classes of version 5: the record says which it refuses.

`make classes` builds the environment; TOKAUDIT_SEED draws others.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tokaudit.subject.upstream.config_fields import FIELDS, OR_NONE, refused_fields
from tokaudit.subject.upstream.model_type import every_type
from tokaudit.subject.upstream.versions import FIVE

pytestmark = pytest.mark.classes
TRIALS = 6_000
VALUES = (None, True, 0, 7, 1.5, 2.0, "abc", "7", [], [1], [1, None], ["a"], {}, {"a": 1})
PYTHON = Path(sys.prefix) / f"transformers-{FIVE}" / "bin" / "python"
JUDGE = """
import json, sys
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
for line in sys.stdin:
    kind, stated = json.loads(line)
    try:
        made = CONFIG_MAPPING[kind].from_dict({"model_type": kind, **stated})
        print("OF-FIELDS", json.dumps(""))
    except Exception as error:
        name = type(error).__name__
        print("OF-FIELDS", json.dumps(f"{name}: {error}" if "Strict" in name else ""))
"""


def trials(seed: int) -> list[tuple[str, dict[str, object]]]:
    draw = random.Random(seed)
    typed = [known for known in every_type().values() if known.fields]
    found = []
    for _ in range(TRIALS):
        known = draw.choice(typed)
        others = [name.removesuffix(OR_NONE) for name in known.floats]
        found.append((known.name, {draw.choice([*FIELDS, *others]): draw.choice(VALUES)}))
    return found


def test_what_the_record_refuses_the_config_class_does_and_hardly_anything_else() -> None:
    """The class of a model of parts hands keys at its top to a part, of which no record says so."""
    if not PYTHON.exists():
        pytest.skip("run make classes: it makes the environments")
    drawn = trials(int(os.environ.get("TOKAUDIT_SEED", "0")))
    asked = "".join(json.dumps(each) + "\n" for each in drawn)
    run = subprocess.run(
        [PYTHON, "-P", "-c", JUDGE], input=asked, capture_output=True, text=True, check=True
    )
    marked = [line for line in run.stdout.splitlines() if line.startswith("OF-FIELDS ")]
    answers = [json.loads(line.partition(" ")[2]) for line in marked]
    assert len(answers) == len(drawn)
    wrong, missed = [], []
    for (kind, stated), said in zip(drawn, answers, strict=True):
        known = every_type()[kind]
        refused = refused_fields(known.fields, known.floats, stated)
        raised = any(f"field '{key}'" in said for key in stated)
        if refused and not raised:
            wrong.append((kind, stated, refused))
        if raised and not refused:
            missed.append((kind, stated, said[:120]))
    assert wrong == []
    assert len(missed) <= TRIALS / 100, missed[:20]
