"""What `tokaudit verify` makes of a statement that somebody changed: exit code and place.

The tokenizer itself is not needed for this: what it is now is written down here.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tokaudit.cli import main
from tokaudit.foundation.errors import TokauditError
from tokaudit.products.identity.drift import differences
from tokaudit.products.identity.manifest_schema import schema
from tokaudit.products.identity.statement import read, write

LIBRARY = "behaviour-v1@tokenizers-0.22.1"
FACT = "x@1/config.json#/vocab_size"
NOW: dict[str, Any] = {
    "_type": "https://in-toto.io/Statement/v1",
    "subject": [
        {"name": "tokenizer.json", "digest": {"sha256": "a" * 64}},
        {
            "name": "w.safetensors",
            "digest": {"sha256": "b" * 64},
            "annotations": {"role": "weights"},
        },
    ],
    "predicateType": "https://tokaudit.dev/manifest/v1",
    "predicate": {
        "identity": {
            "vocab-v1": "sha256:" + "1" * 64,
            "behaviour-v1": "sha256:" + "2" * 64,
            LIBRARY: "sha256:" + "2" * 64,
        },
        "facts": {
            FACT: 400,
            "config.json#/pad": None,
            "t.json#/x": "\ud800",
            "c.json#/l": [1, {"a": 2}],
        },
        "environment": {"python": "3.11.2"},
    },
}
OTHER = "sha256:" + "9" * 64
REMOVED = object()


def changed(place: str, value: Any) -> str:
    """The statement as text with one place, a JSON pointer, set or removed."""
    statement: Any = copy.deepcopy(NOW)
    *above, last = [part.replace("~1", "/").replace("~0", "~") for part in place.split("/")[1:]]
    holder = statement
    for part in above:
        holder = holder[int(part) if isinstance(holder, list) else part]
    key = int(last) if isinstance(holder, list) else last
    if value is REMOVED:
        del holder[key]
    else:
        holder[key] = value
    return json.dumps(statement)


IDENTITY, FACTS = "/predicate/identity", "/predicate/facts"
AT_FACT = FACTS + "/" + FACT.replace("/", "~1")
TEXT = json.dumps(NOW)
# Each row: what was changed, the exit code, and what the first line says.
TABLE: dict[str, tuple[str, int, str]] = {
    "nothing": (TEXT, 0, ""),
    "layout only": (write(NOW), 0, ""),
    "a minor version": (changed("/predicateType", NOW["predicateType"] + ".3"), 0, ""),
    "a member that v1 does not know": (changed("/later", [1]), 0, ""),
    "no environment": (changed("/predicate/environment", REMOVED), 0, ""),
    "another environment": (changed("/predicate/environment/python", "3.13"), 0, ""),
    "the library's digest": (
        changed(f"{IDENTITY}/{LIBRARY}", OTHER),
        0,
        "warning: library behaviour-v1@",
    ),
    "another library version": (
        changed(f"{IDENTITY}/behaviour-v1@tokenizers-0.1", OTHER),
        0,
        "warning: library",
    ),
    "no library": (changed(f"{IDENTITY}/{LIBRARY}", REMOVED), 0, "warning: library behaviour-v1@"),
    "a file's digest": (
        changed("/subject/0/digest/sha256", "c" * 64),
        0,
        "note: files tokenizer.json",
    ),
    "a file's name": (changed("/subject/0/name", "x\n::error::y"), 0, "note: files tokenizer.json"),
    "a second algorithm": (changed("/subject/0/digest/sha512", "cc"), 0, ""),
    "an identity": (changed(f"{IDENTITY}/vocab-v1", OTHER), 1, "drift: identity vocab-v1"),
    "an identity removed": (
        changed(f"{IDENTITY}/vocab-v1", REMOVED),
        1,
        "drift: identity vocab-v1: was absent",
    ),
    "an identity added": (
        changed(f"{IDENTITY}/decoder-v1", OTHER),
        1,
        "drift: identity decoder-v1",
    ),
    "an identity with an at sign": (
        changed(f"{IDENTITY}/vocab-v1@x-1", OTHER),
        1,
        "drift: identity vocab-v1@x-1",
    ),
    "an identity before the library's name": (
        changed(f"{IDENTITY}/x behaviour-v1@y-1", OTHER),
        1,
        "drift: identity x",
    ),
    "a library without a version": (
        changed(f"{IDENTITY}/behaviour-v1@x", OTHER),
        1,
        "drift: identity behaviour-v1@x",
    ),
    "the behaviour": (
        changed(f"{IDENTITY}/behaviour-v1", OTHER),
        1,
        "drift: identity behaviour-v1",
    ),
    "a fact in a path with an at sign": (
        changed(AT_FACT, 500),
        1,
        "drift: facts x@1/config.json#/vocab_size: was 500, is 400",
    ),
    "a fact named like a library": (
        changed(f"{FACTS}/{LIBRARY}", 1),
        1,
        "drift: facts behaviour-v1@",
    ),
    "a fact removed": (changed(AT_FACT, REMOVED), 1, "drift: facts x@1"),
    "a fact that is null removed": (
        changed(f"{FACTS}/config.json#~1pad", REMOVED),
        1,
        "drift: facts config.json#/pad",
    ),
    "a fact as text": (changed(AT_FACT, "400"), 1, "drift: facts x@1"),
    "a fact as a fraction": (changed(AT_FACT, 400.0), 1, "drift: facts x@1"),
    "inside a fact": (changed(f"{FACTS}/c.json#~1l/1/a", True), 1, "drift: facts c.json#/l"),
    "a fact that attacks the terminal": (
        changed(f"{FACTS}/\n::error::\x1b[31m##[group]", 1),
        1,
        "drift: facts ⏎∷error∷␛[31m##⟦group]",
    ),
    "no facts left": (changed(FACTS, {}), 1, "drift: facts"),
    "the weights' digest": (
        changed("/subject/1/digest/sha256", "c" * 64),
        1,
        "drift: weights w.safetensors",
    ),
    "more in the weights' annotations": (
        changed(
            "/subject/1",
            {
                "name": "w.safetensors",
                "digest": {"sha256": "c" * 64},
                "annotations": {"role": "weights", "x": 1},
            },
        ),
        1,
        "drift: weights",
    ),
    "the type": (changed("/_type", "https://in-toto.io/Statement/v0.1"), 2, "/_type is"),
    "no type": (changed("/_type", REMOVED), 2, "/_type is missing"),
    "the next major version": (
        changed("/predicateType", "https://tokaudit.dev/manifest/v2"),
        2,
        "/predicateType is",
    ),
    "major version eleven": (
        changed("/predicateType", "https://tokaudit.dev/manifest/v11"),
        2,
        "/predicateType is",
    ),
    "another predicate": (
        changed("/predicateType", "https://slsa.dev/provenance/v1"),
        2,
        "/predicateType is",
    ),
    "a predicate type that is a number": (
        changed("/predicateType", 1),
        2,
        "/predicateType is number; expected string",
    ),
    "no subject": (changed("/subject", REMOVED), 2, "/subject is missing"),
    "a subject that is empty": (changed("/subject", []), 2, "/subject is empty"),
    "a subject that is an object": (
        changed("/subject", {}),
        2,
        "/subject is object; expected array",
    ),
    "a subject entry that is null": (
        changed("/subject/1", None),
        2,
        "/subject/1 is null; expected object",
    ),
    "a file without a name": (changed("/subject/0/name", REMOVED), 2, "/subject/0/name is missing"),
    "a file named twice": (
        changed("/subject/0/name", "w.safetensors"),
        2,
        "/subject/1/name names a file",
    ),
    "no digest": (changed("/subject/0/digest", {}), 2, "/subject/0/digest/sha256 is missing"),
    "a digest that is too short": (
        changed("/subject/0/digest/sha256", "ab"),
        2,
        "/subject/0/digest/sha256 is",
    ),
    "a digest in capitals": (
        changed("/subject/0/digest/sha256", "A" * 64),
        2,
        "/subject/0/digest/sha256 is",
    ),
    "a digest and a line feed": (
        changed("/subject/0/digest/sha256", "a" * 64 + "\n"),
        2,
        "/subject/0/digest/sha256 is",
    ),
    "annotations that are a list": (
        changed("/subject/1/annotations", []),
        2,
        "/subject/1/annotations is array",
    ),
    "a role that is a list": (
        changed("/subject/1/annotations/role", ["weights"]),
        2,
        "/subject/1/annotations/role is array",
    ),
    "a predicate that is a list": (
        changed("/predicate", []),
        2,
        "/predicate is array; expected object",
    ),
    "no identity": (changed(IDENTITY, REMOVED), 2, "/predicate/identity is missing"),
    "an empty identity": (changed(IDENTITY, {}), 2, "/predicate/identity is empty"),
    "an identity without its algorithm": (
        changed(f"{IDENTITY}/vocab-v1", "1" * 64),
        2,
        "/predicate/identity/vocab-v1 is",
    ),
    "an identity that is null": (
        changed(f"{IDENTITY}/a~1~0b", None),
        2,
        "/predicate/identity/a~1~0b is null; expected string",
    ),
    "facts that are a list": (changed(FACTS, [1]), 2, "/predicate/facts is array; expected object"),
    "facts that are null": (changed(FACTS, None), 2, "/predicate/facts is null; expected object"),
    "facts that are text": (changed(FACTS, "x"), 2, "/predicate/facts is string; expected object"),
    "a version that is a number": (
        changed("/predicate/environment/python", 3.11),
        2,
        "/predicate/environment/python is number",
    ),
    "a number beyond what floats hold": (
        TEXT.replace("400", "1e400"),
        2,
        "is inf, which is not a number in JSON",
    ),
    "a fact nested too deeply": (
        TEXT.replace("400", "[" * 300 + "]" * 300),
        2,
        "/predicate/facts/x@1~1config.json#~1vocab_size is nested",
    ),
    "a list": ("[]", 2, "the whole is array; expected object"),
    "null": ("null", 2, "the whole is null; expected object"),
    "a key given twice": (
        TEXT.replace('"facts":', '"facts": {}, "facts":'),
        3,
        'the key "facts" is given twice',
    ),
    "not a number": (TEXT.replace("400", "NaN"), 3, "NaN is not a number in JSON"),
    "infinity": (TEXT.replace("400", "-Infinity"), 3, "-Infinity is not a number in JSON"),
    "too many digits": (TEXT.replace("400", "4" * 5000), 3, "Exceeds the limit"),
    "nested a hundred thousand deep": ("[" * 100_000, 3, "is nested too deeply to be a manifest"),
    "half of it": (TEXT[:200], 3, "is not JSON"),
    "nothing at all": ("", 3, "is not JSON"),
    "a byte order mark": ("\ufeff" + TEXT, 3, "is not JSON"),
    "17 MB of spaces": (TEXT + " " * 17_000_000, 3, "bytes; at most"),
}


def outcome(text: str, folder: Path) -> tuple[int, str]:
    """The exit code and the lines that `tokaudit verify` prints."""
    path = folder / "manifest.json"
    path.write_text(text)
    try:
        drifts = differences(read(path), NOW)
    except TokauditError as error:
        return error.exit_code, str(error)
    return int(any(drift.gated for drift in drifts)), "\n".join(map(str, drifts))


@pytest.mark.parametrize("name", TABLE)
def test_a_tampered_statement_has_its_exit_code_and_place(name: str, tmp_path: Path) -> None:
    text, code, said = TABLE[name]
    found, lines = outcome(text, tmp_path)
    assert (found, said in lines) == (code, True), lines


@pytest.mark.parametrize("name", TABLE)
def test_the_published_schema_refuses_what_verify_refuses(name: str) -> None:
    text, code, said = TABLE[name]
    beyond_a_schema = "names a file" in said or "not a number" in said or "nested" in said
    if code == 3 or beyond_a_schema:
        return
    # The schema library lets a pattern end before a line feed.
    valid = jsonschema.Draft202012Validator(schema()).is_valid(
        json.loads(text.replace('\\n"', '_"'))
    )
    assert valid == (code != 2)


def test_bytes_that_are_not_utf_8_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "m.json").write_bytes(b'{"\xff": 1}')
    with pytest.raises(TokauditError, match="is not UTF-8 at byte 2"):
        read(tmp_path / "m.json")


@pytest.mark.parametrize("facts", ["list", "null", "str"])
def test_the_command_refuses_facts_of_the_wrong_type_in_one_line(
    facts: str, hostile2: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = hostile2 / f"manifest_facts_{facts}.json"
    assert main(["verify", str(hostile2 / "at_sign_folder"), str(manifest)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "/predicate/facts is" in error


def test_the_command_finds_the_drift_of_a_fact_in_a_path_with_an_at_sign(
    hostile2: Path, capsys: pytest.CaptureFixture[str], processes: None
) -> None:
    folder = hostile2 / "at_sign_folder"
    assert main(["verify", str(folder), f"{folder}.manifest.json"]) == 1
    shown = capsys.readouterr().out
    assert "drift: facts x@1/config.json#/vocab_size: was 400, is 500\n" in shown


@pytest.fixture
def hostile2(material: Path) -> Path:
    return material / "hostile2"
