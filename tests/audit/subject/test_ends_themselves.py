"""The tokens that a class puts around texts against the class itself, in both versions."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from class_folders import of_class
from recorded_answers import python_of

from tokaudit.runtimes.adapters.reference_adapter import Reference
from tokaudit.runtimes.protocol import EncodeOptions
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit.subject.upstream.ends import text_layout
from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_reference.spec import Standing, TokenizerSpec
from tokaudit_reference.tokenizer import ReferenceTokenizer

pytestmark = pytest.mark.classes
ONE, TWO = "cat", "sat"
Switched = Mapping[str, object]
NOTHING: Switched = {}
BEGUN: Sequence[Switched] = (NOTHING, {"add_bos_token": True}, {"add_bos_token": False})
EITHER: Sequence[Switched] = (
    {"add_bos_token": True},
    {"add_bos_token": False},
    {"add_bos_token": True, "add_eos_token": True},
    {"add_bos_token": False, "add_eos_token": True},
)
LACKING = {
    **dict.fromkeys(("BigBird", "DebertaV2", "FNet", "RemBert"), ("[CLS]", "[SEP]")),
    "Gemma": ("<bos>", "<eos>"),
}
"""The tokens of the class that the small model of it lacks."""
NO_TEXTS = {"TapexTokenizer": "takes tables", "EsmTokenizer": "is of no known pipeline"}
"""Classes that are asked for tokens around ids, as they take no texts or ours takes none of them."""
SWITCHED = ("LlamaTokenizer", "CodeLlamaTokenizer", "GemmaTokenizer")
REAL = {
    "BertTokenizer": ("bert-base-uncased", ("vocab.txt",)),
    "RobertaTokenizer": ("roberta-base", ("vocab.json", "merges.txt")),
    "GPT2Tokenizer": ("gpt2", ("vocab.json", "merges.txt")),
    "CLIPTokenizer": ("clip-base", ("vocab.json", "merges.txt")),
    "BartTokenizer": ("roberta-base", ("vocab.json", "merges.txt")),
    "ElectraTokenizer": ("bert-base-uncased", ("vocab.txt",)),
}
"""Published files, without a tokenizer.json, under each class that reads them."""
OTHERWISE = {
    ("MPNetTokenizer", FOUR, "Fast"): "gives the second text the type 1",
    ("DebertaTokenizer", FIVE, ""): "puts two [SEP] between texts, of one type",
    ("GPT2Tokenizer", FOUR, "Fast"): "puts BOS before the first of two texts alone",
    ("CodeLlamaTokenizer", FOUR, "Fast"): "takes a second text for what comes after a gap",
    **dict.fromkeys(
        ((name, FIVE, "") for name in ("BarthezTokenizer", "FNetTokenizer", "RemBertTokenizer")),
        "puts nothing around texts",
    ),
}
"""Sides of a class that differ from the record, with what they do."""
ASK = """
import json, sys, warnings
warnings.filterwarnings("ignore")
import transformers
folders, one, two = json.load(sys.stdin)
answers = []
for name, folder, side in folders:
    kind = getattr(transformers, name + side, None)
    if kind is None:
        answers.append(None)
        continue
    try:
        found = kind.from_pretrained(folder)
        rows = [found(*texts, return_token_type_ids=True) for texts in ((one,), (one, two))]
        plain = [found(text, add_special_tokens=False)["input_ids"] for text in (one, two)]
        answers.append([plain, *([row["input_ids"], row["token_type_ids"]] for row in rows)])
    except Exception as error:
        answers.append(f"{type(error).__name__}: {error}"[:200])
print("\\x1e" + json.dumps(answers))
"""


ASK_IDS = """
import json, sys, warnings
warnings.filterwarnings("ignore")
import transformers
answers = {}
for name, folder in json.load(sys.stdin).items():
    kind = getattr(transformers, name, None)
    if kind is not None:
        found = kind.from_pretrained(folder)
        rows = [found.build_inputs_with_special_tokens(*ids) for ids in ([[3]], [[3], [3]])]
        text, = found.convert_ids_to_tokens([3])
        parts = [found.convert_ids_to_tokens(row) for row in rows]
        answers[name] = [["A" if part == text else part for part in row] for row in parts]
print("\\x1e" + json.dumps(answers))
"""


def spec_of(folder: Path) -> TokenizerSpec:
    return parse_all(open_subject(folder)).parsed[0][1]


def ours(spec: TokenizerSpec) -> list[object]:
    """The ids of both texts, then ids and types of one text and of two."""
    reference = Reference(ReferenceTokenizer(spec))
    single = EncodeOptions(add_special_tokens=True, type_ids=True)
    [one] = reference.encode([ONE], single)
    [two] = reference.encode([ONE], replace(single, second=TWO))
    plain = [list(each.ids) for each in reference.encode([ONE, TWO])]
    return [plain, *([list(row.ids), list(row.type_ids or ())] for row in (one, two))]


def bare(folder: Path, material: Path, name: str) -> Path:
    """Published files without the tokenizer.json that they came with."""
    source, files = REAL[name]
    home = material / "tokenizers" / source
    folder.mkdir()
    if not (home / files[0]).is_file():
        model = json.loads((home / "tokenizer.json").read_bytes())["model"]
        (folder / "vocab.json").write_text(json.dumps(model["vocab"]))
        (folder / "merges.txt").write_text("".join(f"{merge}\n" for merge in model["merges"]))
        return folder
    for file in files:
        shutil.copy(home / file, folder)
    return folder


def small(name: str, folder: Path) -> Path:
    """A small folder of a class, with the tokens that it puts around texts."""
    found = of_class(every_class()[name], folder)
    for token in LACKING.get(name.removesuffix("Tokenizer"), ()):
        [model] = found.glob("*.model")
        model.write_bytes(model.read_bytes() + control_piece(token))
    return found


def control_piece(token: str) -> bytes:
    """One more piece at the end of a SentencePiece model, of the type of control symbols."""
    piece = bytes((0x0A, len(token))) + token.encode() + b"\x15" + bytes(4) + b"\x18\x03"
    return bytes((0x0A, len(piece))) + piece


def switched(folder: Path, name: str, settings: Switched) -> Path:
    stated = json.dumps({"tokenizer_class": name, **settings})
    (folder / "tokenizer_config.json").write_text(stated)
    return folder


def asked(version: str, folders: Sequence[tuple[str, Path, str]]) -> list[object]:
    """What a side of a class makes of each folder: None where it is not in this version."""
    request = [[[name, str(folder), side] for name, folder, side in folders], ONE, TWO]
    found: list[object] = run_there(version, ASK, request)
    return found


def run_there(version: str, program: str, request: object) -> Any:
    run = subprocess.run(
        [python_of(version), "-c", program],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(run.stdout.split("\x1e")[1])


def differing(version: str, folders: Sequence[tuple[str, Path]]) -> set[tuple[str, str, str]]:
    """The sides of classes whose ids or types are not those of the reference."""
    sides = ("Fast", "") if version == FOUR else ("",)
    each = [(name, folder, side) for name, folder in folders for side in sides]
    specs = {folder: ours(spec_of(folder)) for _, folder in folders}
    return {
        (name, version, side)
        for (name, folder, side), theirs in zip(each, asked(version, each), strict=True)
        if theirs is not None and not _same(specs[folder], theirs)
    }


def otherwise(version: str, folders: Sequence[tuple[str, Path]]) -> set[tuple[str, str, str]]:
    """The sides of these classes that are known to differ."""
    names = {name for name, _ in folders}
    return {each for each in OTHERWISE if each[0] in names and each[1] == version}


def _same(mine: list[object], theirs: object) -> bool:
    """Whether ids and types are the same; a slow class may type fewer ids than it gives."""
    if not isinstance(theirs, list):
        return False
    rows = zip(mine[1:], theirs[1:], strict=True)
    return mine[0] == theirs[0] and all(
        ids == own and (types == kinds or len(kinds) != len(own))
        for (ids, types), (own, kinds) in rows
    )


@pytest.fixture(params=(FOUR, FIVE))
def version(request: pytest.FixtureRequest) -> str:
    if not python_of(request.param).is_file():
        pytest.skip("no environments: make classes builds them")
    return str(request.param)


def test_published_files_without_a_pipeline_get_the_tokens_of_their_class(
    version: str, material: Path, tmp_path: Path
) -> None:
    folders = [
        (name, switched(bare(tmp_path / f"{name}-{at}", material, name), name, settings))
        for name in REAL
        for at, settings in enumerate(BEGUN if name == "GPT2Tokenizer" else [NOTHING])
    ]
    specs = [spec_of(folder) for _, folder in folders]
    assert {spec.post_processor.standing for spec in specs} == {Standing.IMPLIED}
    assert differing(version, folders) == otherwise(version, folders)


@pytest.mark.parametrize(
    ("pieces", "least"), [pytest.param(False, 27, id="bare"), pytest.param(True, 29, id="pieces")]
)
def test_every_class_that_states_its_ends_puts_them_there(
    version: str, pieces: bool, least: int, tmp_path: Path
) -> None:
    stated = [
        (name, NOTHING)
        for name, known in every_class().items()
        if known.input.between is not None
        and pieces != bool(known.pipelines.of_files)
        and name not in NO_TEXTS
    ]
    stated += [(name, settings) for name in SWITCHED for settings in EITHER if pieces]
    folders = [
        (name, switched(small(name, tmp_path / str(at)), name, settings))
        for at, (name, settings) in enumerate(stated)
    ]
    implied = [
        pair for pair in folders if spec_of(pair[1]).post_processor.standing is Standing.IMPLIED
    ]
    assert len(implied) == len(folders) >= least
    assert differing(version, folders) == otherwise(version, folders)


def test_a_class_that_is_asked_without_texts_puts_its_ends_around_ids(
    version: str, tmp_path: Path
) -> None:
    folders = {name: str(small(name, tmp_path / name)) for name in NO_TEXTS}
    answers = run_there(version, ASK_IDS, folders)
    assert answers.keys() == (NO_TEXTS.keys() if version == FOUR else {"EsmTokenizer"})
    for name, rows in answers.items():
        known = every_class()[name]
        layout = text_layout(known, lambda key: None)
        assert layout is not None and known.tokens is not None
        mine = [
            ["A" if piece.is_text else known.tokens[piece.name] for piece in template]
            for template in (layout.one, layout.two)
        ]
        assert rows == mine, name


def test_published_pieces_get_the_tokens_and_the_prefix_of_their_class(
    version: str, material: Path, tmp_path: Path
) -> None:
    model = material / "tokenizers" / "mistral-7b-v0.1" / "tokenizer.model"
    folders = []
    for at, settings in enumerate((*EITHER, {**EITHER[0], "add_prefix_space": False})):
        folder = tmp_path / str(at)
        folder.mkdir()
        shutil.copy(model, folder)
        folders.append(("LlamaTokenizer", switched(folder, "LlamaTokenizer", settings)))
    *ends, prefix = folders
    assert differing(version, ends) == set()
    keeps_it = {("LlamaTokenizer", FOUR, "")}  # unless `legacy` is false
    assert differing(version, [prefix]) == (keeps_it if version == FOUR else set())
