"""What fuzzing found stays fixed, and fuzzing finds what is there to be found."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from locations import ROOT

from tokaudit.subject.formats import all_formats
from tokaudit_fuzz import command_lines, frames
from tokaudit_fuzz.every_leaf import ADDED, VALUES, added, cases, of_keys, of_samples, tried
from tokaudit_fuzz.mutation import changed_files
from tokaudit_fuzz.running import Tally, TooSlow, attempt, keep, one_round, read, too_slow
from tokaudit_fuzz.sample import Files
from tokaudit_fuzz.samples import SAMPLES, checkpoint
from tokaudit_fuzz.targets import TARGETS, Target

FOUND = sorted((Path(__file__).parent / "found").glob("*.json"))
SMALL: Files = {"a.json": b'{"a": [1, 2]}', "b.bin": b"12345678"}


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_what_was_found_escapes_no_more(path: Path) -> None:
    target, files = read(path)
    attempt(TARGETS[target], files)


def test_every_format_is_a_target() -> None:
    assert {f"parse {format.name}" for format in all_formats()} <= TARGETS.keys()
    assert {build for builds in SAMPLES.values() for build in builds} < set(
        TARGETS["audits"].samples
    )


def test_the_checkpoint_passes_every_check_that_needs_no_worker() -> None:
    reported = Tally("checks")
    attempt(TARGETS["checks"], checkpoint(), reported)
    assert (reported.inputs, reported.taken) == (1, 1)


def breaks(folder: Path) -> bool:
    """Escapes for every `b.bin` but the sound one."""
    if (folder / "b.bin").read_bytes() != SMALL["b.bin"]:
        raise ValueError("it is not what it was")
    return True


def test_what_escapes_is_named_once_and_kept_as_small_as_it_can_be(tmp_path: Path) -> None:
    target, reported = Target("small", (lambda: SMALL,), breaks), Tally("small")
    for seed in range(2):
        one_round(target, reported, math.inf, seed, tmp_path)
    assert reported.escapes == {"ValueError at test_fuzz.py:breaks": "it is not what it was"}
    [kept] = tmp_path.iterdir()
    name, files = read(kept)
    assert (name, files["a.json"]) == ("small", SMALL["a.json"])
    with pytest.raises(ValueError, match="it is not what it was"):
        attempt(target, files)


def hangs(_: Path) -> bool:
    while True:
        pass


def test_an_input_that_takes_too_long_is_interrupted_and_escapes() -> None:
    before = signal.signal(signal.SIGPROF, too_slow)
    try:
        with pytest.raises(TooSlow):
            attempt(Target("hangs", (lambda: SMALL,), hangs, seconds=0.01), SMALL)
    finally:
        signal.signal(signal.SIGPROF, before)


@pytest.mark.parametrize("data", [b"text \xc3\xa9", b"\xff\x00"])
def test_an_input_that_is_kept_is_read_as_it_was(tmp_path: Path, data: bytes) -> None:
    assert read(keep("parse rwkv", {"a": data}, tmp_path)) == ("parse rwkv", {"a": data})


@settings(deadline=None, max_examples=100, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_sample_can_be_changed_in_any_way(data: st.DataObject) -> None:
    files = checkpoint()
    changed = data.draw(changed_files(files))
    assert changed.keys() == files.keys()
    assert all(type(content) is bytes for content in changed.values())


def test_the_command_prints_a_table_and_says_that_nothing_escaped(
    tmp_path: Path, processes: None
) -> None:
    command = [sys.executable, "-m", "tokaudit_tools", "fuzz", "--minutes=0.02", "--seed=1"]
    done = subprocess.run(
        [*command, "--target=parse rwkv", f"--keep={tmp_path}"],
        env={**os.environ, "PYTHONPATH": str(ROOT / "tools")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    first, head, row, last = done.stdout.splitlines()
    assert first == "seed 1; 0.02 minutes"
    assert head.split() == ["target", "inputs", "taken", "escapes", "slowest", "memory"]
    assert row.startswith("parse rwkv ")
    assert last.endswith(" inputs, 0 escapes")


LEAVES: Files = {"a.json": b'{"b": {"c": 1}, "d": [2]}'}


def test_every_leaf_gets_a_value_of_every_type() -> None:
    found = [(place, title) for place, title, _ in cases(json.loads(LEAVES["a.json"]))]
    places = [(), ("b",), ("b", "c"), ("d",), ("d", 0)]
    assert found == [(place, title) for place in places for title in VALUES]


def test_a_settings_file_of_our_samples_has_no_escape() -> None:
    chosen = next(each for each in of_samples() if each.title == "bytes 0: tokenizer_config.json")
    found = tried(chosen)
    assert (found.leaves, found.cases, found.escapes) == (2, 22, {})


def test_every_key_that_a_file_lacks_is_added_with_a_value_of_every_type() -> None:
    found = [*added({"a": 1}, ["b"])]
    assert [title for _, title, _ in found] == [*ADDED]
    assert found[0] == (("b",), "null", {"a": 1, "b": None})
    settings = {each.title: each.keys for each in of_keys()}
    assert "suppress_tokens" in settings["speech and generation_config.json"]
    assert "forced_decoder_ids" not in settings["speech and generation_config.json"]
    assert "forced_decoder_ids" in settings["checkpoint and generation_config.json"]


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("speech and config.json", "forced_decoder_ids"),
        ("speech and generation_config.json", "suppress_tokens"),
        ("checkpoint and tokenizer_config.json", "add_prefix_space"),
    ],
)
def test_a_key_of_any_type_that_a_folder_lacked_crashes_no_check(title: str, key: str) -> None:
    chosen = next(each for each in of_keys() if each.title == title)
    found = tried(replace(chosen, keys=(key,)))
    assert (found.cases, found.escapes) == (len(ADDED), {})


@pytest.mark.parametrize(
    "line",
    [["audit", ""], ["audit", "nowhere"], ["aud"], ["audit", "subject", "--jobs", "0"], ["id"]],
    ids=" ".join,
)
def test_a_command_line_of_any_words_ends_as_documented(line: list[str], tmp_path: Path) -> None:
    (tmp_path / "lines.json").write_text(json.dumps([line]))
    assert command_lines.run(tmp_path)


@pytest.mark.parametrize(
    ("data", "taken"),
    [
        (b"\0\0\0\2{}", True),
        (b"\0\0\0\2[]", False),
        (b"\xff\xff\xff\xff{}", False),
        (b"\0\0\0\3{}", False),
        (b"\0\0\0\2{\xff", False),
        (b"", False),
    ],
)
def test_a_frame_is_taken_or_refused(data: bytes, taken: bool, tmp_path: Path) -> None:
    (tmp_path / frames.NAME).write_bytes(data)
    assert frames.run(tmp_path) is taken


def test_coverage_guides_where_atheris_is_installed(tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="no atheris: pip install 'tokaudit[fuzz]'")
    command = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "tokaudit_tools",
        "fuzz-guided",
        "--target",
        "frames",
    ]
    command += ["--minutes", "0.05", "--corpus", str(tmp_path / "c"), "--keep", str(tmp_path / "k")]
    done = subprocess.run(
        command,
        env={**os.environ, "PYTHONPATH": str(ROOT / "tools")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-500:]
    assert " cov: " in done.stderr
    assert list((tmp_path / "c" / "frames").iterdir())
    assert list((tmp_path / "k").iterdir()) == []
