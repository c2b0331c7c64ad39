"""The models inside GGUF files give the ids of the libraries whose tokenizers they were made of.

A published tokenizer is written as llama.cpp's converter writes it, read back and run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders.gguf_files import (
    BOOL,
    BYTE,
    CONTROL,
    F32,
    I8,
    I32,
    NORMAL,
    TEXT,
    U8,
    U32,
    UNUSED,
    USER_DEFINED,
    Value,
    parsed,
    tokenizer,
)
from tokaudit_reference.spec import ModelType, SpecError, Standing, TokenizerSpec, TokenType
from tokaudit_reference.text.bytes_alphabet import BYTE_OF
from tokaudit_reference.tokenizer import ReferenceTokenizer

LETTERS = sorted(BYTE_OF)
TEXTS = [
    "Hello, World! it's the 1999th  naïve café — ﬁne Ⅸ\t\n ok",
    " leading and trailing  ",
    "東京は12345円。 Ünïcödé 🙂 don't we'll I'm HE'S",
    "x = {'a': [1, 2, 3]}  # comment\n\n\treturn x+1 ->  y",
    "supercalifragilistic unaffable embeddings",
    "",
]


def byte_level(**more: Value) -> dict[str, Value]:
    tokens = [*LETTERS, "he", "ll", "hell", "<|end|>", "  ", "[PAD260]"]
    types = [*[NORMAL] * 259, CONTROL, USER_DEFINED, UNUSED]
    merges = ["h e", "l l", "he ll"]
    named = {"pre": (TEXT, "gpt-2"), "token_type": (I32, types), "merges": (TEXT, merges)}
    return tokenizer("gpt2", tokens, **{**named, **more})


def ids(spec: TokenizerSpec, text: str, *, add: bool = False) -> list[int]:
    return ReferenceTokenizer(spec).encode(text, add_special_tokens=add).ids


def test_a_byte_level_vocabulary_has_its_bytes_merges_and_added_tokens(tmp_path: Path) -> None:
    spec = parsed(tmp_path, byte_level())
    assert (spec.byte_level, spec.merges) == (True, ((b"h", b"e"), (b"l", b"l"), (b"he", b"ll")))
    assert (spec.pieces[258].value, spec.pieces[261].token_type) == (b"hell", TokenType.UNUSED)
    assert [(t.id, t.content, t.special) for t in spec.added_tokens] == [
        (259, "<|end|>", True),
        (260, "  ", False),
    ]
    assert ids(spec, "hell<|end|>he  ") == [258, 259, 256, 260]


def test_a_marked_token_that_spells_an_ordinary_one_does_not_take_its_place(
    tmp_path: Path,
) -> None:
    keys = tokenizer(
        "gpt2",
        [*LETTERS, "ĠĠ", "  "],
        pre=(TEXT, "gpt-2"),
        merges=(TEXT, ["Ġ Ġ"]),
        token_type=(I32, [NORMAL] * 257 + [USER_DEFINED]),
    )
    spec = parsed(tmp_path, keys)
    assert spec.pieces[256].value == b"  " and 257 not in spec.pieces
    assert [t.id for t in spec.added_tokens] == [257]
    assert spec.size() == 258


def test_pieces_are_listed_in_order_of_id_whatever_their_kinds(tmp_path: Path) -> None:
    types = [CONTROL, *[NORMAL] * 258, CONTROL, USER_DEFINED, UNUSED][:262]
    spec = parsed(tmp_path, byte_level(token_type=(I32, types)))
    assert list(spec.pieces) == sorted(spec.pieces)


def test_a_split_name_that_is_not_known_leaves_the_pattern_unstated(tmp_path: Path) -> None:
    for pre in ("brand-new", "kimi-k2"):
        spec = parsed(tmp_path, byte_level(pre=(TEXT, pre)))
        assert spec.pre_tokenizer.standing is Standing.UNSTATED


def test_a_missing_split_name_leaves_the_pattern_unstated(tmp_path: Path) -> None:
    keys = {key: value for key, value in byte_level().items() if key != "tokenizer.ggml.pre"}
    assert parsed(tmp_path, keys).pre_tokenizer.standing is Standing.UNSTATED


def test_a_split_name_that_is_known_implies_a_pattern_and_says_so(tmp_path: Path) -> None:
    component = parsed(tmp_path, byte_level(pre=(TEXT, "phi-2"))).pre_tokenizer
    assert component.standing is Standing.IMPLIED
    assert component.rule == "tokenizer.ggml.pre is phi-2, which splits like gpt-2"


@pytest.mark.parametrize(
    ("pre", "digits"),
    [
        ("gpt-2", [" 12345"]),
        ("llama-bpe", [" ", "123", "45"]),
        ("qwen2", [" ", "1", "2", "3", "4", "5"]),
        ("command-r", [" ", "1", "2", "3", "4", "5"]),
        ("falcon", [" ", "123", "45"]),
        ("deepseek-llm", [" ", "12345"]),
        ("tiny_aya", [" ", "12", "345"]),
    ],
)
def test_digits_are_split_as_the_name_implies(pre: str, digits: list[str]) -> None:
    from tokaudit.subject.upstream.llama_cpp.gguf_splits import pre_tokenizer
    from tokaudit_reference.steps.pre_tokenizers import pre_tokenizer as built

    assert built(pre_tokenizer(pre, "pre"))("a 12345", True) == ["a", *digits]


def test_every_known_name_splits_into_pieces_that_make_the_text_again() -> None:
    from tokaudit.subject.upstream.llama_cpp.gguf_patterns import SPLITS
    from tokaudit.subject.upstream.llama_cpp.gguf_splits import pre_tokenizer, rules
    from tokaudit_reference.steps.pre_tokenizers import pre_tokenizer as built

    assert set(rules().values()) == set(SPLITS)
    for pre in SPLITS:
        split = built(pre_tokenizer(pre, "pre"))
        assert ["".join(split(text, True)) for text in TEXTS] == TEXTS, pre


def test_the_names_split_as_the_library_s_own_pre_tokenizers_do() -> None:
    from tokenizers import Regex, pre_tokenizers

    from tokaudit.subject.upstream.llama_cpp.gguf_splits import pre_tokenizer
    from tokaudit_reference.steps.pre_tokenizers import pre_tokenizer as built

    gpt2 = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    digits = pre_tokenizers.Digits(individual_digits=True)
    bloom = pre_tokenizers.Split(Regex(r" ?[^(\s|[.,!?…。，、।۔،])]+"), "isolated")
    upstreams = {
        "gpt-2": gpt2,
        "starcoder": pre_tokenizers.Sequence([digits, gpt2]),
        "bloom": bloom,
    }
    for pre, upstream in upstreams.items():
        split = built(pre_tokenizer(pre, "pre"))
        for text in TEXTS:
            cut = [text[start:end] for _, (start, end) in upstream.pre_tokenize_str(text)]
            assert split(text, True) == cut, (pre, text)


def scored(**more: Value) -> dict[str, Value]:
    tokens = ["<unk>", "<s>", "</s>", "▁", "a", "b", "ab", "▁ab", "<0xC3>", "<0xA9>", "zz"]
    scores = [0.0, 0.0, 0.0, -9.0, -9.0, -9.0, -1.0, -2.0, 0.0, 0.0, 0.0]
    types = [2, 3, 3, NORMAL, NORMAL, NORMAL, NORMAL, NORMAL, BYTE, BYTE, USER_DEFINED]
    return tokenizer("llama", tokens, scores=(F32, scores), token_type=(I32, types), **more)


def test_a_scored_vocabulary_is_read_as_sentencepiece_does(tmp_path: Path) -> None:
    spec = parsed(tmp_path, scored())
    assert spec.pieces[10].token_type is TokenType.USER_DEFINED
    assert ids(spec, "abaé") == [7, 4, 8, 9]
    assert ids(spec, "ab<s>ab") == [7, 1, 7]
    assert ids(spec, "ab", add=True) == [1, 7]


@pytest.mark.parametrize(("prefix", "expected"), [(1, [7, 10, 3, 4]), (0, [6, 10, 4])])
def test_a_user_defined_token_cuts_the_text_and_a_space_is_put_after_it(
    tmp_path: Path, prefix: int, expected: list[int]
) -> None:
    assert ids(parsed(tmp_path, scored(add_space_prefix=(BOOL, prefix))), "abzza") == expected


def test_flags_say_what_stands_around_a_text_and_before_it(tmp_path: Path) -> None:
    spec = parsed(
        tmp_path,
        scored(add_space_prefix=(BOOL, 0), add_bos_token=(BOOL, 0), add_eos_token=(BOOL, 1)),
    )
    assert ids(spec, "ab", add=True) == [6, 2]
    assert spec.post_processor.standing is Standing.STATED


def test_a_token_that_is_added_but_nowhere_named_is_the_engine_s_id_11(tmp_path: Path) -> None:
    spec = parsed(tmp_path, byte_level(add_bos_token=(BOOL, 1)))
    assert ids(spec, "he", add=True) == [11, 256]
    named = parsed(tmp_path, byte_level(add_bos_token=(BOOL, 1), bos_token_id=(U32, 259)))
    assert ids(named, "he", add=True) == [259, 256]


def test_a_token_that_stands_twice_is_told(tmp_path: Path) -> None:
    keys = tokenizer("llama", ["<unk>", "a", "b", "a"])
    assert parsed(tmp_path, keys).duplicate_keys == ("a",)


def test_a_token_without_text_is_named_as_llama_cpp_names_it(tmp_path: Path) -> None:
    assert parsed(tmp_path, tokenizer("llama", ["<unk>", ""])).pieces[1].value == "[EMPTY_1]"


def test_a_byte_token_that_names_no_byte_is_refused(tmp_path: Path) -> None:
    keys = tokenizer("llama", ["<unk>", "<0xG0>"], token_type=(I32, [2, BYTE]))
    with pytest.raises(SpecError, match="token 1 is a byte named '<0xG0>'"):
        parsed(tmp_path, keys)


def test_beginnings_of_words_are_marked_where_bert_marks_the_rest(tmp_path: Path) -> None:
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "▁un", "able", "▁e", "[unused1]"]
    keys = tokenizer(
        "bert",
        tokens,
        token_type=(I32, [CONTROL] * 4 + [NORMAL] * 4),
        unknown_token_id=(U32, 1),
        cls_token_id=(U32, 2),
        seperator_token_id=(U32, 3),
    )
    spec = parsed(tmp_path, keys)
    assert [spec.pieces[id].token_type for id in (4, 5, 7)] == [
        "ordinary",
        "continuation",
        "ordinary",
    ]
    assert ids(spec, "Unable É able", add=True) == [2, 4, 5, 6, 1, 3]
    cased = parsed(tmp_path, {**keys, "tokenizer.ggml.normalizer.lowercase": (BOOL, 0)})
    assert ids(cased, "Unable") == [1]


def test_a_wordpiece_vocabulary_without_beginnings_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="tokens: has no token that begins a word, marked ▁"):
        parsed(tmp_path, tokenizer("bert", ["[UNK]", "un", "##able"]))


def test_the_longest_match_is_over_unescaped_bytes(tmp_path: Path) -> None:
    tokens = ["<s>", *(repr(bytes([n]))[2:-1] for n in range(256)), r"\xe6\x97", "ab", r"\n\n"]
    spec = parsed(tmp_path, tokenizer("rwkv", tokens, token_type=(I32, [3] + [1] * 259)))
    assert spec.model_type is ModelType.TRIE
    assert ids(spec, "ab日\n\n\\") == [258, 257, 0xA5 + 1, 259, 0x5C + 1]


def test_merges_over_characters_have_marks_and_bytes(tmp_path: Path) -> None:
    tokens = ["<pad>", "<bos>", "▁", "a", "b", "▁a", "\n", "\n\n", "<0xC3>", "<0xA9>"]
    spec = parsed(
        tmp_path,
        tokenizer(
            "gemma4",
            tokens,
            token_type=(I32, [CONTROL, CONTROL, *[NORMAL] * 6, BYTE, BYTE]),
            merges=(TEXT, ["▁ a", "\n \n"]),
            bos_token_id=(U32, 1),
        ),
    )
    assert ids(spec, "b a\n\né", add=True) == [1, 4, 5, 7, 8, 9]
    assert ReferenceTokenizer(spec).decode([4, 5, 7, 8, 9]) == "b a\n\né"


def test_the_published_gpt2_is_the_same_in_both_formats(material: Path) -> None:
    folder = material / "tokenizers"
    ours, other = (
        next(s for r, s in parse_all(open_subject(str(folder / n))).parsed if r.format == f)
        for n, f in (("gguf-gpt2", "gguf"), ("gpt2", "tokenizer.json"))
    )
    assert ours.pieces == other.pieces
    assert ours.merges == other.merges


def test_the_published_phi_3_has_the_pieces_of_its_tokenizer_json(material: Path) -> None:
    folder = material / "tokenizers"
    [(_, ours)] = parse_all(open_subject(str(folder / "gguf-phi-3"))).parsed
    other = parse_all(open_subject(str(folder / "phi-3-mini"))).parsed[0][1]
    assert {id: ours.pieces[id].value for id in other.pieces} == {
        id: piece.value for id, piece in other.pieces.items()
    }


def vectors(material: Path, name: str) -> Iterator[tuple[str, list[int]]]:
    stem = material / "vectors" / "llama.cpp" / f"ggml-vocab-{name}.gguf"
    texts = Path(f"{stem}.inp").read_bytes().decode().split("\n__ggml_vocab_test__\n")
    for text, line in zip(texts, Path(f"{stem}.out").read_text().splitlines(), strict=False):
        yield text, [int(id) for id in line.split()]


@pytest.mark.parametrize(("folder", "vector"), [("gguf-gpt2", "gpt-2"), ("gguf-phi-3", "phi-3")])
def test_the_ids_are_those_of_llama_cpp(material: Path, folder: str, vector: str) -> None:
    [(_, spec)] = parse_all(open_subject(str(material / "tokenizers" / folder))).parsed
    encode = ReferenceTokenizer(spec).encode
    found = list(vectors(material, vector))
    assert len(found) > 40
    assert [encode(text).ids for text, _ in found] == [expected for _, expected in found]


def converted(file: Path, pre: str) -> dict[str, Value]:
    """A byte-level `tokenizer.json` as the converter writes it."""
    data: dict[str, Any] = json.loads(file.read_text())
    added = {token["id"]: token for token in data["added_tokens"]}
    named = {id: token for token, id in data["model"]["vocab"].items()}
    named |= {id: token["content"] for id, token in added.items()}
    tokens = [named.get(id, f"[PAD{id}]") for id in range(max(named) + 1)]
    types = [
        UNUSED if id not in named else NORMAL if id not in added else USER_DEFINED
        for id in range(len(tokens))
    ]
    for id, token in added.items():
        types[id] = CONTROL if token["special"] else USER_DEFINED
    merges = [m if isinstance(m, str) else " ".join(m) for m in data["model"]["merges"]]
    more = {"pre": (TEXT, pre), "token_type": (I32, types), "merges": (TEXT, merges)}
    return tokenizer("gpt2", tokens, **more)


@pytest.mark.parametrize(("folder", "pre"), [("mpt", "mpt"), ("phi-2", "phi-2")])
def test_a_converted_vocabulary_gives_the_library_s_ids(
    material: Path, tmp_path: Path, folder: str, pre: str
) -> None:
    from tokenizers import Tokenizer

    file = material / "tokenizers" / folder / "tokenizer.json"
    encode = ReferenceTokenizer(parsed(tmp_path, converted(file, pre))).encode
    upstream = Tokenizer.from_file(str(file))
    texts = [*TEXTS[1:], *(text for text, _ in vectors(material, "mpt"))]
    for text in texts:
        assert encode(text).ids == upstream.encode(text, add_special_tokens=False).ids, text


def test_a_converted_bert_gives_the_library_s_ids(material: Path, tmp_path: Path) -> None:
    from tokenizers import Tokenizer

    folder = material / "tokenizers" / "bert-base-uncased"
    listed = (folder / "vocab.txt").read_text().split("\n")[:-1]
    special = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
    tokens = [t if t in special else t[2:] if t[:2] == "##" else f"▁{t}" for t in listed]
    types = [CONTROL if token in special else NORMAL for token in listed]
    spec = parsed(tmp_path, tokenizer("bert", tokens, token_type=(I32, types)))
    upstream = Tokenizer.from_file(str(folder / "tokenizer.json"))
    for text in [*TEXTS, *(text for text, _ in vectors(material, "gpt-2"))]:
        assert ids(spec, text, add=True) == upstream.encode(text).ids, text


@pytest.mark.parametrize(
    ("file", "model"),
    [
        ("sentencepiece-test/test_model.model", "t5"),
        ("mistral-7b-v0.1/tokenizer.model", "llama"),
    ],
)
def test_a_converted_sentencepiece_model_gives_the_library_s_ids(
    material: Path, tmp_path: Path, file: str, model: str
) -> None:
    from sentencepiece import SentencePieceProcessor

    upstream = SentencePieceProcessor(model_file=str(material / "tokenizers" / file))
    encode = ReferenceTokenizer(parsed(tmp_path, of_sentencepiece(upstream, model))).encode
    for text in [*TEXTS, *(text for text, _ in vectors(material, "phi-3"))]:
        assert encode(text).ids == upstream.encode(text), text


def of_sentencepiece(upstream: Any, model: str) -> dict[str, Value]:
    """A SentencePiece model as the converter writes it, with its charsmap for a Unigram."""
    from tokaudit.subject.formats.common.protobuf import fields

    normalizer = dict(fields(dict(fields(upstream.serialized_model_proto(), ""))[3], ""))  # type: ignore[arg-type]
    count = range(upstream.vocab_size())
    marks: list[tuple[int, Callable[[int], bool]]] = [
        (2, upstream.is_unknown),
        (CONTROL, upstream.is_control),
        (UNUSED, upstream.is_unused),
        (BYTE, upstream.is_byte),
    ]
    types = [next((kind for kind, holds in marks if holds(id)), NORMAL) for id in count]
    charsmap = {"precompiled_charsmap": (I8, [b - 256 * (b > 127) for b in normalizer.get(2, b"")])}
    return tokenizer(
        model,
        [upstream.id_to_piece(id) for id in count],
        scores=(F32, [upstream.get_score(id) for id in count]),
        token_type=(I32, types),
        unknown_token_id=(U32, upstream.unk_id()),
        add_space_prefix=(BOOL, normalizer.get(3, 1)),
        remove_extra_whitespaces=(BOOL, normalizer.get(4, 1)),
        **(charsmap if model == "t5" else {}),
    )


def test_a_charsmap_may_be_of_signed_or_unsigned_bytes_and_nothing_else(tmp_path: Path) -> None:
    for kind, value in ((I8, [-1]), (U8, [255])):
        keys = tokenizer("t5", ["<unk>"], precompiled_charsmap=(kind, value))
        options = parsed(tmp_path, keys).normalizer.options
        assert options is not None and options["precompiled_charsmap"] == "/w=="
    with pytest.raises(SpecError, match="precompiled_charsmap: is not an array of bytes"):
        parsed(tmp_path, tokenizer("t5", ["<unk>"], precompiled_charsmap=(I32, [1])))
