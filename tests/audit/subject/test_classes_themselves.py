"""Each row of the table against the class itself, where `make classes` built the environments."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from class_folders import of_class, pruned

from tokaudit.foundation.errors import UnreadableError
from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit.subject.upstream.tokenizer_class import TokenizerClass, every_class
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_reference.spec import Piece, TokenizerSpec, TokenType, Unsupported
from tokaudit_reference.text.bytes_alphabet import to_characters
from tokaudit_reference.tokenizer import ReferenceTokenizer

pytestmark = pytest.mark.classes
VERSIONS = (FOUR, FIVE)
TEXTS = ("the cat sat", " newest  widest", "le chat est là", "THE Cat", "H7", "a\tb\n")
UNREAD = {
    "CanineTokenizer": "its ids are code points, and nothing lists them",
    "EsmcTokenizer": "its 33 tokens are in its code",
    "JukeboxTokenizer": "its three lists are of artists, genres and letters of lyrics",
    "TransfoXLTokenizer": "its vocabulary is a pickle, which is never opened",
}
"""Classes that read neither a vocabulary of ours nor bytes, with the reason."""
UNLOADED = {
    "FastSpeech2ConformerTokenizer": "g2p",  # which fetches data when it is imported
    "MistralCommonTokenizer": "mistral-common",  # make templates compares it
    "Pop2PianoTokenizer": "Pop2PianoTokenizer requires",  # torch and pretty_midi: it writes notes
}
"""Classes that need what the environments lack, with what they ask for."""
REFUSED = {(FOUR, "ParakeetTokenizer"): "Converting from SentencePiece"}
"""Fast alone in that version, where nothing converts its model: it loads a tokenizer.json."""
FORGETS = {(FIVE, "MLukeTokenizer")}
"""Takes the pieces as they are: the offset that 4.57 and the rows of its models have is forgotten."""
BOXES, ACCENTS = "takes words with their places", "strips accents before SentencePiece"
BEFORE = {
    **dict.fromkeys(("LayoutLMv2", "LayoutLMv3", "LayoutXLM", "MarkupLM", "Udop"), BOXES),
    **dict.fromkeys(("Albert", "Cpm", "XLNet"), ACCENTS),
    "ErnieM": "cuts its pieces again at digits and signs, and drops marks for spaces",
    "SeamlessM4T": "encodes a text after its unknown token and cuts that off, one piece too few",
    "Siglip": "lower-cases and drops punctuation",
    "Tapex": "takes a table",
    "Wav2Vec2": "takes sound",
}
"""Classes that change a text before their file is asked, which the file does not say."""
LIST_OF = {"Bartpho": "dict.txt"}
GOES_ON = (
    *("PhobertTokenizer", "BertweetTokenizer", "CTRLTokenizer", "BlenderbotSmallTokenizer"),
    "Speech2Text2Tokenizer",
)
ASK = """
import json, sys, transformers
asked, texts = json.load(sys.stdin)
answers = {}
for name, (folder, tokens) in asked.items():
    kind = getattr(transformers, name, None) or getattr(transformers, name + "Fast", None)
    if kind is None:
        answers[name] = ["absent", ""]
        continue
    try:
        found = kind.from_pretrained(folder)
        ids = found.convert_tokens_to_ids(tokens)
    except Exception as error:
        answers[name] = [f"{type(error).__name__}: {error}"[:200], ""]
        continue
    try:
        encoded = [found(text, add_special_tokens=False)["input_ids"] for text in texts]
    except Exception as error:
        encoded = f"{type(error).__name__}: {error}"[:200]
    answers[name] = [ids, encoded]
json.dump(answers, sys.stdout)
"""
ASK_SIDES = """
import json, sys, transformers
folder, texts = json.load(sys.stdin)
found = transformers.MarianTokenizer.from_pretrained(folder)
sides = {".": {}, "target.spm": {}}
for part, key in ((".", "text"), ("target.spm", "text_target")):
    sides[part] = [found(**{key: t}, add_special_tokens=False)["input_ids"] for t in texts]
json.dump(sides, sys.stdout)
"""
INSTALLED = ("rjieba", "Pandas")
"""What `make classes` installs; an environment of an earlier one lacks it."""


Texts = list[list[int]] | str


@dataclass(frozen=True)
class Answer:
    """Token -> id and the ids of texts, ours and those of the class; or why there are none."""

    version: str
    ours: Mapping[str, int]
    our_texts: Texts
    theirs: list[int] | str
    their_texts: Texts


def spec_of(folder: Path) -> TokenizerSpec | None:
    try:
        parsed = parse_all(open_subject(folder)).parsed
    except UnreadableError:
        return None
    return parsed[0][1] if parsed else None


def tokens_of(spec: TokenizerSpec, name: str) -> dict[str, int]:
    """Token -> id as our spec has them, in the spelling of the class."""
    named = {spelled(spec, piece, name): id for id, piece in spec.pieces.items()}
    return named | {token.content: token.id for token in spec.added_tokens}


def spelled(spec: TokenizerSpec, piece: Piece, name: str) -> str:
    surface = spec.surface(piece)
    if isinstance(surface, str):
        if name not in GOES_ON:
            return surface
        return f"{piece.value!s}{'@@' if piece.token_type is TokenType.ORDINARY else ''}"
    if spec.format != "bytes":
        return to_characters(surface)
    return f"{surface[0]:02x}" if name == "MyT5Tokenizer" else chr(surface[0])


def texts_of(spec: TokenizerSpec) -> Texts:
    try:
        reference = ReferenceTokenizer(spec)
        return [reference.encode(text).ids for text in TEXTS]
    except Unsupported as error:
        return str(error)


def answers_of(python: Path, version: str, root: Path) -> dict[str, Answer]:
    """What each class says of its folder."""
    folders = {name: of_class(row, root / name) for name, row in every_class().items()}
    specs = {name: spec for name, folder in folders.items() if (spec := spec_of(folder))}
    ours = {name: tokens_of(spec, name) for name, spec in specs.items()}
    asked = {name: (str(folders[name]), list(ours[name])) for name in specs}
    run = subprocess.run(
        [python, "-c", ASK],
        input=json.dumps([asked, TEXTS]),
        capture_output=True,
        text=True,
        check=True,
    )
    return {
        name: Answer(version, ours[name], texts_of(specs[name]), ids, texts)
        for name, (ids, texts) in json.loads(run.stdout).items()
    }


@pytest.fixture(scope="module", params=VERSIONS)
def answers(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Mapping[str, Answer]:
    python = Path(sys.prefix) / f"transformers-{request.param}" / "bin" / "python"
    if not python.is_file():
        pytest.skip("no environments: make classes builds them")
    return answers_of(python, request.param, tmp_path_factory.mktemp("classes"))


def version_of(answers: Mapping[str, Answer]) -> str:
    return next(iter(answers.values())).version


def built_on(version: str, row: TokenizerClass) -> str:
    return row.four if version.startswith("4") else row.five


def test_what_is_not_read_is_listed_with_its_reason(answers: Mapping[str, Answer]) -> None:
    assert set(every_class()) - set(answers) == set(UNREAD)


def test_what_does_not_load_is_listed_with_what_it_asks_for(answers: Mapping[str, Answer]) -> None:
    refused = {name: each.theirs for name, each in answers.items() if isinstance(each.theirs, str)}
    absent = {name for name, why in refused.items() if why == "absent"}
    wanting = {name for name, why in refused.items() if any(each in why for each in INSTALLED)}
    for name in absent:
        assert "absent" in built_on(answers[name].version, every_class()[name])
    others = {name: why for name, why in refused.items() if name not in absent | wanting}
    known = UNLOADED | {n: w for (v, n), w in REFUSED.items() if v == version_of(answers)}
    assert others.keys() <= known.keys()
    assert all(known[name] in why for name, why in others.items())


@pytest.mark.parametrize("name", sorted(set(every_class()) - set(UNREAD) - set(UNLOADED)))
def test_a_class_gives_the_ids_that_its_row_says(answers: Mapping[str, Answer], name: str) -> None:
    found, row = answers[name], every_class()[name]
    built = built_on(found.version, row)
    if found.theirs == "absent":
        assert built != "tokenizers" and not built.startswith("slow")
        return
    if isinstance(found.theirs, str):
        if (found.version, name) in REFUSED:
            return
        pytest.skip(f"make classes builds the environments anew: {found.theirs}")
    pairs = zip(found.ours.items(), found.theirs, strict=True)
    apart = {token: (id, its) for (token, id), its in pairs if id != its}
    reads_no_pieces = built == "tokenizer.json"
    assert bool(apart) == (reads_no_pieces or (found.version, name) in FORGETS), apart


@pytest.mark.parametrize("name", sorted(set(every_class()) - set(UNREAD) - set(UNLOADED)))
def test_the_reference_encodes_as_a_class_that_says_its_pipeline(
    answers: Mapping[str, Answer], name: str
) -> None:
    """Those that transformers 5 builds on tokenizers have another, which class-rebuild is about."""
    found, built = answers[name], built_on(answers[name].version, every_class()[name])
    by_itself = built.startswith("slow") or built in ("python", "sentencepiece")
    if isinstance(found.our_texts, str) or isinstance(found.theirs, str) or not by_itself:
        return  # nothing to compare: the pipeline is not stated, or is another library's
    same = found.our_texts == found.their_texts
    assert same != (name.removesuffix("Tokenizer") in BEFORE), found.their_texts


@pytest.mark.parametrize("version", VERSIONS)
def test_pieces_without_an_id_are_encoded_as_the_class_does(tmp_path: Path, version: str) -> None:
    python = Path(sys.prefix) / f"transformers-{version}" / "bin" / "python"
    if not python.is_file():
        pytest.skip("no environments: make classes builds them")
    lists = {name: LIST_OF.get(name, "vocab.json") for name in ("Bartpho", "M2M100", "Marian")}
    folders = {
        f"{name}Tokenizer": pruned(
            of_class(every_class()[f"{name}Tokenizer"], tmp_path / name), file
        )
        for name, file in lists.items()
    }
    asked = {name: (str(folder), []) for name, folder in folders.items()}
    texts = [*TEXTS, "catHcat", "the mat and the cat", "newest newest"]
    run = subprocess.run(
        [python, "-c", ASK],
        input=json.dumps([asked, texts]),
        capture_output=True,
        text=True,
        check=True,
    )
    for name, (_, theirs) in json.loads(run.stdout).items():
        spec = spec_of(folders[name])
        assert spec is not None and spec.unlisted
        assert [ReferenceTokenizer(spec).encode(text).ids for text in texts] == theirs


@pytest.mark.parametrize("version", VERSIONS)
def test_each_side_of_a_translation_encodes_as_the_class_does(tmp_path: Path, version: str) -> None:
    python = Path(sys.prefix) / f"transformers-{version}" / "bin" / "python"
    if not python.is_file():
        pytest.skip("no environments: make classes builds them")
    folder = of_class(every_class()["MarianTokenizer"], tmp_path / "marian")
    run = subprocess.run(
        [python, "-c", ASK_SIDES],
        input=json.dumps([str(folder), [*TEXTS, "HH", "zHHz"]]),
        capture_output=True,
        text=True,
        check=True,
    )
    for part, theirs in json.loads(run.stdout).items():
        subject = open_subject(folder, part=part)
        reference = ReferenceTokenizer(parse_all(subject).parsed[0][1])
        assert [reference.encode(text).ids for text in [*TEXTS, "HH", "zHHz"]] == theirs
