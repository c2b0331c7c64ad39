"""Folders as transformers itself saves them, of each class that it has: what is said is listed.

The classes load the small folders of `class_folders.py` and save them: 4.57 writes the files of the
slow class next to `tokenizer.json`, 5.24 what the class is built on.  Whether the other version
loads such a folder is asked of that version itself.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from class_folders import of_class

import tokaudit
from tokaudit.report.model import Severity
from tokaudit.subject.upstream.tokenizer_class import every_class
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_loaders.drawing import Judge

pytestmark = pytest.mark.classes
VERSIONS = (FOUR, FIVE)
PYTHONS = {v: Path(sys.prefix) / f"transformers-{v}" / "bin" / "python" for v in VERSIONS}
LOADS = "loaders/loads"
NOT_RECORDED = {
    (FOUR, "SplinterTokenizer"): "its quick class hands on a list that settings may have too",
    (FIVE, "BlenderbotSmallTokenizer"): "it writes merges whose parts its vocabulary lacks",
}
"""Folders that version 4 refuses for what no record of settings says."""
SAVE = """
import json, os, sys, transformers
asked, out = json.load(sys.stdin)
four = transformers.__version__ < "5"
for name, folder in asked.items():
    fast = getattr(transformers, name + "Fast" if four else name, None)
    slow = getattr(transformers, name, None) if four else None
    try:
        if fast is not None:
            fast.from_pretrained(folder).save_pretrained(os.path.join(out, name))
            if slow is not None:
                slow.from_pretrained(folder).save_vocabulary(os.path.join(out, name))
    except Exception as error:
        print(f"{name}: {error}", file=sys.stderr)
"""
CASED = "warning pipeline/rewritten"  # the small vocabularies have capital letters
PAD_IS_END = "warning padding/pad-token"
UNMADE = "warning vocab/unreachable"  # 5.24 turns a Unigram into a BPE whose merges miss some;
# of BERTweet's it makes none
LOST_BOS = "warning special_tokens/post-processor"
LOST_ENDS = "error special_tokens/post-processor"  # 5.24 writes neither [CLS] nor [SEP], 4.57 did
END_TWICE = "error special_tokens/post-processor"  # ours has no tokens of speech, so the end is put
OTHER_KIND = "error pipeline/class-rebuild"  # ours are Unigrams, and 5.24 builds a BPE
NO_DECODER = "error round_trip/text"  # 5.24 writes none for pieces of letters
OTHER_SETTINGS = "warning loaders/same-settings"  # a token of the class that one version has
OMITTED = "warning pipeline/changed-words"  # its Split takes a word out, as the class does
PAD_IS_UNKNOWN = "warning special_tokens/exclusive-roles"
OTHER_TOKENS = (
    "error agreement/special-tokens"  # ours has those of Llama, which the class renumbers
)
OTHER_SPELLING = ["error vocab/byte-coverage", UNMADE]  # ours is SentencePiece's, without bytes
NO_LANGUAGE = "error config/languages"  # the class writes src_lang, and ours has no languages
SAID: Mapping[tuple[str, str], list[str]] = {
    (FOUR, "Albert"): [CASED],
    (FOUR, "CodeLlama"): [OTHER_SETTINGS],
    (FOUR, "Cohere"): [OTHER_SETTINGS],
    (FOUR, "FNet"): [OTHER_SETTINGS],
    (FOUR, "Funnel"): [CASED],
    (FOUR, "Gemma"): [OTHER_TOKENS],
    (FOUR, "MPNet"): [CASED],
    (FOUR, "Nllb"): [OTHER_KIND],
    (FOUR, "Qwen2"): [PAD_IS_END],
    (FOUR, "Reformer"): [OTHER_KIND],
    (FOUR, "SeamlessM4T"): [NO_LANGUAGE, OTHER_KIND, LOST_ENDS],
    (FOUR, "Whisper"): [END_TWICE],
    (FIVE, "Albert"): [CASED],
    (FIVE, "Barthez"): [LOST_ENDS],
    (FIVE, "Bertweet"): ["error merges/counts", UNMADE],  # it writes no counts and drops parts
    (FIVE, "Canine"): ["unreadable"],
    (FIVE, "Clvp"): [PAD_IS_END],
    (FIVE, "Cohere"): [OTHER_SETTINGS],
    (FIVE, "Dia"): ["warning vocab/byte-coverage"],
    (FIVE, "Esmc"): [NO_DECODER],
    (FIVE, "FNet"): [LOST_ENDS],
    (FIVE, "Funnel"): [CASED],
    (FIVE, "GPTNeoXJapanese"): [PAD_IS_END, PAD_IS_UNKNOWN],
    (FIVE, "Gemma"): ["error config/paths", LOST_BOS],  # it writes the path of vocab_file
    (FIVE, "Llama"): [LOST_BOS],
    (FIVE, "MPNet"): [CASED],
    (FIVE, "Mgpstr"): [PAD_IS_UNKNOWN],
    (FIVE, "Nllb"): [NO_LANGUAGE, "error special_tokens/post-processor", UNMADE],
    (FIVE, "Nougat"): ["warning padding/settings-left-on", OMITTED],
    (FIVE, "Qwen2"): [PAD_IS_END],
    (FIVE, "Qwen3_5"): OTHER_SPELLING,
    (FIVE, "Reformer"): [UNMADE],
    (FIVE, "RemBert"): [LOST_ENDS],
    (FIVE, "SeamlessM4T"): [NO_LANGUAGE, LOST_ENDS, UNMADE],
    (FIVE, "Siglip"): [PAD_IS_END],
    (FIVE, "Tipsv2"): ["error pipeline/rewritten"],  # and its merges make capital letters
    (FIVE, "Whisper"): [END_TWICE],
}
"""What is said of a class, by the version that saved it; of the others nothing."""


@pytest.fixture(scope="module", params=VERSIONS)
def saved(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Path]:
    python = PYTHONS[request.param]
    if not python.is_file():
        pytest.skip("no environments: make classes builds them")
    root, out = tmp_path_factory.mktemp("small"), tmp_path_factory.mktemp("saved")
    asked = {name: str(of_class(row, root / name)) for name, row in every_class().items()}
    command = [python, "-c", SAVE]
    subprocess.run(command, input=json.dumps([asked, str(out)]), text=True, check=True)
    return request.param, out


@pytest.fixture(scope="module")
def judges() -> Iterator[Mapping[str, Judge]]:
    made = {version: Judge(python) for version, python in PYTHONS.items()}
    yield made
    for judge in made.values():
        judge.close()


def reported(folder: Path) -> list[str]:
    try:
        report = tokaudit.audit(folder, tier="quick", ignore=("fertility", "throughput"))
    except tokaudit.UnreadableError:
        return ["unreadable"]
    loud = (f for f in report.findings if f.severity is not Severity.INFO)
    return sorted({f"{f.severity} {f.check}" for f in loud})


@pytest.mark.parametrize("name", sorted(every_class()))
def test_what_is_said_of_a_folder_that_a_class_saved_is_listed(
    saved: tuple[str, Path], judges: Mapping[str, Judge], name: str
) -> None:
    version, out = saved
    if not (out / name).is_dir():
        return
    said = reported(out / name)
    others = [each for each in said if LOADS not in each]
    assert others == sorted(SAID.get((version, name.removesuffix("Tokenizer")), []))
    if others != ["unreadable"]:
        refusing = [each for each, ask in judges.items() if "tokens" not in ask(out / name)]
        refusing = [] if (version, name) in NOT_RECORDED else refusing
        expected = [[], [f"warning {LOADS}"], [f"error {LOADS}"]][len(refusing)]
        assert [each for each in said if LOADS in each] == expected
