"""Single faults of one of two copies: each is found by the pair, and named once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from copied_folders import (
    ADDED,
    BPE,
    MERGES,
    OTHER_TEMPLATE,
    PIECES,
    WORDS,
    Edit,
    added,
    edited,
    exchanged,
    put,
    stated,
    swap,
    tables,
    with_export,
    with_gguf,
    with_pieces,
    with_tekken,
    with_words,
)

import tokaudit
from tokaudit_folders.folder import Folder

AGREEMENT = ("vocab", "merges", "added-tokens", "special-tokens", "copies", "copied-settings")
CHECKS = (
    *(f"agreement/{name}" for name in AGREEMENT),
    "chat_template/copies",
    "special_tokens/gguf-ends",
    "special_tokens/piece-types",
    "special_tokens/role-ids",
)
"""What compares copies without running them."""
RUN = "agreement/copied-pipeline"
PAIRS: dict[str, Callable[[], Folder]] = {
    "tables": tables,
    "GGUF": with_gguf,
    "tekken": with_tekken,
    "SentencePiece": with_pieces,
    "vocab.txt": with_words,
    "export": with_export,
}
LETTERS = len(BPE.vocab)  # the first special token's id in all but tekken's pair
START, END, PAD, TOOL = LETTERS + 3, LETTERS + 4, LETTERS + 2, LETTERS + 5
CONFIG, MAP = "tokenizer_config.json", "special_tokens_map.json"
EXPORT = "onnx/tokenizer.json"


@dataclass(frozen=True)
class Fault:
    """One change of one copy, and the finding that says so."""

    what: str
    folder: Callable[[], Folder]
    check: str
    severity: str
    words: str


def of(make: Callable[[], Folder], edit: Edit) -> Callable[[], Folder]:
    """A pair with one edit."""
    return lambda: edit(make())


def gguf(**changed: Callable[..., object]) -> Callable[[], Folder]:
    """A pair whose GGUF file has other values."""
    return partial(with_gguf, **changed)


TABLES = (
    Fault(
        "vocab.json has two ids exchanged",
        of(tables, edited("vocab.json", lambda v: swap(v, "the", "cat"))),
        *(
            "agreement/vocab",
            "error",
            "'the' has id 257 instead of 260, 'cat' has id 260 instead of 257",
        ),
    ),
    Fault(
        "vocab.json lacks an entry",
        of(tables, edited("vocab.json", lambda v: v.pop("!"))),
        *("agreement/vocab", "error", "1 token is in tokenizer.json but not in vocab.json: '!'"),
    ),
    Fault(
        "merges.txt has two lines exchanged",
        of(tables, lambda f: f.file("merges.txt", "\n".join([*exchanged(0, 3)(MERGES), ""]))),
        *(
            "agreement/merges",
            "error",
            "differ at rank 0: t + h in tokenizer.json, c + a in merges.txt",
        ),
    ),
    Fault(
        "added_tokens.json has another id",
        of(tables, edited(ADDED, lambda v: v.update({"<tool>": START}))),
        *(
            "agreement/added-tokens",
            "error",
            "'<tool>' has id 265 in added_tokens.json, but id 267",
        ),
    ),
    Fault(
        "added_tokens.json has a token more",
        of(tables, edited(ADDED, lambda v: v.update({"<new>": TOOL + 1}))),
        *("agreement/added-tokens", "warning", "added_tokens.json adds 1 token that"),
    ),
    Fault(
        "added_tokens_decoder lacks a token",
        of(tables, edited(CONFIG, lambda c: c["added_tokens_decoder"].pop(str(START)))),
        *("agreement/added-tokens", "warning", "lacks 1 added token of the tokenizer itself"),
    ),
    Fault(
        "added_tokens_decoder strips white space",
        of(tables, edited(CONFIG, stated("<|im_end|>", rstrip=True))),
        *("agreement/added-tokens", "error", "rstrip of 1 added token differs"),
    ),
    Fault(
        "added_tokens_decoder calls a token ordinary",
        of(tables, edited(CONFIG, stated("<|im_end|>", special=False))),
        *("agreement/added-tokens", "warning", "special of 1 added token differs"),
    ),
    Fault(
        "special_tokens_map.json ends texts with another token",
        of(tables, edited(MAP, lambda v: v.update(eos_token="<|im_end|>"))),
        *(
            "special_tokens/role-ids",
            "warning",
            "The files name different eos tokens: loaders take",
        ),
    ),
    Fault(
        "special_tokens_map.json pads with another token",
        of(tables, edited(MAP, lambda v: v.update(pad_token="<|im_end|>"))),
        *("special_tokens/role-ids", "warning", "The files name different pad tokens"),
    ),
    Fault(
        "chat_template.jinja ends turns with another token",
        of(tables, lambda f: f.file("chat_template.jinja", OTHER_TEMPLATE)),
        *("chat_template/copies", "warning", "differ from character"),
    ),
)
GGUF = (
    Fault(
        "the GGUF file lacks the last three tokens",
        gguf(
            tokens=lambda v: v[:-3],
            token_type=lambda v: v[:-3],
            eot_token_id=lambda v: LETTERS + 1,
        ),
        *("agreement/special-tokens", "error", "model.gguf lacks 3 special tokens"),
    ),
    Fault(
        "the GGUF file gives a marker the type of words",
        gguf(token_type=put(START, 1)),
        *("agreement/special-tokens", "error", "1 token is special in tokenizer.json and ordinary"),
    ),
    Fault(
        "the GGUF file calls a user-defined token special",
        gguf(token_type=put(TOOL, 3)),
        *(
            "agreement/special-tokens",
            "info",
            "special in only one of tokenizer.json and model.gguf",
        ),
    ),
    Fault(
        "the GGUF file has another name for a token",
        gguf(tokens=put(START, "<|im_begin|>")),
        *("agreement/special-tokens", "error", "265 is '<|im_start|>' instead of '<|im_begin|>'"),
    ),
    Fault(
        "the GGUF file has two special tokens exchanged",
        gguf(tokens=exchanged(START, END)),
        *("agreement/special-tokens", "error", "'<|im_start|>' has id 265 instead of 266"),
    ),
    Fault(
        "the GGUF file ends turns with the padding",
        gguf(eot_token_id=lambda v: PAD),
        *("special_tokens/gguf-ends", "warning", "ends turns with id 264, '<pad>'"),
    ),
    Fault(
        "the GGUF file ends texts with another token",
        gguf(eos_token_id=lambda v: END),  # with which the template ends turns
        *("special_tokens/role-ids", "warning", "model.gguf gives eos id 266"),
    ),
    Fault(
        "the GGUF file pads with another token",
        gguf(padding_token_id=lambda v: END),
        *("special_tokens/role-ids", "warning", "model.gguf gives pad id 266"),
    ),
    Fault(
        "the GGUF file puts BOS before texts",
        gguf(add_bos_token=lambda v: True),
        *("special_tokens/gguf-ends", "warning", "model.gguf puts BOS before every text"),
    ),
    Fault(
        "the GGUF file has another template",
        gguf(template=lambda v: OTHER_TEMPLATE),
        *("chat_template/copies", "warning", "llama.cpp reads model.gguf"),
    ),
)
TEKKEN = (
    Fault(
        "tekken.json has another name for a token",
        of(
            with_tekken,
            edited("tekken.json", lambda t: t["special_tokens"][7].update(token_str="[END]")),
        ),
        *("agreement/special-tokens", "error", "7 is '[END]' instead of '[/INST]'"),
    ),
    Fault(
        "tekken.json does not list a token",
        of(with_tekken, edited("tekken.json", lambda t: t["special_tokens"].pop())),
        *("agreement/special-tokens", "warning", "7 is '<SPECIAL_7>' instead of '[/INST]'"),
    ),
    Fault(
        "tokenizer.json does not add a token of tekken.json",
        of(with_tekken, edited("tokenizer.json", lambda t: t["added_tokens"].pop())),
        *("agreement/special-tokens", "error", "and ordinary text in tokenizer.json"),
    ),
    Fault(
        "tokenizer.json calls a token of tekken.json ordinary",
        of(with_tekken, edited("tokenizer.json", added("[INST]", special=False))),
        *(
            "agreement/special-tokens",
            "info",
            "special in only one of tekken.json and tokenizer.json",
        ),
    ),
)
PIECE, TYPE = 6, 3
OTHERS = (
    Fault(
        "the SentencePiece model has two pieces exchanged",
        partial(with_pieces, exchanged(PIECE, PIECE + 1)(list(PIECES))),
        *("agreement/vocab", "error", "'a' has id 6 instead of 7, 'b' has id 7 instead of 6"),
    ),
    Fault(
        "the SentencePiece model gives a marker the type of words",
        partial(with_pieces, put(TYPE, ("<|im_end|>", 1))(list(PIECES))),
        *("agreement/special-tokens", "warning", "and ordinary text in tokenizer.model"),
    ),
    Fault(
        "the SentencePiece model gives its EOS the type of words",
        partial(with_pieces, put(2, ("</s>", 1))(list(PIECES))),
        *("special_tokens/piece-types", "error", "as the eos piece, but the piece has the type"),
    ),
    Fault(
        "tokenizer.json does not add a control piece of the SentencePiece model",
        of(with_pieces, edited("tokenizer.json", lambda t: t["added_tokens"].pop(TYPE))),
        *("agreement/special-tokens", "warning", "and ordinary text in tokenizer.json"),
    ),
    Fault(
        "vocab.txt has two lines exchanged",
        partial(with_words, exchanged(5, 6)(list(WORDS))),
        *("agreement/vocab", "error", "'a' has id 5 instead of 6, 'b' has id 6 instead of 5"),
    ),
    Fault(
        "vocab.txt lacks its last line",
        partial(with_words, WORDS[:-1]),
        *("agreement/vocab", "error", "1 token is in tokenizer.json but not in vocab.txt: 'ab'"),
    ),
)
EXPORTS = (
    Fault(
        "the export lower-cases",
        of(with_export, edited(EXPORT, lambda t: t.update(normalizer={"type": "Lowercase"}))),
        *(RUN, "error", "The normalizer differs from the main tokenizer's"),
    ),
    Fault(
        "the export decodes otherwise",
        of(with_export, edited(EXPORT, lambda t: t.update(decoder={"type": "Fuse"}))),
        *(RUN, "error", "The decoder differs from the main tokenizer's"),
    ),
    Fault(
        "the export has two ids exchanged",
        of(with_export, edited(EXPORT, lambda t: swap(t["model"]["vocab"], "!", "~"))),
        *("agreement/copies", "error", "2 tokens have another id in"),
    ),
    Fault(
        "the export has another template",
        of(with_export, edited(f"onnx/{CONFIG}", lambda c: c.update(chat_template=OTHER_TEMPLATE))),
        *("agreement/copied-settings", "warning", "of onnx/tokenizer_config.json is not that of"),
    ),
    Fault(
        "the export stops at another id",
        of(
            with_export,
            edited("onnx/generation_config.json", lambda c: c.update(eos_token_id=[END - 3, END])),
        ),
        *("agreement/copied-settings", "warning", "The eos_token_id is [263, 266] in onnx/"),
    ),
)
FAULTS = (*TABLES, *GGUF, *TEKKEN, *OTHERS, *EXPORTS)
NOT_STATED = (
    ("added_tokens.json may be a part", of(tables, edited(ADDED, lambda v: v.pop("<tool>")))),
    ("vocab.json has no type", of(tables, edited("vocab.json", lambda v: v.update({"<s>": 262})))),
    ("a SentencePiece model has no later token", of(with_pieces, lambda f: f.added("<late>"))),
    (
        "tekken.json has no lstrip",
        of(with_tekken, edited("tokenizer.json", added("</s>", lstrip=1))),
    ),
    ("vocab.txt has no added token", of(with_words, lambda f: f.added("<late>"))),
)
"""What the format of the other copy cannot state, which is unknown and never different."""


def found(folder: Folder, path: Path, *, run: bool = False) -> list[tuple[str, str, str]]:
    """What the checks of copies report: check, severity and message."""
    folder.write(path)
    results = [tokaudit.run_check(each, path) for each in (*CHECKS, *([RUN] if run else []))]
    return [
        (result.check, str(each.severity), each.message)
        for result in results
        for each in result.findings
    ]


@pytest.mark.parametrize("pair", PAIRS)
def test_a_faithful_pair_is_silent(tmp_path: Path, pair: str) -> None:
    assert found(PAIRS[pair](), tmp_path) == []


@pytest.mark.parametrize("fault", FAULTS, ids=[fault.what for fault in FAULTS])
def test_a_fault_of_one_copy_is_found_by_the_pair_and_named_once(
    tmp_path: Path, fault: Fault, processes: None
) -> None:
    [(check, severity, message)] = found(fault.folder(), tmp_path, run=fault in EXPORTS)
    assert (check, severity) == (fault.check, fault.severity)
    assert fault.words in message


@pytest.mark.parametrize(
    "folder", [folder for _, folder in NOT_STATED], ids=[what for what, _ in NOT_STATED]
)
def test_what_a_format_cannot_state_is_no_difference(
    tmp_path: Path, folder: Callable[[], Folder]
) -> None:
    assert found(folder(), tmp_path) == []


def test_the_list_has_thirty_faults_of_all_pairs() -> None:
    assert len(FAULTS) >= 30


def test_special_tokens_that_a_format_does_not_state_are_counted(tmp_path: Path) -> None:
    with_pieces().added("<late>").write(tmp_path)
    [measured] = tokaudit.run_check("agreement/special-tokens", tmp_path).measurements
    assert (measured.value, measured.dimensions) == (1, {"representation": "tokenizer.model"})
