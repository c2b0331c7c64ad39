"""Each row of the table against the class itself, where `make classes` built the environments."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from class_folders import of_class

from tokaudit.subject.classes.row import Ids
from tokaudit.subject.classes.table import rows
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_reference.spec import TokenType

pytestmark = pytest.mark.classes
VERSIONS = ("4.57.6", "5.23.0")
FORGETS = {("5.23.0", "MLukeTokenizer")}
"""Takes the pieces as they are: the offset that 4.57 and the rows of its models have is forgotten."""
READ = [name for name, row in rows().items() if row.ids is not Ids.NONE]
ASK = """
import json, sys, transformers
asked, answers = json.load(sys.stdin), {}
for name, (folder, tokens) in asked.items():
    try:
        found = getattr(transformers, name).from_pretrained(folder)
        answers[name] = found.convert_tokens_to_ids(tokens)
    except Exception as error:
        answers[name] = f"{type(error).__name__}: {error}"[:200]
json.dump(answers, sys.stdout)
"""


def tokens_of(folder: Path) -> dict[str, int]:
    """Token -> id as our spec of the folder has them."""
    parsed = parse_all(open_subject(folder)).parsed
    assert parsed, "nothing parses"
    spec = parsed[0][1]
    if spec.format == "bpe.codes+vocab.txt":  # which marks what goes on, and not what ends
        ends = {TokenType.ORDINARY: "@@"}
        surfaces = [
            (f"{p.value!s}{ends.get(p.token_type, '')}", id) for id, p in spec.pieces.items()
        ]
    else:
        surfaces = [(spec.surface(p), id) for id, p in spec.pieces.items()]
    named = {text: id for text, id in surfaces if isinstance(text, str)}
    return named | {token.content: token.id for token in spec.added_tokens}


@pytest.fixture(scope="module", params=VERSIONS)
def answers(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, tuple[dict[str, int], list[int] | str, bool]]:
    """For each class: our ids, those of the class or why it does not load, and if it forgets."""
    python = Path(sys.prefix) / f"transformers-{request.param}" / "bin" / "python"
    if not python.is_file():
        pytest.skip("no environments: make classes builds them")
    root, asked, ours = tmp_path_factory.mktemp("classes"), {}, {}
    for name in READ:
        folder = of_class(rows()[name], root / name)
        try:
            ours[name] = tokens_of(folder)
        except Exception:
            continue
        if not (request.param.startswith("5") and rows()[name].five == "tokenizer.json"):
            asked[name] = (str(folder), list(ours[name]))
    run = subprocess.run(
        [python, "-c", ASK], input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    theirs = json.loads(run.stdout)
    version = request.param
    return {name: (ours[name], theirs[name], (version, name) in FORGETS) for name in asked}


@pytest.mark.parametrize("name", READ)
def test_a_class_gives_the_ids_that_its_row_says(
    answers: Mapping[str, tuple[dict[str, int], list[int] | str, bool]], name: str
) -> None:
    if name not in answers:
        pytest.skip("its files are not read yet")
    ours, theirs, forgets = answers[name]
    if isinstance(theirs, str):
        pytest.skip(f"the class does not load this folder: {theirs}")
    apart = {t: (id, its) for (t, id), its in zip(ours.items(), theirs, strict=True) if id != its}
    assert bool(apart) == forgets, apart
