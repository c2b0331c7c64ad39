"""The Action, the hooks and the snippets of docs/ci.md: valid, safe, and run as they are."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from command_door import Door
from door_program import programs_of, write_program
from locations import ROOT
from processes import Command
from run_pytest import run_pytest

from tokaudit.cli import _parser_of
from tokaudit.engine.options import TIERS
from tokaudit.engine.outcome.verdict import NEVER
from tokaudit.report.model import Severity
from tokaudit.testing.pytest_plugin import OPTIONS
from tokaudit_folders.folder import Folder

ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
CI_PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")
SNIPPETS = re.findall(r"^```yaml\n(.*?)^```$", CI_PAGE, re.DOTALL | re.MULTILINE)
INPUT = re.compile(r"\$\{\{\s*inputs\.([\w-]+)\s*\}\}")
USED = ("actions/setup-python", "actions/cache", "actions/upload-artifact")


def schema_errors(schema: str, file: Path) -> str:
    """What check-jsonschema says of a file by a schema that it ships; empty where it is valid."""
    from check_jsonschema import main
    from click.testing import CliRunner

    done = CliRunner().invoke(main, ["--builtin-schema", schema, str(file)])
    return "" if done.exit_code == 0 else done.output


def pre_commit(*arguments: str | Path) -> int:
    """How pre-commit ends, which is imported by those who ask."""
    from pre_commit.main import main

    return main(list(map(str, arguments)))


def test_the_action_is_valid_by_the_schema() -> None:
    assert schema_errors("vendor.github-actions", ROOT / "action.yml") == ""


def test_the_hooks_are_valid_by_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
    assert text and HOOKS
    assert pre_commit("validate-manifest", ROOT / ".pre-commit-hooks.yaml") == 0
    assert capsys.readouterr() == ("", "")


SEEN = (
    "tokenizer.json",
    "models/a/tokenizer.model",
    "a/vocab.txt",
    "a/model.safetensors",
    "a.gguf",
    "a b/tokenizer.json",
    "-dash/vocab.txt",
    """it's "q" `b`/merges.txt""",
    "模型/config.json",
    "new\nline/tokenizer é\n.json",
)
UNSEEN = ("README.md", "config.py", "tokenizer.py", "data/text.txt", "vocabulary_test.py")


def test_the_hooks_run_for_files_of_a_tokenizer_and_not_for_others() -> None:
    audit, verify, gate = (re.compile(hook["files"]) for hook in HOOKS)
    for pattern in (audit, verify):
        assert [name for name in SEEN if not pattern.search(name)] == []
        assert [name for name in UNSEEN if pattern.search(name)] == []
    assert all(gate.search(name) for name in SEEN + UNSEEN)


def test_the_snippets_of_the_page_are_valid_by_their_schemas(tmp_path: Path) -> None:
    github, sarif, gitlab, hook, kept = map(yaml.safe_load, SNIPPETS)
    job = {"runs-on": "ubuntu-latest", "steps": [*github, *sarif, *kept]}
    files = {
        "vendor.github-workflows": {"on": "push", "jobs": {"gate": job}},
        "vendor.gitlab-ci": gitlab,
    }
    for schema, content in files.items():
        file = tmp_path / f"{schema}.yml"
        file.write_text(yaml.safe_dump(content))
        assert schema_errors(schema, file) == ""
    (tmp_path / "config.yaml").write_text(yaml.safe_dump({"repos": hook}))
    assert pre_commit("validate-config", tmp_path / "config.yaml") == 0
    assert set(github[0]["with"]) <= ACTION["inputs"].keys()
    assert {each["id"] for each in hook[0]["hooks"]} <= {each["id"] for each in HOOKS}


def test_the_page_names_every_input_hook_and_option_in_at_most_800_words() -> None:
    assert len(CI_PAGE.split()) <= 800
    options = [name for name, _, _ in OPTIONS]
    for name in (*ACTION["inputs"], *(hook["id"] for hook in HOOKS), *options):
        assert name in CI_PAGE, name


def test_the_action_uses_only_these_actions_each_at_a_commit() -> None:
    used = [step["uses"].partition("@") for step in STEPS if "uses" in step]
    assert tuple(name for name, _, _ in used) == USED
    assert all(re.fullmatch("[0-9a-f]{40}", commit) for _, _, commit in used)


def test_no_script_of_the_action_has_an_expression_in_it() -> None:
    scripts = [step["run"] for step in STEPS if "run" in step]
    assert len(scripts) == 3
    assert not any("${{" in script for script in scripts)


def test_each_option_that_the_action_gives_is_one_of_its_command() -> None:
    (script,) = [step["run"] for step in STEPS if step.get("id") == "run"]
    cases = re.findall(r"^ {2}(\w+)\)\n(.*?);;", script, re.DOTALL | re.MULTILINE)
    assert [command for command, _ in cases] == ["audit", "verify", "compare", "gate"]
    for command, lines in cases:
        known = {o for action in _parser_of(command)._actions for o in action.option_strings}
        assert set(re.findall(r"--\w[\w-]*", lines)) <= known, command


def test_an_input_with_few_values_names_all_of_them() -> None:
    said = {name: each["description"] for name, each in ACTION["inputs"].items()}
    for name, words in (("tier", TIERS), ("fail-on", (*map(str, reversed(Severity)), NEVER))):
        assert f"({', '.join(words[:-1])} or {words[-1]})" in said[name]


def test_every_input_of_the_action_is_used() -> None:
    used = set(re.findall(r"inputs\.([\w-]+)", json.dumps(STEPS)))
    assert used == set(ACTION["inputs"])


@dataclass(frozen=True)
class Ran:
    """How a step of the Action ended."""

    code: int
    log: str
    summary: str
    outputs: dict[str, str]

    @property
    def reports(self) -> set[str]:
        """The files in the folder that becomes the artifact."""
        return {path.name for path in Path(self.outputs["reports"]).iterdir()}


def run_step(name: str, folder: Path, runner: Path, **inputs: str) -> Ran:
    """Run the script of a step as a runner does, in a folder, with inputs in its environment."""
    (step,) = (each for each in STEPS if each["name"] == name)
    unknown = inputs.keys() - {each.replace("-", "_") for each in ACTION["inputs"]}
    assert not unknown

    def value(found: re.Match[str]) -> str:
        default = ACTION["inputs"][found[1]]["default"]
        return inputs.get(found[1].replace("-", "_"), default)

    given = {key: INPUT.sub(value, text) for key, text in step["env"].items()}
    given |= {key: sys.executable for key in given if key == "PYTHON"}
    given |= {key: str(ROOT) for key in given if key == "SOURCE"}
    output, summary = runner / "output", runner / "summary"
    output.write_text("")
    summary.write_text("")
    files = {"GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary)}
    machine = {"RUNNER_TEMP": str(runner), "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64"}
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        env={**os.environ, **given, **files, **machine},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    outputs = dict(line.split("=", 1) for line in output.read_text().splitlines())
    return Ran(done.returncode, done.stdout + done.stderr, summary.read_text(), outputs)


@pytest.fixture(scope="module")
def address(door: Door) -> Iterator[str]:
    """Where the programs of this file get their forks."""
    with programs_of(door) as answered:
        yield answered


@pytest.fixture
def runner(tmp_path: Path, address: str) -> Path:
    """The temporary folder of a runner, with a tokaudit that is a fork of the installed one."""
    folder = tmp_path / "runner"
    (folder / "tokaudit" / "bin").mkdir(parents=True)
    write_program(folder / "tokaudit" / "bin" / "tokaudit", address)
    return folder


@pytest.fixture
def installed_runner(tmp_path: Path) -> Path:
    """The temporary folder of a runner, with tokaudit as the step before installs it."""
    folder = tmp_path / "installed_runner"
    (folder / "tokaudit").mkdir(parents=True)
    (folder / "tokaudit" / "bin").symlink_to(Path(sys.executable).parent)
    return folder


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A user's repository with names that are ours too, and a good checkpoint in it."""
    folder = tmp_path / "repository"
    for name in ("reports", "audit", "suites", "models/checkpoint"):
        (folder / name).mkdir(parents=True)
    (folder / "audit.py").write_text("raise SystemExit('audit.py of the user was imported')\n")
    for package in ("reports", "suites"):
        (folder / package / "__init__.py").write_text(
            f"raise SystemExit('{package} of the user was imported')\n"
        )
    (folder / "conftest.py").write_text("import pytest\n")
    (folder / "test_user.py").write_text("def test_of_the_user():\n    assert True\n")
    (folder / "pytest.ini").write_text("[pytest]\n")
    commit_good(folder)
    return folder


def commit_good(folder: Path) -> None:
    """A small sound checkpoint."""
    write_model(folder, [["a", "b"]])


def commit_bad(folder: Path) -> None:
    """The same with a merge that nothing can apply."""
    write_model(folder, [["a", "b"], ["a", "c"]])


def write_model(folder: Path, merges: list[list[str]]) -> None:
    checkpoint = folder / "models" / "checkpoint"
    Folder.bpe({"a": 0, "b": 1, "ab": 2}, merges).write(checkpoint)
    (checkpoint / "config.json").write_text('{"vocab_size": 3}')


CHOSEN = {"subject": "models/checkpoint", "select": "merges,vocab", "tier": "quick"}


def test_the_action_passes_a_good_commit_and_stops_a_bad_one(
    repository: Path, runner: Path, installed_runner: Path
) -> None:
    good = run_step("Run tokaudit", repository, installed_runner, **CHOSEN)
    assert (good.code, good.outputs["exit-code"]) == (0, "0"), good.log
    assert good.summary.startswith("## ✅ tokaudit: pass")
    assert {"report.html", "report.json", "report.sarif", "manifest.json"} < good.reports
    commit_bad(repository)
    bad = run_step("Run tokaudit", repository, runner, **CHOSEN)
    assert (bad.code, bad.outputs["exit-code"]) == (1, "1"), bad.log
    assert (
        "::error file=models/checkpoint/tokenizer.json,line=1,title=merges/parts-exist%3Apart-missing::"
        in bad.log
    )
    assert "what to do" in bad.summary
    assert "report.html" in bad.reports


def test_the_action_verifies_and_compares(
    repository: Path, runner: Path, tokaudit_in_fork: Command
) -> None:
    checkpoint, manifest = "models/checkpoint", str(runner / "manifest.json")
    tokaudit_in_fork("manifest", repository / checkpoint, "--out", manifest)
    verify = {"command": "verify", "subject": checkpoint, "manifest": manifest}
    good = run_step("Run tokaudit", repository, runner, **verify)
    assert (good.code, good.reports) == (0, {"output.txt"}), good.log
    unsigned = run_step("Run tokaudit", repository, runner, **verify, key="public.pem")
    assert unsigned.code == 3
    assert "public.pem: cannot be opened" in unsigned.log
    base = runner / "base"
    (repository / checkpoint).rename(base)
    (repository / checkpoint).mkdir()
    write_model(repository, [])
    bad = run_step("Run tokaudit", repository, runner, **verify)
    assert bad.code == 1
    assert "    drift: identity merges" in bad.summary
    compare = {"command": "compare", "subject": checkpoint, "base": str(base)}
    compared = run_step("Run tokaudit", repository, runner, **compare)
    assert (compared.code, compared.reports) == (1, {"output.txt", "report.html", "report.json"})
    same = run_step("Run tokaudit", repository, runner, **(compare | {"base": checkpoint}))
    assert same.code == 0, same.log


HOSTILE = ("$(touch owned)", "`touch owned`", "; touch owned;", "--out=owned", "'\"; touch owned #")


@pytest.mark.parametrize("text", HOSTILE)
def test_an_input_is_a_value_and_never_a_command_or_an_option(
    repository: Path, runner: Path, text: str
) -> None:
    for command in ("audit", "verify", "compare"):
        given = {"command": command, "subject": text, "base": text, "manifest": text}
        assert run_step("Run tokaudit", repository, runner, **given).code in (2, 3)
    assert run_step("Run tokaudit", repository, runner, command=text).code == 2
    assert not (repository / "owned").exists()


def test_the_action_names_the_input_that_is_missing(repository: Path, runner: Path) -> None:
    ran = run_step("Run tokaudit", repository, runner)
    assert (ran.code, ran.log) == (2, "::error title=tokaudit::audit needs the input 'subject'\n")


def test_the_cache_is_named_after_the_system_and_what_is_installed(
    repository: Path, runner: Path
) -> None:
    key = run_step("Name the cache", repository, runner).outputs["key"]
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert re.fullmatch(f"tokaudit-Linux-X64-{re.escape(version)}-[0-9a-f]{{64}}", key)


@pytest.mark.published
def test_the_action_installs_from_its_own_checkout(repository: Path, tmp_path: Path) -> None:
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    installed = run_step("Install tokaudit", repository, fresh)
    assert installed.code == 0, installed.log
    assert run_step("Run tokaudit", repository, fresh, **CHOSEN).code == 0


def test_pytest_passes_a_good_commit_and_stops_a_bad_one(repository: Path, door: Door) -> None:
    given = ("--tokaudit=models/checkpoint", "--tokaudit-select=merges,vocab")
    good = run_pytest(repository, *given)
    assert (good.code, good.outcomes["test_user::test_of_the_user"]) == (0, "passed"), good.shown
    commit_bad(repository)
    bad = run_pytest(repository, *given, door=door)
    assert (bad.code, bad.outcomes["test_user::test_of_the_user"]) == (1, "passed")
    assert bad.outcomes["tokaudit::merges/parts-exist"] == "failed"


def test_the_gate_passes_a_good_commit_and_stops_a_bad_one(
    repository: Path, tokaudit_in_fork: Command
) -> None:
    (repository / "tokaudit.toml").write_text(
        'subjects = ["models/checkpoint"]\nselect = ["merges", "vocab"]\n', "utf-8"
    )
    gate = ("gate", "--out", "gate.json")
    good = tokaudit_in_fork(*gate, cwd=repository)
    assert good.returncode == 0, good.stderr
    commit_bad(repository)
    bad = tokaudit_in_fork(*gate, cwd=repository)
    assert bad.returncode == 1
    assert "FAIL  models/checkpoint: Do not ship: 1 merge has a part or product" in bad.stderr


def git(folder: Path, *arguments: str | Path) -> str:
    """Run git in a folder, as somebody whose settings do not matter."""
    identity = ("-c", "user.name=tests", "-c", "user.email=tests@example.org")
    command = ["git", *identity, *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


INSTALLED = (
    *("audit/", "reference_impl/", "suites/", "reports/"),
    *("tools/hatch_build.py", "tools/check_catalogue.py"),
    *("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", ".pre-commit-hooks.yaml"),
)


def clone_of_ours(folder: Path) -> str:
    """Put what pre-commit installs into a separate repository; returns its commit."""
    named = git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    for name in named:
        if name.startswith(INSTALLED):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())
    git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "what is installed")
    return git(folder, "rev-parse", "HEAD")


@pytest.mark.published
def test_the_hooks_pass_a_good_commit_and_stop_a_bad_one(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRE_COMMIT_HOME", str(tmp_path / "home"))
    ours = tmp_path / "ours"
    ours.mkdir()
    commit = clone_of_ours(ours)
    arguments = ["--select=merges,vocab", "models/checkpoint"]
    hook = {"id": "tokaudit-audit", "args": arguments, "verbose": True}
    config = {"repos": [{"repo": str(ours), "rev": commit, "hooks": [hook]}]}
    (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    git(repository, "init", "--quiet")
    git(repository, "add", "--all")
    run = [sys.executable, "-m", "pre_commit", "run"]
    good = subprocess.run(run, cwd=repository, capture_output=True, text=True, check=False)
    skip_without_an_index(good)
    assert good.returncode == 0, good.stdout + good.stderr
    commit_bad(repository)
    git(repository, "add", "--all")
    bad = subprocess.run(run, cwd=repository, capture_output=True, text=True, check=False)
    assert bad.returncode == 1
    assert "merges/parts-exist" in bad.stdout
    git(repository, "rm", "--quiet", "--cached", "-r", "models")
    elsewhere = subprocess.run(run, cwd=repository, capture_output=True, text=True, check=False)
    assert "(no files to check)Skipped" in elsewhere.stdout


GATED = 'subjects = ["models/checkpoint"]\nselect = ["merges", "vocab"]\ntier = "quick"\n'


def tried(repository: Path, ours: Path, hook: str) -> subprocess.CompletedProcess[str]:
    """`pre-commit try-repo` of a hook over all files of a repository."""
    run = [sys.executable, "-m", "pre_commit", "try-repo", str(ours), hook, "--all-files"]
    return subprocess.run(run, cwd=repository, capture_output=True, text=True, check=False)


def test_the_hook_of_the_gate_is_tried_with_what_is_installed_here(
    repository: Path, runner: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hook as it is but for its language, so that nothing is installed for it."""
    monkeypatch.setenv("PATH", f"{runner / 'tokaudit' / 'bin'}:{os.environ['PATH']}")
    ours = tmp_path / "ours"
    ours.mkdir()
    here = [hook | {"language": "system"} for hook in HOOKS]
    (ours / ".pre-commit-hooks.yaml").write_text(yaml.safe_dump(here))
    git(ours, "init", "--quiet")
    git(ours, "add", "--all")
    git(ours, "commit", "--quiet", "--message", "the hooks")
    a_gate_that_passes_a_good_commit_and_stops_a_bad_one(repository, ours)


@pytest.mark.published
def test_the_hook_of_the_gate_is_tried_as_pre_commit_installs_it(
    repository: Path, tmp_path: Path
) -> None:
    ours = tmp_path / "ours"
    ours.mkdir()
    clone_of_ours(ours)
    a_gate_that_passes_a_good_commit_and_stops_a_bad_one(repository, ours)


def a_gate_that_passes_a_good_commit_and_stops_a_bad_one(repository: Path, ours: Path) -> None:
    (repository / "tokaudit.toml").write_text(GATED, "utf-8")
    git(repository, "init", "--quiet")
    git(repository, "add", "--all")
    good = tried(repository, ours, "tokaudit-gate")
    skip_without_an_index(good)
    assert good.returncode == 0, good.stdout + good.stderr
    assert re.search(r"tokaudit gate\.+Passed", good.stdout)
    commit_bad(repository)
    git(repository, "add", "--all")
    bad = tried(repository, ours, "tokaudit-gate")
    assert bad.returncode == 1
    assert re.search(r"tokaudit gate\.+Failed", bad.stdout)
    assert "FAIL  models/checkpoint: Do not ship: 1 merge has a part or product" in bad.stdout


NO_INDEX = ("No matching distribution found", "Could not find a version", "Temporary failure in")


def skip_without_an_index(done: subprocess.CompletedProcess[str]) -> None:
    """Where pip reaches no package index, nobody can install a hook; the log of pip says so."""
    log = done.stdout + done.stderr
    if done.returncode == 3 and any(words in log for words in NO_INDEX):
        pytest.skip("no package index can be reached, from which pre-commit installs the hook")


@pytest.mark.published
def test_a_hook_can_be_tried_before_it_is_configured(repository: Path, tmp_path: Path) -> None:
    """`pre-commit try-repo` gives no arguments, so the hook says what it misses."""
    ours = tmp_path / "ours"
    ours.mkdir()
    clone_of_ours(ours)
    git(repository, "init", "--quiet")
    git(repository, "add", "--all")
    audit = tried(repository, ours, "tokaudit-audit")
    skip_without_an_index(audit)
    assert audit.returncode == 1
    assert "the following arguments are required: SUBJECT" in audit.stdout
