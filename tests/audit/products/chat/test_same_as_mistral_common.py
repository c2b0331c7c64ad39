"""Mistral's templates over the role matrix, against the request encoder of mistral-common.

The encoder makes ids from messages without any template, so it is an oracle of another kind than
transformers.  `make templates` makes what this needs; without that it skips.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from tokaudit.products.chat.rendering.renderer import render
from tokaudit.products.chat.rendering.rendering import Rendering, RenderRequest
from tokaudit.subject.conversations.conversation import role_matrix
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_reference.tokenizer import ReferenceTokenizer

pytestmark = pytest.mark.templates

HERE = Path(__file__).parent
VENV = Path(sys.prefix)
TEMPLATES = "template-wheels/unpacked/axolotl/utils/chat_templates/templates"
SPECIAL = {"bos_token": "<s>", "eos_token": "</s>"}
BYTES = re.compile("(?:<0x[0-9A-F]{2}>)+")
NEWER = ("v7", "v11", "v13")  # no file of theirs is in the package: a copy states the version
LISTED = ["[CALL_ID]", "[ARGS]", "[THINK]", "[/THINK]"]  # by such files, after the older ones
Encode = Callable[[str], list[int]]


def newer(folder: Path, version: str, given: Any) -> Path:
    """A tekken file of a newer version, with the markers that it needs listed."""
    names = [token.content for token in parsed(given).added_tokens[:20]]
    names += LISTED if version == "v13" else LISTED[:2]
    data = {key: value for key, value in json.loads(given.read_bytes()).items() if key != "image"}
    data.pop("multimodal", None)
    data["config"]["version"] = version
    data["special_tokens"] = [
        {"rank": rank, "token_str": name, "is_control": True} for rank, name in enumerate(names)
    ]
    path = folder / f"tekken_{version}.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def parsed(path: Path) -> Any:
    """The spec of a file."""
    ((representation, _),) = parse_all(open_subject(str(path))).parsed
    return representation.spec


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The package's tokenizers by name, and the newer ones; skips without the environment."""
    if not (VENV / "mistral-common").exists():
        pytest.skip("run make templates: it installs mistral-common with all that it needs")
    place = find_spec("mistral_common")
    assert place is not None and place.origin is not None
    data = Path(place.origin).parent / "data"
    folder = tmp_path_factory.mktemp("newer")
    found = [path for path in sorted(data.iterdir()) if not path.name.endswith("m1")]
    found += [newer(folder, version, data / "tekken_240911.json") for version in NEWER]
    return {path.name: path for path in found}


@pytest.fixture(scope="module")
def answers(paths: dict[str, Path]) -> dict[str, Any]:
    """What mistral-common makes of every conversation, by tokenizer; and its template."""
    question = {
        "tokenizers": {name: str(path) for name, path in paths.items()},
        "conversations": [structs.asdict(one) for one in role_matrix()],
    }
    answer = subprocess.run(
        [VENV / "mistral-common" / "bin" / "python", "-P", HERE / "mistral_driver.py"],
        input=json.dumps(question),
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(json.loads(answer.stdout))


def encoder(path: Path) -> Encode:
    """Ids of a rendered text: markers are taken from it, what is between is encoded."""
    spec = parsed(path)
    if path.suffix == ".json":
        tekken = ReferenceTokenizer(replace(spec, control_from_text=True))
        return lambda text: list(tekken.encode(text).ids)
    ids = {token.content: token.id for token in spec.added_tokens}
    markers = re.compile("(" + "|".join(map(re.escape, filter(None, ids))) + ")")
    reference = ReferenceTokenizer(spec)

    def encode(text: str) -> list[int]:
        found: list[int] = []
        for part in filter(None, markers.split(text)):
            if part in ids:
                found.append(ids[part])
            else:  # a template writes the space that SentencePiece puts before every text
                assert part.startswith(" ")
                found += reference.encode(part[1:]).ids
        return found

    return encode


def outcome(mine: Rendering | None, other: dict[str, Any], encode: Encode) -> str:
    """How one conversation compares."""
    if mine is None or not mine.ok:
        return "both refuse" if "error" in other else "only theirs"
    if "error" in other:
        return "only ours"
    pieces = BYTES.sub(
        lambda found: bytes.fromhex(re.sub("<0x|>", "", found[0])).decode(), other["text"]
    )
    if mine.text != pieces.replace("▁", " "):
        return "other text"
    return "same" if encode(mine.text) == other["ids"] else "other ids"


def compared(template: str, answer: dict[str, Any], encode: Encode) -> dict[str, set[str]]:
    """Outcome -> conversations, for one template."""
    found: dict[str, set[str]] = {}
    rendered = render(RenderRequest(template, role_matrix(), SPECIAL))
    for given in role_matrix():
        chat = rendered.conversation(given.id)
        mine = None if chat is None else chat.whole.plain
        how = outcome(mine, answer["answers"][given.id], encode)
        found.setdefault(how, set()).add(given.id)
    return found


def test_mistrals_templates_give_the_ids_of_its_encoder_but_for_what_is_listed(
    paths: dict[str, Path], answers: dict[str, Any]
) -> None:
    """Those that the package makes for its own tokenizers, and those of axolotl."""
    sys.path.insert(0, str(HERE))
    from mistral_differences import AXOLOTL, OWN, listed

    expected = {("its own", name): listed(reasons) for name, reasons in OWN.items()}
    expected |= {pair: listed(reasons) for pair, reasons in AXOLOTL.items()}
    encoders = {name: encoder(path) for name, path in paths.items()}
    found = {}
    for template, name in expected:
        file = VENV / TEMPLATES / f"{template}.jinja"
        text = file.read_text(encoding="utf-8") if file.exists() else answers[name]["template"]
        outcomes = compared(text, answers[name], encoders[name])
        counts = {how: len(conversations) for how, conversations in sorted(outcomes.items())}
        print(f"{template:18}{name:46}{counts}")
        agreed = ("same", "both refuse")
        found[template, name] = {how: ids for how, ids in outcomes.items() if how not in agreed}
    assert found == expected
