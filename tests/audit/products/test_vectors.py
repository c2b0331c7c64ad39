"""`tokaudit.vectors` and `tokaudit.replay`: lines that any engine can be asked."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import tokaudit
from tokaudit.products.engines.covering.decodes import decodes_of
from tokaudit.products.engines.covering.vectors import MOST_LINES, vector_texts
from tokaudit.products.engines.covering.vectors_file import (
    Decode,
    FailedLine,
    Line,
    digest_of,
    read,
    written,
)
from tokaudit.products.engines.referee.match import Match
from tokaudit.products.engines.vectors import _with_minimal, lines_of, replayed
from tokaudit.runtimes.protocol import DecodeOptions, EncodeOptions, Encoding
from tokaudit_folders.folder import Folder
from tokaudit_reference.spec import Component, ModelType, Standing, TokenizerSpec
from tokaudit_runtimes.engine import Engine
from tokaudit_runtimes.faults import faults

PAGE = Path(__file__).resolve().parents[3] / "docs" / "vectors.md"


@pytest.fixture
def subject(tmp_path: Path) -> Path:
    """A small tokenizer with one added token, and what replaces a letter before it is encoded."""
    folder = Folder.bpe("abc .", ["a b", "ab c"]).added("<s>")
    step = {"type": "Replace", "pattern": {"String": "qz"}, "content": "a"}
    return folder.changed(normalizer=step, decoder={"type": "Fuse"}).write(tmp_path / "subject")


def test_the_lines_hold_for_the_library_and_cover_what_the_file_does(
    subject: Path, tmp_path: Path, processes: None
) -> None:
    found = tokaudit.vectors(subject)
    assert 100 < len(found.lines) + len(found.decodes) <= MOST_LINES
    assert any(line.as_text for line in found.lines)
    assert len({tuple(each.ids) for each in found.decodes}) == len(found.decodes) > 3
    assert any("qz" in line.text for line in found.lines)
    assert any("<s>" in line.text for line in found.lines)
    file = tmp_path / "vectors.json"
    file.write_text(written(found))
    found_again = tokaudit.replay(subject, str(file), runtime="tokenizers")
    assert (found_again.failed, found_again.given) == (
        (),
        len(found.lines) + len(found.decodes),
    )
    assert found_again.whole and not found_again.not_given


def test_an_engine_without_a_step_fails_lines_of_that_step(
    subject: Path, tmp_path: Path, processes: None
) -> None:
    file = tmp_path / "vectors.json"
    file.write_text(written(tokaudit.vectors(subject)))
    other = json.loads((subject / "tokenizer.json").read_text()) | {"normalizer": None}
    (subject / "tokenizer.json").write_text(json.dumps(other))
    failed = tokaudit.replay(subject, str(file), runtime="tokenizers").failed
    assert failed and all("qz" in each.line.text for each in failed)


def test_lines_that_were_edited_are_refused(subject: Path, tmp_path: Path, processes: None) -> None:
    file = tmp_path / "vectors.json"
    file.write_text(written(tokaudit.vectors(subject)).replace('"ids":[0', '"ids":[1', 1))
    with pytest.raises(tokaudit.UsageError, match="do not match the digest"):
        tokaudit.replay(subject, str(file))


@pytest.mark.parametrize(
    "text", ["[]", "{}", '{"schema": "tokaudit.vectors/1"}', "\x00", "[" * 9_999]
)
def test_any_other_file_is_refused(subject: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "other.json").write_text(text)
    with pytest.raises(tokaudit.UsageError, match="is not a file of test vectors"):
        tokaudit.replay(subject, str(tmp_path / "other.json"))


def test_twenty_lines_of_python_on_the_page_need_nothing_of_ours(
    subject: Path, tmp_path: Path, processes: None
) -> None:
    (subject / "vectors.json").write_text(written(tokaudit.vectors(subject)))
    block = re.search(r"```py\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert block is not None and block[1].count("\n") <= 20
    done = subprocess.run([sys.executable, "-c", block[1]], cwd=subject, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_the_lines_are_the_same_each_time_and_their_digest_too(subject: Path) -> None:
    with tokaudit.open(subject) as opened:
        spec = opened.spec
    assert vector_texts(spec) == vector_texts(spec)
    assert digest_of([]) == digest_of([])


def test_the_list_of_faults_has_sixty_in_two_halves() -> None:
    found = faults()
    assert len(found) == len({fault.name for fault in found}) == 60
    assert sorted(fault.half for fault in found) == ["first"] * 30 + ["second"] * 30


def test_lines_that_an_engine_cannot_be_given_are_counted_and_never_passed(
    subject: Path, tmp_path: Path, processes: None
) -> None:
    file = tmp_path / "vectors.json"
    lines = tokaudit.vectors(subject)
    file.write_text(written(lines))
    known = {line.text: line.ids for line in lines.lines if "<s>" not in line.text}
    table = tmp_path / "known.json"
    table.write_text(json.dumps(known))
    (tmp_path / "engine.py").write_text(
        "import json, sys\n"
        f"known = json.load(open({str(table)!r}))\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    says = {'ids': known[asked['text']]} if asked['op'] == 'encode' else {'error': 'no'}\n"
        "    print(json.dumps(says), flush=True)\n"
    )
    engine = f"cmd:{sys.executable} {tmp_path / 'engine.py'}"
    found = tokaudit.replay(subject, str(file), runtime=engine)
    with_token = sum("<s>" in line.text for line in lines.lines)
    assert not found.whole
    assert [n for what, n in found.not_given.items() if "added tokens" in what] == [with_token]
    assert found.given == len(lines.lines) - with_token + len(lines.decodes)
    assert {each.what for each in found.failed} <= {"decoded"}


def test_a_failed_line_shows_at_most_200_characters_around_the_first_difference() -> None:
    line = Line("x", "t" * 5_000, list(range(3_000)), None, None)
    found = FailedLine(1, line, "ids", str([*range(2_000), 7, *range(2_001, 3_000)]))
    words = found.in_words()
    assert len(words) < 700
    assert "; minimal: 'ttt" in replace(found, minimal="t" * 900).in_words()
    decode = FailedLine(2, Decode("y", [1], "a"), "decoded", "'b'")
    assert decode.in_words() == "decode 2, y, decoded: [1]: 'b', expected 'a'"
    assert "1999, 7, 2001" in words and "1999, 2000, 2001" in words


def test_a_file_of_the_first_version_is_replayed_too(
    subject: Path, tmp_path: Path, processes: None
) -> None:
    found = tokaudit.vectors(subject)
    old = json.loads(written(found)) | {"schema": "tokaudit.vectors/1"}
    del old["decodes"]
    for line in old["lines"]:
        line.pop("as_text", None)
    lines = [Line(**line) for line in old["lines"]]
    data = json.dumps(old | {"digest": digest_of(lines)}).encode()
    assert len(read(data, "old").lines) == len(found.lines)
    (tmp_path / "old.json").write_bytes(data)
    again = tokaudit.replay(subject, str(tmp_path / "old.json"))
    assert again.given == len(found.lines)


def test_an_engine_that_ignores_the_switch_or_loses_half_characters_fails_those_lines(
    subject: Path,
) -> None:
    with tokaudit.open(subject) as opened:
        spec = opened.spec

    class Careless(Engine):
        def one(self, text: str, options: EncodeOptions) -> Encoding:
            return super().one(text, replace(options, parse_special=True))

        def decode(self, ids: Any, options: DecodeOptions = DecodeOptions()) -> list[bytes | str]:
            return [str(one).replace("\ufffd", "") for one in super().decode(ids, options)]

    sound = Engine(spec)
    lines, decodes = lines_of(vector_texts(spec), sound), decodes_of(spec, sound)
    assert replayed(lines, sound, spec, decodes).failed == ()
    failed = replayed(lines, Careless(spec), spec, decodes).failed
    assert "as_text" in {each.what for each in failed}


def test_failed_lines_have_a_minimal_text_where_the_file_differs_too(subject: Path) -> None:
    with tokaudit.open(subject) as opened:
        spec = opened.spec
    sound, engine = Engine(spec), Engine(replace(spec, normalizer=Component(None, Standing.STATED)))
    lines = lines_of(vector_texts(spec), sound)
    failed = replayed(lines, engine, spec).failed
    found = list(_with_minimal(failed, Match(spec, sound, engine)))
    assert [each.line for each in found] == [each.line for each in failed]
    assert {each.minimal for each in found if each.what == "ids"} == {"qz"}


def test_the_lines_hold_what_engines_get_wrong_whatever_the_tokenizer_is() -> None:
    found = vector_texts(TokenizerSpec(ModelType.BPE, {}))
    text = "\n".join(each.text for each in found)
    wanted = ("O'DONNELL", "xʼs", "a\u3000b", "a\x1cb", "𠀀𠀁", "ΟΔΟΣ ΑΣ", "½½½½", "क्\u200dष")
    assert [one for one in wanted if one not in text] == []
    assert {"a\x00", "\ufeffa", "a\u3000", "Σ"} <= {each.text for each in found}
    assert len(found) <= MOST_LINES
