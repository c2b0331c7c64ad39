"""`tokaudit compare`: exit codes, what is printed and written, and groups of more than two."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import jsonschema
import pytest

import tokaudit
from tokaudit_folders.folder import Folder
from tokaudit_reports.json_report import schema

Command = Callable[..., "CompletedProcess[str]"]
MERGES = [["a", "b"], ["ab", "c"], ["d", "d"]]


@pytest.fixture
def folder(tmp_path: Path) -> Callable[..., Path]:
    """Writes a tokenizer, changed as asked, with a config next to it."""

    def write(name: str, merges: Any = MERGES, **config: Any) -> Path:
        made = tmp_path / name
        made.mkdir()
        vocab = {token: id for id, token in enumerate(["a", "b", "c", "d", "ab", "abc", "dd"])}
        Folder.bpe(vocab, merges).write(made)
        (made / "tokenizer_config.json").write_text(json.dumps({"padding_side": "left"} | config))
        return made

    return write


def test_equal_tokenizers_exit_with_0(
    folder: Callable[..., Path], tokaudit_in_fork: Command
) -> None:
    moved = folder("b", [MERGES[0], MERGES[2], MERGES[1]])
    done = tokaudit_in_fork("compare", folder("a"), moved, "--tier", "quick")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Comparison: a against b\n" in done.stdout
    assert "  same: 0 of " in done.stdout
    assert "  equivalent (proved) (1): merges\n" in done.stdout


def test_a_difference_exits_with_1_and_is_in_every_format(
    folder: Callable[..., Path], tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    outs = [tmp_path / name for name in ("out.json", "out.html", "out.txt")]
    chosen = [part for out in outs for part in ("--out", out)]
    other = folder("b", [MERGES[0], MERGES[2]])
    done = tokaudit_in_fork("compare", folder("a"), other, "--tier", "quick", "--quiet", *chosen)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    reported = json.loads(outs[0].read_text())
    jsonschema.validate(reported, schema())
    (merges,) = [f for f in reported["comparison"]["facets"] if f["name"] == "merges"]
    (evidence,) = merges["evidence"]
    assert (merges["outcome"], evidence["text"]) == ("differs", "abc")
    assert [token["piece"] for token in evidence["expected"]] == ["abc"]
    assert [token["piece"] for token in evidence["actual"]] == ["ab", "c"]
    assert evidence["note"].startswith("run by the reference and tokenizers ")
    assert reported["comparison"]["relation"] == "resegmented"
    for out in outs[1:]:
        assert "resegmented" in out.read_text() and "padding side" in out.read_text()


def test_a_stated_fact_that_differs_is_named_with_both_files(
    folder: Callable[..., Path], processes: None
) -> None:
    left, right = folder("a"), folder("b", padding_side="right")
    report = tokaudit.compare(left, right, tier="quick")
    assert report.comparison is not None
    (padding,) = [f for f in report.comparison.facets if f.name == "padding side"]
    assert [(p.file, p.pointer, p.value) for p in padding.places] == [
        (f"{left}/tokenizer_config.json", "/padding_side", "left"),
        (f"{right}/tokenizer_config.json", "/padding_side", "right"),
    ]
    assert report.verdict == "fail"


def test_templates_that_render_otherwise_differ(
    folder: Callable[..., Path], tokaudit_in_fork: Command
) -> None:
    one, other = folder("a", chat_template="{{ x }}"), folder("b", chat_template="{{ x }} ")
    done = tokaudit_in_fork("compare", one, other, "--tier", "quick")
    assert (done.returncode, "chat template: differs" in done.stdout) == (1, True)


def test_templates_that_refuse_every_conversation_are_unknown(
    folder: Callable[..., Path], tokaudit_in_fork: Command
) -> None:
    one, other = (folder(n, chat_template=f"{{{{ raise_exception('{n}') }}}}") for n in "ab")
    done = tokaudit_in_fork("compare", one, other, "--tier", "quick")
    shown = " ".join(done.stdout.split())
    assert (done.returncode, "chat template: unknown" in shown) == (3, True)


def test_what_cannot_be_read_exits_with_3(
    folder: Callable[..., Path], tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    done = tokaudit_in_fork("compare", folder("a"), tmp_path / "nowhere")
    assert done.returncode == 3 and "nowhere" in done.stderr


def test_more_than_two_are_grouped_by_what_is_the_same(
    folder: Callable[..., Path], processes: None
) -> None:
    first, other = folder("a"), folder("b", [MERGES[0], MERGES[2]])
    copy = Path(shutil.copytree(other, other.with_name("c")))
    report = tokaudit.compare(first, other, copy, first, tier="quick")
    assert [str(each.relation) for each in report.further] == ["resegmented", "same"]
    assert report.groups == ((str(first), str(first)), (str(other), str(copy)))


def test_more_than_two_are_a_matrix_in_every_format(
    folder: Callable[..., Path], tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    first, other = folder("a"), folder("b", [MERGES[0], MERGES[2]])
    copy = Path(shutil.copytree(other, other.with_name("c")))
    out, page = tmp_path / "out.json", tmp_path / "out.html"
    done = tokaudit_in_fork(
        *("compare", first, other, copy, "--tier", "quick", "--out", out, "--out", page)
    )
    assert done.returncode == 1 and "Each against each" in done.stderr
    reported = json.loads(out.read_text())
    jsonschema.validate(reported, schema())
    assert reported["compared"] == [str(first), str(other), str(copy)]
    assert reported["matrix"] == [
        ["same", "resegmented", "resegmented"],
        ["resegmented", "same", "same"],
        ["resegmented", "same", "same"],
    ]
    assert reported["groups"] == [[str(first)], [str(other), str(copy)]]
    assert "Each against each" in page.read_text()


def test_the_map_of_other_ids_is_written_only_where_it_is_one(
    folder: Callable[..., Path], tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    first, moved = folder("a"), folder("b")
    path = moved / "tokenizer.json"
    stated = json.loads(path.read_text())
    stated["model"]["vocab"] |= {"a": 1, "b": 0}
    path.write_text(json.dumps(stated))
    target = tmp_path / "map.json"
    done = tokaudit_in_fork("compare", first, moved, "--tier", "quick", "--write-map", target)
    assert done.returncode == 1 and "  remapped: " in done.stdout
    made = json.loads(target.read_text())
    assert made["ids"] == {"0": 1, "1": 0, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6}
    assert (made["proved"], made["only_left"], made["only_right"]) == (True, [], [])
    target.unlink()
    done = tokaudit_in_fork("compare", first, first, "--tier", "quick", "--write-map", target)
    assert done.returncode == 0 and not target.exists()
    assert (
        f"{target}: not written; a map of ids needs tokenizers that are remapped, and these are same"
        in done.stderr
    )


def test_a_purpose_decides_the_exit_code(
    folder: Callable[..., Path], tokaudit_in_fork: Command
) -> None:
    one, other = folder("a"), folder("b", padding_side="right")
    asked = "compare", one, other, "--tier", "quick", "--for"
    assert tokaudit_in_fork(*asked, "training").returncode == 1
    done = tokaudit_in_fork(*asked, "cached-ids")
    assert done.returncode == 0
    assert "for cached-ids: pass, it holds" in done.stdout
    assert tokaudit_in_fork(*asked, "everything").returncode == 2


def test_fewer_than_two_are_refused(folder: Callable[..., Path], tokaudit_in_fork: Command) -> None:
    assert tokaudit_in_fork("compare", folder("a")).returncode == 2


def test_a_time_limit_is_taken_and_nonsense_refused(
    folder: Callable[..., Path], tokaudit_in_fork: Command
) -> None:
    one, other = folder("a"), folder("b", [MERGES[0], MERGES[2]])
    done = tokaudit_in_fork("compare", one, other, "--tier", "quick", "--timeout", "300")
    assert done.returncode == 1
    refused = tokaudit_in_fork("compare", one, other, "--timeout", "0")
    assert refused.returncode == 2
    assert "timeout 0.0: is not a number of seconds" in refused.stderr


def test_of_more_than_two_the_first_line_of_every_format_speaks_of_all(
    folder: Callable[..., Path], tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    first, same = folder("a"), folder("b")
    other = folder("c", [MERGES[0], MERGES[2]])
    outs = [tmp_path / name for name in ("out.json", "out.html", "out.md", "out.txt")]
    chosen = [part for out in outs for part in ("--out", out)]
    done = tokaudit_in_fork("compare", first, same, other, "--tier", "quick", "--quiet", *chosen)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    reported = json.loads(outs[0].read_text())
    assert reported["verdict_reason"] == "these differ: merges"
    for out in outs[1:]:
        shown = " ".join(out.read_text().replace("\\", "").split())
        assert "3 tokenizers" in shown
        assert "Not all of a, b and c are interchangeable: a and c differ in merges" in shown
        assert "b and c differ" in shown
        assert "a and b are the same, which is proved" in shown


def test_settings_that_differ_leave_serving_unknown_in_every_format(
    folder: Callable[..., Path], tokaudit_in_fork: Command, tmp_path: Path
) -> None:
    one, other = folder("a", legacy=True), folder("b", legacy=False)
    outs = [tmp_path / name for name in ("out.json", "out.html", "out.md", "out.txt")]
    chosen = [part for out in outs for part in ("--out", out)]
    asked = ("compare", one, other, "--for", "serving", "--tier", "quick", "--quiet")
    assert tokaudit_in_fork(*asked, *chosen).returncode == 3
    reported = json.loads(outs[0].read_text())
    jsonschema.validate(reported, schema())
    assert reported["comparison"]["relation"] == "unknown"
    assert reported["comparison"]["uncompared"] == ["tokenizer_config.json"]
    said = "The effect of tokenizer_config.json was not compared; cannot tell whether a and b"
    for out in outs[1:]:
        shown = " ".join(out.read_text().replace("&#39;", "'").replace("\\", "").split())
        assert said in shown
        assert "settings files" in shown
