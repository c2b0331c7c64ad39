"""No lemma calls two tokenizers the same that the library tells apart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from differing_sides import spec
from library_pair import LibraryPair, bpe, split, tokenizer

from tokaudit.engine.canonical_steps import acting_steps, steps_for_ids
from tokaudit.engine.facet_names import PRE_TOKENIZER
from tokaudit.products.compare.proofs.across_cuts.conditions import failing
from tokaudit.products.compare.proofs.across_cuts.lemma import obstacle
from tokaudit.products.compare.proofs.merges.model import merge_model
from tokaudit.products.identity.short_id import short_id
from tokaudit.report.comparison import Outcome
from tokaudit_reference.spec import ModelType, TokenizerSpec

BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
LETTERS = ["<unk>", "a", "b", "ab"]
SNOW = "\u2603"
BEHAVIORS = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")


def fallback(*characters: str) -> list[str]:
    return list(dict.fromkeys(f"<0x{b:02X}>" for c in characters for b in c.encode()))


def unigram(*pieces: tuple[str, float], **options: Any) -> dict[str, Any]:
    return {"type": "Unigram", "vocab": [list(piece) for piece in pieces], "unk_id": 0, **options}


def id_of(spec: TokenizerSpec) -> str:
    return short_id(spec, merge_model(spec) if spec.model_type is ModelType.BPE else None).id


FLAGS = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
UNKNOWN = {"id": 0, "content": "<unk>", "special": True, **FLAGS}
EVERY_BYTE = [f"<0x{b:02X}>" for b in range(256)]
GAPS = {
    "a character without an entry is dropped": (
        bpe(["a", "b", "ab"]),
        split(SNOW),
        f"a{SNOW}b",
    ),
    "a byte without an entry is dropped": (
        bpe([".", ".."]),
        {"type": "Sequence", "pretokenizers": [split("\x1e"), BYTES]},
        ".\x1e.",
    ),
    "neighbouring unknowns are fused": (
        bpe(LETTERS, unk_token="<unk>", fuse_unk=True),
        split(SNOW),
        SNOW * 2,
    ),
    "neighbouring unknown bytes are fused": (
        bpe(LETTERS, unk_token="<unk>", fuse_unk=True),
        {"type": "Sequence", "pretokenizers": [split("\x1e"), BYTES]},
        "\x1e\x1e",
    ),
    "some characters have not all their bytes and are fused": (
        bpe([*LETTERS, *fallback("é")], unk_token="<unk>", byte_fallback=True, fuse_unk=True),
        split(SNOW),
        SNOW * 2,
    ),
    "some characters have not all their bytes and come after those that have": (
        bpe([*LETTERS, *fallback("é")], unk_token="<unk>", byte_fallback=True),
        split(SNOW),
        f"{SNOW}é",
    ),
    "what stands for an unknown character is merged": (
        bpe([*LETTERS, "<unk>a"], [("<unk>", "a")], unk_token="<unk>"),
        split(SNOW),
        f"{SNOW}a",
    ),
    "a byte of a character is merged": (
        bpe(
            [*LETTERS, *[f"<0x{b:02X}>" for b in range(256)], "<0x83>a"],
            [("<0x83>", "a")],
            byte_fallback=True,
        ),
        split(SNOW),
        f"{SNOW}a",
    ),
    "unknowns of a Unigram are one": (
        unigram(("<unk>", 0.0), ("a", -1.0)),
        split(SNOW),
        SNOW * 2,
    ),
    "unknowns of a Unigram are one before their bytes are looked up": (
        unigram(
            ("<unk>", 0.0), ("a", -1.0), *((b, -9.0) for b in fallback("é")), byte_fallback=True
        ),
        split(SNOW),
        f"é{SNOW}",
    ),
    "the text of the unknown token is one run with an unknown character": (
        unigram(("<unk>", 0.0), ("a", -1.0), *((b, -9.0) for b in EVERY_BYTE), byte_fallback=True),
        split(SNOW),
        f"{SNOW}<unk>",
    ),
    "a word that is longer is unknown": (
        {
            "type": "WordPiece",
            "vocab": {"[UNK]": 0, "a": 1, "b": 2, "##b": 3},
            "unk_token": "[UNK]",
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 1,
        },
        split("b"),
        "ab",
    ),
    "a piece is looked up whole": (
        bpe(["a", "b", "ab"], [], ignore_merges=True),
        split("b"),
        "ab",
    ),
    "entries are written in bytes and the text is cut before": (
        unigram(("<unk>", 0.0), ("a", -1.0), ("\u0120a", -1.0), ("\u0120", -9.0)),
        {"type": "Sequence", "pretokenizers": [split(" "), BYTES]},
        " a",
    ),
}


@pytest.mark.parametrize("name", GAPS)
def test_a_cut_that_no_entry_lies_across_is_proved_idle_only_where_the_lemma_is_true(
    name: str, tmp_path: Path
) -> None:
    model, cut, text = GAPS[name]
    steps = cut.get("pretokenizers", [cut])[1:]
    whole = {"type": "Sequence", "pretokenizers": steps} if steps else None
    pair = LibraryPair(
        tmp_path, tokenizer(model, pre_tokenizer=whole), tokenizer(model, pre_tokenizer=cut)
    )
    assert pair.differ(text)
    assert not pair.proved()
    assert pair.facet(PRE_TOKENIZER).outcome is Outcome.DIFFERS


def test_bytes_that_a_normalizer_writes_are_what_is_cut(tmp_path: Path) -> None:
    model = bpe(["a", "\u0120", "\u0120a"], unk_token="a")
    one, other = (
        tokenizer(model, normalizer={"type": "ByteLevel"}, pre_tokenizer=cut)
        for cut in (None, split("\u0120"))
    )
    pair = LibraryPair(tmp_path, one, other)
    assert pair.differ(" a") and not pair.proved()


def test_rounded_sums_of_scores_prove_nothing_about_cuts(tmp_path: Path) -> None:
    """A near tie of 0.7 + 4.2 and 4.9 comes out otherwise after 15.3 than at the beginning."""
    every = [(f"<0x{b:02X}>", -30.0) for b in range(256)]
    scores = [("<unk>", 0.0), ("y", -15.3), ("a", -0.7), ("b", -4.2), ("ab", -4.9)]
    pairs = [
        LibraryPair(
            tmp_path / str(exact),
            tokenizer(model, added_tokens=[UNKNOWN]),
            tokenizer(
                model, added_tokens=[UNKNOWN], pre_tokenizer=split("y", "MergedWithPrevious")
            ),
        )
        for exact in (False, True)
        for listed in [[(p, round(s * 64) / 64 if exact else s) for p, s in (*scores, *every)]]
        for model in [unigram(*listed, byte_fallback=True)]
    ]
    assert [pair.differ("yab") for pair in pairs] == [True, False]
    assert [pair.proved() for pair in pairs] == [False, True]


@pytest.mark.parametrize(
    "model",
    [
        bpe(LETTERS, unk_token="<unk>"),
        bpe([*LETTERS, *[f"<0x{b:02X}>" for b in range(256)]], byte_fallback=True, fuse_unk=True),
    ],
    ids=["unknowns stay apart", "all have their bytes"],
)
def test_the_lemma_holds_where_unknown_characters_stay_at_their_place(
    model: dict[str, Any], tmp_path: Path
) -> None:
    pair = LibraryPair(tmp_path, tokenizer(model), tokenizer(model, pre_tokenizer=split(SNOW)))
    assert pair.proved()
    assert not any(pair.differ(text) for text in (SNOW, SNOW * 2, f"a{SNOW}b", f"é{SNOW}x"))


@pytest.mark.parametrize("behavior", BEHAVIORS)
@pytest.mark.parametrize("invert", [False, True])
def test_a_split_at_what_the_normalizer_removes_is_idle_if_it_keeps_the_rest(
    behavior: str, invert: bool, tmp_path: Path
) -> None:
    gone = {"type": "Replace", "pattern": {"String": "_"}, "content": ""}
    model = bpe(["a", "b", "ab"])
    cut = split("_", behavior, invert=invert)
    one, other = (tokenizer(model, normalizer=gone, pre_tokenizer=each) for each in (None, cut))
    pair = LibraryPair(tmp_path, one, other)
    idle = not any(map(pair.differ, ("ab", "a_b", "_", "a")))
    assert idle is not (invert and behavior == "Removed")
    assert (acting_steps(pair.specs[1], "pre_tokenizer") == []) is idle
    assert pair.proved() is idle


def template(single: int, second: int, *, token: bool = False) -> dict[str, Any]:
    first = [{"Sequence": {"id": "A", "type_id": single}}]
    before = [{"SpecialToken": {"id": "a", "type_id": 0}}] if token else []
    ends = [{"Sequence": {"id": "B", "type_id": second}}]
    known = {"a": {"id": "a", "ids": [0], "tokens": ["a"]}} if token else {}
    return {
        "type": "TemplateProcessing",
        "single": before + first,
        "pair": before + first + ends,
        "special_tokens": known,
    }


ROBERTA = {"type": "RobertaProcessing", "cls": ["a", 0], "sep": ["b", 1]}
ROBERTA |= {"trim_offsets": True, "add_prefix_space": False}


def chain(*steps: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Sequence", "processors": [*steps]}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (None, template(0, 1), True),
        (None, template(1, 1), False),
        (None, template(0, 0), False),
        (ROBERTA, chain(ROBERTA, template(0, 1)), False),
        (ROBERTA, chain(template(0, 1), ROBERTA), True),
        (template(0, 1, token=True), chain(template(0, 1, token=True), template(0, 1)), False),
        (chain(), template(0, 1), True),
    ],
)
def test_a_template_does_nothing_only_where_type_ids_stay_too(
    one: dict[str, Any] | None, other: dict[str, Any], same: bool, tmp_path: Path
) -> None:
    model = bpe(["a", "b", "ab"])
    pair = LibraryPair(tmp_path, *(tokenizer(model, post_processor=each) for each in (one, other)))
    encoded = [[e._tokenizer.encode("ab"), *_pair_of(e)] for e in pair.libraries]
    shown = [[(each.ids, each.type_ids) for each in row] for row in encoded]
    assert (shown[0] == shown[1]) is same
    first, second = pair.specs
    assert (steps_for_ids(first) == steps_for_ids(second)) is same
    assert (acting_steps(first, "post_processor") == acting_steps(second, "post_processor")) is same
    assert (id_of(first) == id_of(second)) is same


def _pair_of(library: Any) -> list[Any]:
    """The encoding of two texts; the library panics where a template gets more than two parts."""
    try:
        return [library._tokenizer.encode("ab", "a")]
    except BaseException:
        return []


@pytest.mark.parametrize(
    ("field", "one", "other"),
    [
        ("normalizer", None, {"type": "Replace", "pattern": {"String": ""}, "content": "b"}),
        ("decoder", None, {"type": "Sequence", "decoders": []}),
        ("pre_tokenizer", None, split("", "Removed", invert=True)),
    ],
)
def test_what_seems_to_do_nothing_and_does_something_is_another_tokenizer(
    field: str, one: dict[str, Any] | None, other: dict[str, Any], tmp_path: Path
) -> None:
    model = bpe(["a", "b", "ab"])
    pair = LibraryPair(tmp_path, *(tokenizer(model, **{field: each}) for each in (one, other)))
    shown = [
        (library.encode(["ab"])[0].ids, library.decode([[0, 1]])) for library in pair.libraries
    ]
    assert shown[0] != shown[1]
    assert id_of(pair.specs[0]) != id_of(pair.specs[1])
    name = field.replace("_", "-")
    assert pair.facet(name, "ab").outcome is Outcome.DIFFERS


@pytest.mark.parametrize("changed", [template(1, 1), template(0, 0)])
def test_other_type_ids_are_shown_with_their_text(changed: dict[str, Any], tmp_path: Path) -> None:
    model = bpe(["a", "b", "ab"])
    pair = LibraryPair(tmp_path, tokenizer(model), tokenizer(model, post_processor=changed))
    found = pair.facet("post-processor")
    assert found.outcome is Outcome.DIFFERS
    assert found.evidence[0].note.startswith("type ids [0")


@pytest.mark.parametrize(
    ("pattern", "refused"),
    [
        *(("", True), ("a*", True), ("a|b?", True)),
        *(("(?=\u00e9)", True), (r"(?<=\p{Cyrillic})", True), ("(?!\U00010330)", True)),
        *(("a+", False), ("a(?=\u00e9)", False)),
    ],
)
def test_text_that_is_written_between_characters_keeps_no_lemma_of_cuts(
    pattern: str, refused: bool
) -> None:
    """The library spells such text as bytes or leaves it, by where pieces begin."""
    stages = {
        "normalizer": {"type": "Replace", "pattern": {"Regex": pattern}, "content": "\t"},
        "pre_tokenizer": {"type": "ByteLevel", "use_regex": False},
    }
    made = spec("a", stages=stages)
    reasons = obstacle(made), failing(made)
    assert [("written" in reason) for reason in reasons] == [refused, refused]
