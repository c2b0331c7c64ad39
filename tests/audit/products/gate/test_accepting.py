"""A meant change is accepted by one command, and a first configuration is written by another."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tokaudit.foundation.errors import UnreadableError, UsageError
from tokaudit.products.gate.accepting import refuse_unacceptable
from tokaudit.products.gate.first_configuration import first_configuration
from tokaudit.products.gate.gating import Gate
from tokaudit.products.gate.sources import configuration
from tokaudit_folders.folder import Folder

Gating = Callable[..., Gate]
BOTH = "".join(
    f'[[subjects]]\npath = "{name}"\nmanifest = "{name}.json"\n' for name in ("holed", "sound")
)


def stated(workshop: Path, name: str) -> dict[str, object]:
    found: dict[str, object] = json.loads((workshop / f"{name}.json").read_text())["predicate"]
    return found


def test_one_command_accepts_every_drift_with_its_reason(
    workshop: Path, gating: Gating, processes: None
) -> None:
    assert gating(BOTH, accept="first record").ok
    assert gating(BOTH).ok
    before = (workshop / "sound.json").read_bytes()
    Folder.bpe({"a": 0, "b": 1, "ab": 5}, [["a", "b"]]).write(workshop / "holed")
    assert gating(BOTH).exit_code == 1
    accepted = gating(BOTH, accept="the release of May")
    (part,) = [each.report for each in accepted.subjects if each.name == "holed"]
    notes = [each.message for each in part.result("gate/manifest").findings]
    assert notes == ["holed.json was rewritten, because: the release of May"]
    assert stated(workshop, "holed")["accepted"] == {
        "reason": "the release of May",
        "on": "2030-06-15",
    }
    assert (workshop / "sound.json").read_bytes() == before
    assert gating(BOTH).ok


def test_a_manifest_that_is_not_there_yet_is_named_with_the_command(
    gating: Gating, processes: None
) -> None:
    with pytest.raises(
        UnreadableError,
        match="this manifest does not exist; to write it, run: tokaudit gate --accept",
    ):
        gating(BOTH)


@pytest.mark.parametrize(
    ("text", "reason", "said"),
    [
        (BOTH, "  ", "--accept: the reason is empty; say why the tokenizer changed"),
        (
            'subjects = ["holed"]\n',
            "meant",
            "names neither a manifest nor a baseline, so --accept has nothing to write",
        ),
        (
            BOTH + 'key = "public.pem"\n',
            "meant",
            "write and sign a new manifest with: tokaudit manifest",
        ),
    ],
)
def test_what_cannot_be_accepted_is_refused_before_any_work(
    workshop: Path, text: str, reason: str, said: str
) -> None:
    (workshop / "tokaudit.toml").write_text(text)
    with pytest.raises(UsageError, match=said):
        refuse_unacceptable(configuration(None, Path()), reason)


def test_a_first_configuration_names_the_uppermost_tokenizers(workshop: Path) -> None:
    Folder.bpe("ab", ["a b"]).write(workshop / "models" / "deep")
    Folder.bpe("ab", ["a b"]).write(workshop / "models" / "deep" / "inner")
    Folder.bpe("ab", ["a b"]).write(workshop / ".hidden")
    target, names = first_configuration(workshop)
    assert names == ("holed", "models/deep", "sound")
    read = tomllib.loads(target.read_text())
    assert read["subjects"][1] == {
        "path": "models/deep",
        "manifest": "models-deep.manifest.json",
    }
    assert [each.name for each in configuration(target, workshop).subjects] == list(names)


def test_a_first_configuration_replaces_none(workshop: Path) -> None:
    first_configuration(workshop)
    with pytest.raises(UsageError, match=r"has a tokaudit\.toml already"):
        first_configuration(workshop)


def test_a_folder_that_is_a_tokenizer_or_holds_none_gets_no_configuration(workshop: Path) -> None:
    with pytest.raises(UsageError, match=r"contains tokenizer\.json, and a configuration"):
        first_configuration(workshop / "sound")
    (workshop / "empty").mkdir()
    with pytest.raises(UsageError, match="no subfolder contains a tokenizer"):
        first_configuration(workshop / "empty")
