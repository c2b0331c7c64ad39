"""A tokenizer that is loaded already is audited as its library writes it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import tiktoken
from tokenizers import Tokenizer

import tokaudit
from tokaudit.engine.opening import Opened
from tokaudit.products.audit.loaded_tokenizer import is_loaded, on_disk
from tokaudit_folders.example_folders import sentencepiece
from tokaudit_folders.folder import Folder


class SavesAFolder:
    """Has the method of tokenizers that write several files."""

    def __init__(self, source: Path) -> None:
        self.source = source
        self.written: list[Path] = []

    def save_pretrained(self, folder: str) -> None:
        self.written.append(Path(folder))
        for file in self.source.iterdir():
            (Path(folder) / file.name).write_bytes(file.read_bytes())

    def __reduce__(self) -> str:
        raise AssertionError("was pickled")


class SavesNothing:
    def save(self, path: str) -> None:
        """Write no file."""


class Refuses:
    def save(self, path: str) -> None:
        raise ValueError("not built yet")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Folder.bpe({"a": 0, "b": 1, "ab": 3}, [["a", "b"]]).write(tmp_path / "small")
    return tmp_path / "small"


def test_a_tokenizer_of_the_library_is_audited_by_its_class_name(
    folder: Path, processes: None
) -> None:
    loaded = Tokenizer.from_file(str(folder / "tokenizer.json"))
    report = tokaudit.audit(loaded, select=["vocab/holes"], tier="quick")
    assert report.subject.name == "Tokenizer"
    assert [file.name for file in report.subject.files] == ["tokenizer.json"]
    assert [finding.identity for finding in report.findings] == ["vocab/holes:inner"]


def test_one_that_saves_a_folder_is_never_pickled_and_leaves_nothing(
    folder: Path, processes: None
) -> None:
    loaded = SavesAFolder(folder)
    report = tokaudit.audit(loaded, select=["vocab/holes"], tier="quick")
    (private,) = loaded.written
    assert report.subject.name == "SavesAFolder"
    assert not private.exists()


def test_the_folder_is_private_while_it_is_there(folder: Path) -> None:
    loaded = SavesAFolder(folder)
    with on_disk(loaded) as opened:
        assert isinstance(opened, Opened)
        assert loaded.written[0].stat().st_mode & 0o777 == 0o700


def test_an_encoding_of_tiktoken_has_its_ranks_pattern_and_special_tokens() -> None:
    ranks = {**{bytes([byte]): byte for byte in range(256)}, b"ab": 256}
    encoding = tiktoken.Encoding(
        "tiny", pat_str=r"\w+|\s+|.", mergeable_ranks=ranks, special_tokens={"<|end|>": 257}
    )
    with on_disk(encoding) as opened:
        assert isinstance(opened, Opened)
        spec = opened.spec
    assert (spec.size(), [token.content for token in spec.added_tokens]) == (258, ["<|end|>"])


def test_a_model_of_sentencepiece_is_written_as_its_bytes() -> None:
    class Processor:
        def serialized_model_proto(self) -> bytes:
            return sentencepiece({"pieces": [["<unk>", 2], "a", "b"]})

    with on_disk(Processor()) as opened:
        assert isinstance(opened, Opened)
        assert ([file.name for file in opened.files], opened.spec.size()) == (
            ["tokenizer.model"],
            3,
        )


def test_a_tokenizer_that_names_its_file_is_audited_by_a_copy(tmp_path: Path) -> None:
    """As those of mistral-common, by themselves and inside of what takes requests."""
    ours = tmp_path / "tokenizer.model.v3"
    ours.write_bytes(sentencepiece({"pieces": [["<unk>", 2], "a", "b"]}))
    inner = SimpleNamespace(file_path=ours)
    outer = SimpleNamespace(instruct_tokenizer=SimpleNamespace(tokenizer=inner))
    for loaded in (inner, outer):
        with on_disk(loaded) as opened:
            assert isinstance(opened, Opened)
            assert [file.name for file in opened.files] == ["tokenizer.model"]
            assert ours.parent not in opened.files[0].path.parents


@pytest.mark.parametrize("name", ["gpt2", Path("models/a")])
def test_a_name_stays_a_name(name: str | Path) -> None:
    assert not is_loaded(name)
    with on_disk(name) as same:
        assert same == name


def test_one_that_cannot_save_itself_says_why() -> None:
    with pytest.raises(tokaudit.UnreadableError, match="Refuses: cannot save itself: not built"):
        tokaudit.audit(Refuses(), tier="quick")
    with pytest.raises(tokaudit.UsageError, match="SavesNothing: saved no file"):
        tokaudit.audit(SavesNothing(), tier="quick")
