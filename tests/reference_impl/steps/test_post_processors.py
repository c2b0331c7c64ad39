"""The post-processors give what those of Hugging Face's tokenizers give."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from law_examples import some

from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders.folder import Folder
from tokaudit_reference.spec import (
    AddedToken,
    Component,
    ModelType,
    Piece,
    SpecError,
    Standing,
    TokenizerSpec,
    TokenType,
    Unsupported,
)
from tokaudit_reference.steps.post_processors import PostProcessor, post_processor
from tokaudit_reference.text.bytes_alphabet import BYTE_OF
from tokaudit_reference.tokenizer import ReferenceTokenizer

LAW = settings(deadline=None, derandomize=True, database=None, max_examples=some(40))
SPACES = [*" \t\n\r\u00a0\u3000\u2003\x85\x1c", "  ", "   "]
CONTENTS = ["<x>", " <l> ", "<n>", "Ġq", "\u00a0p"]  # the added tokens of `tokenizer_json`
TEXTS = st.lists(
    st.sampled_from([*"abé", "🙂", "東", "word", "Ġ", "q", "p", *SPACES, *CONTENTS]), max_size=8
).map("".join)


def around(**flags: bool) -> dict[str, Any]:
    kind = "RobertaProcessing" if flags else "BertProcessing"
    return {"type": kind, "cls": ["<c>", 1], "sep": ["<s>", 2], **flags}


def level(prefix: bool, trim: bool) -> dict[str, Any]:
    return {
        "type": "ByteLevel",
        "add_prefix_space": prefix,
        "trim_offsets": trim,
        "use_regex": True,
    }


def template(single: str, pair: str = "A B") -> dict[str, Any]:
    """`c` and `s` are special tokens, `cs` one with the ids of both; `A` and `B` texts; `B1` has type 1."""

    def pieces(written: str) -> list[dict[str, Any]]:
        kinds = {"A": "Sequence", "B": "Sequence"}
        named = [(each.rstrip("0123456789"), each) for each in written.split()]
        return [
            {kinds.get(name, "SpecialToken"): {"id": name, "type_id": int(each[len(name) :] or 0)}}
            for name, each in named
        ]

    tokens = {"c": ([1], ["<c>"]), "s": ([2], ["<s>"]), "cs": ([1, 2], ["<c>", "<s>"])}
    return {
        "type": "TemplateProcessing",
        "single": pieces(single),
        "pair": pieces(pair),
        "special_tokens": {n: {"id": n, "ids": i, "tokens": t} for n, (i, t) in tokens.items()},
    }


def sequence(*processors: dict[str, Any]) -> dict[str, Any]:
    return {"type": "Sequence", "processors": list(processors)}


PROCESSORS: dict[str, dict[str, Any] | None] = {
    "none": None,
    "nothing in sequence": sequence(),
    "trimmed": level(prefix=True, trim=True),
    "trimmed, no prefix": level(prefix=False, trim=True),
    "not trimmed": level(prefix=True, trim=False),
    "roberta": around(add_prefix_space=True, trim_offsets=True),
    "roberta, no prefix": around(add_prefix_space=False, trim_offsets=True),
    "roberta, not trimmed": around(add_prefix_space=True, trim_offsets=False),
    "bert": around(),
    "template": template("cs A s", "c B s A"),
    "template with types": template("c A2 s1", "c3 A1 s B2 s4"),
    "types, then bert": sequence(template("c A2 s1", "c3 A1 s B2 s4"), around()),
    "types, then roberta": sequence(
        template("c A2", "A1 B2"), around(add_prefix_space=True, trim_offsets=True)
    ),
    "template without the text": template("c s", "c A"),
    "template with the text twice": template("A s A", "B B A"),
    "trimmed, then template": sequence(level(prefix=True, trim=True), template("cs A s")),
    "template, then trimmed": sequence(template("cs A s"), level(prefix=True, trim=True)),
    "template in template": sequence(template("c A"), template("s A", "A s B")),
    "bert in bert": sequence(around(), sequence(around())),
    "template, then bert": sequence(template("c A s"), around()),
    "twice trimmed": sequence(
        around(add_prefix_space=True, trim_offsets=True), level(prefix=True, trim=True)
    ),
    "a type that its fields overrule": {**around(), "type": "RobertaProcessing"},
    "fields without a type": {k: v for k, v in around().items() if k != "type"},
}


def tokenizer_json(processor: dict[str, Any] | None, **stages: Any) -> str:
    """A byte-level tokenizer with few merges, and added tokens that take white space along."""
    vocab = {token: id for id, token in enumerate(["<x>", "<c>", "<s>", *sorted(BYTE_OF)])}
    vocab |= {"Ġa": 259, "ĠĠ": 260, "ĠĠĠ": 261}
    flags = {"single_word": False, "normalized": False, "special": True}
    added = [(0, "<x>", True, True), (1, "<c>", False, False), (2, "<s>", False, False)]
    added += [(262, " <l> ", False, False), (263, "Ġq", False, True)]
    spaces = [{"id": i, "content": c, "lstrip": le, "rstrip": r, **flags} for i, c, le, r in added]
    for id, content in ((264, "<n>"), (265, "\u00a0p")):
        token = {"id": id, "content": content, "lstrip": True, "rstrip": True}
        spaces.append({**token, "single_word": False, "normalized": True, "special": False})
    merges = [["Ġ", "a"], ["Ġ", "Ġ"], ["ĠĠ", "Ġ"]]
    parts = {
        "added_tokens": spaces,
        "normalizer": None,
        "pre_tokenizer": level(prefix=True, trim=True),
        "post_processor": processor,
        "decoder": None,
    }
    return Folder.bpe(vocab, merges).changed(**(parts | stages)).text()


def spec_of(folder: Path, content: str) -> TokenizerSpec:
    (folder / "tokenizer.json").write_text(content)
    [(_, spec)] = parse_all(open_subject(str(folder))).parsed
    return spec


def plain(options: Any, **more: Any) -> TokenizerSpec:
    """A spec of four words, the second with a space in front."""
    words = {id: Piece(TokenType.ORDINARY, word) for id, word in enumerate([b"a", b" b", b" "])}
    words[3] = Piece(TokenType.CONTROL, b"<s>")
    component = Component(options, Standing.STATED)
    return TokenizerSpec(ModelType.BPE, words, byte_level=True, post_processor=component, **more)


def agrees(upstream: Any, raw: Any, ours: PostProcessor, text: str, pair: str | None) -> None:
    """What `raw` gives without a post-processor, and ours applied to it, is the library's, types too."""
    first = raw.encode(text, add_special_tokens=False)
    second = None if pair is None else raw.encode(pair, add_special_tokens=False)
    other = None if second is None else (second.ids, second.offsets)
    for add in (True, False):
        theirs = upstream.encode(text, pair, add_special_tokens=add)
        found = ours(first.ids, first.offsets, add, text, pair=other, pair_text=pair or "")
        assert found == (theirs.ids, theirs.offsets)
        bare = None if second is None else (second.ids, None)
        assert ours(first.ids, None, add, pair=bare) == (theirs.ids, None)
        size = None if second is None else len(second.ids)
        assert ours.type_ids(len(first.ids), size, add) == theirs.type_ids


@pytest.mark.parametrize("name", PROCESSORS)
def test_ids_offsets_and_types_are_the_library_s(tmp_path: Path, name: str) -> None:
    from tokenizers import Tokenizer

    content = tokenizer_json(PROCESSORS[name])
    upstream, raw = Tokenizer.from_str(content), Tokenizer.from_str(tokenizer_json(None))
    ours = post_processor(spec_of(tmp_path, content))

    @LAW
    @given(TEXTS, st.none() | TEXTS)
    def law(text: str, pair: str | None) -> None:
        agrees(upstream, raw, ours, text, pair)

    law()


NORMALIZERS = {
    "lower": {"type": "Lowercase"},
    "nfkc": {"type": "NFKC"},
    "strip": {"type": "Strip", "strip_left": True, "strip_right": True},
    "wide": {"type": "Replace", "pattern": {"String": "a"}, "content": "  "},
}


@pytest.mark.parametrize("prefix", [True, False])
@pytest.mark.parametrize("name", NORMALIZERS)
def test_added_tokens_are_trimmed_as_their_normalized_text_is(
    tmp_path: Path, name: str, prefix: bool
) -> None:
    from tokenizers import Tokenizer

    stages = {"normalizer": NORMALIZERS[name]}
    content = tokenizer_json(level(prefix=prefix, trim=True), **stages)
    upstream, raw = Tokenizer.from_str(content), Tokenizer.from_str(tokenizer_json(None, **stages))
    ours = post_processor(spec_of(tmp_path, content))

    @LAW
    @given(TEXTS)
    def law(text: str) -> None:
        agrees(upstream, raw, ours, text, None)

    law()


@pytest.mark.parametrize("name", ["trimmed", "roberta", "template, then trimmed"])
def test_the_reference_encodes_as_the_library_does(tmp_path: Path, name: str) -> None:
    from tokenizers import Tokenizer

    content = tokenizer_json(PROCESSORS[name])
    upstream, ours = Tokenizer.from_str(content), ReferenceTokenizer(spec_of(tmp_path, content))

    @LAW
    @given(TEXTS, st.booleans())
    def law(text: str, add: bool) -> None:
        theirs = upstream.encode(text, add_special_tokens=add)
        found = ours.encode(text, add_special_tokens=add, offsets=True)
        assert (found.ids, found.offsets) == (theirs.ids, theirs.offsets)
        assert ours.encode(text, add_special_tokens=add).ids == theirs.ids

    law()


PUBLISHED = ["gpt2", "roberta-base", "bert-base-uncased", "clip-base", "modernbert-base"]
PUBLISHED += ["t5-small", "phi-3-mini", "mistral-7b-v0.1", "whisper-large-v3"]


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_tokenizers_give_the_library_s_ids_and_offsets(material: Path, name: str) -> None:
    from tokenizers import Tokenizer

    folder = material / "tokenizers" / name
    upstream, raw = (Tokenizer.from_file(str(folder / "tokenizer.json")) for _ in range(2))
    raw.post_processor = None
    for tokenizer in (upstream, raw):
        tokenizer.no_padding()
        tokenizer.no_truncation()
    parsed = parse_all(open_subject(str(folder))).parsed
    spec = next(spec for _, spec in parsed if spec.format == "tokenizer.json")
    added = [token.content for token in spec.added_tokens]
    some = [*added[:: max(1, len(added) // 12)], *added[-3:]]
    words = [*SPACES, *some, "Hello", " world", "naïve", "東京", "🙂", "don't", "12", ".", "!?"]
    ours = post_processor(spec)

    @LAW
    @given(st.lists(st.sampled_from(words), max_size=8).map("".join), st.booleans())
    def law(text: str, pair: bool) -> None:
        agrees(upstream, raw, ours, text, text[::-1] if pair else None)

    law()


@pytest.mark.parametrize(
    ("options", "ids", "offsets"),
    [
        (None, [0, 1], [(0, 1), (1, 3)]),
        (around(), [1, 0, 1, 2], [(0, 0), (0, 1), (1, 3), (0, 0)]),
        (template("cs A"), [1, 2, 0, 1], [(0, 0), (0, 0), (0, 1), (1, 3)]),
        (level(prefix=False, trim=True), [0, 1], [(0, 1), (2, 3)]),
        (level(prefix=False, trim=False), [0, 1], [(0, 1), (1, 3)]),
        (
            around(add_prefix_space=True, trim_offsets=True),
            [1, 0, 1, 2],
            [(0, 0), (0, 1), (2, 3), (0, 0)],
        ),
        (
            sequence(level(prefix=False, trim=True), template("A s")),
            [0, 1, 2],
            [(0, 1), (2, 3), (0, 0)],
        ),
    ],
)
def test_each_kind_on_two_tokens(options: Any, ids: list[int], offsets: Any) -> None:
    assert post_processor(plain(options))([0, 1], [(0, 1), (1, 3)], True) == (ids, offsets)


def test_one_space_at_the_beginning_counts_as_the_prefix_but_not_two() -> None:
    process = post_processor(plain(level(prefix=True, trim=True)))
    assert process([1], [(0, 2)], False, " b") == ([1], [(0, 2)])
    twice = plain(level(prefix=True, trim=True), added_tokens=(AddedToken(9, "<m>", lstrip=True),))
    assert post_processor(twice)([9], [(0, 5)], False, "  <m>") == ([9], [(2, 5)])


def test_a_token_of_nothing_but_a_space_ends_where_it_begins() -> None:
    process = post_processor(plain(level(prefix=False, trim=True)))
    assert process([0, 2], [(0, 1), (1, 2)], False, "a ") == ([0, 2], [(0, 1), (2, 2)])


def test_what_python_alone_calls_white_space_is_not_trimmed() -> None:
    token = AddedToken(9, "\x1c<m>\x85", normalized=False)
    process = post_processor(plain(level(prefix=False, trim=True), added_tokens=(token,)))
    assert process([9], [(0, 5)], False, "\x1c<m>\x85") == ([9], [(0, 4)])


def test_the_lists_that_are_given_are_not_changed() -> None:
    ids, offsets = [0, 1], [(0, 1), (1, 3)]
    process = post_processor(plain(around(add_prefix_space=False, trim_offsets=True)))
    process(ids, offsets, True)
    assert (ids, offsets) == ([0, 1], [(0, 1), (1, 3)])


BROKEN: list[tuple[dict[str, Any], str]] = [
    (dict(template("c A"), special_tokens={}), "'c', which it does not define"),
    (template("c A B"), "asks for the text B where there is one"),
    (dict(template("A"), single="$A"), "/post_processor/single: is '\\$A', which is not a list"),
    (dict(template("A"), single=["$A"]), "/post_processor/single/0: is \\$A"),
    (dict(template("A"), special_tokens={"c": {"ids": [-1]}}), "special_tokens/c: has the ids"),
    (sequence(template("c A s"), template("A")), "no template for 3 parts"),
    ({"type": "BertProcessing", "cls": ["<c>", 1]}, "/post_processor/sep: is None"),
    ({"type": "BertProcessing", "cls": ["<c>", True], "sep": ["<s>", 2]}, "/post_processor/cls"),
    (dict(level(True, True), trim_offsets="no"), "/post_processor/trim_offsets: is 'no'"),
    ({"type": "Sequence", "processors": ["BertProcessing"]}, "it holds 'BertProcessing'"),
]


@pytest.mark.parametrize(("options", "message"), BROKEN)
def test_what_the_library_refuses_or_dies_of_is_refused_when_built(
    options: dict[str, Any], message: str
) -> None:
    from tokenizers import Tokenizer

    with pytest.raises(BaseException, match=r"did not match|no entry|index out|not yet"):
        Tokenizer.from_str(tokenizer_json(options)).encode("a")
    with pytest.raises(SpecError, match=message):
        post_processor(plain(options))


@pytest.mark.parametrize("options", [{"type": "Sprinkle"}, sequence({"type": "Sprinkle"})])
def test_an_unknown_kind_is_refused_by_name_when_built(options: dict[str, Any]) -> None:
    with pytest.raises(Unsupported, match="Sprinkle") as reported:
        post_processor(plain(options))
    assert reported.value.pointer == "/post_processor"


def test_where_nobody_states_anything_nothing_is_added() -> None:
    spec = TokenizerSpec(ModelType.BPE, {})
    assert post_processor(spec)([5], [(0, 1)], True) == ([5], [(0, 1)])


Train = Callable[..., bytes]


@pytest.fixture
def train() -> Train:
    """Trains a SentencePiece model with more options."""
    import sentencepiece

    def run(**options: Any) -> bytes:
        written = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(["hello world", "this is a test", "quick brown fox"] * 9),
            model_writer=written,
            vocab_size=40,
            hard_vocab_limit=False,
            minloglevel=3,
            **options,
        )
        return written.getvalue()

    return run


@pytest.mark.parametrize(
    "options", [{}, {"bos_piece": "<BOS>"}, {"bos_id": 3}, {"bos_id": -1, "control_symbols": "<s>"}]
)
def test_a_sentencepiece_model_adds_its_beginning_when_asked(
    tmp_path: Path, train: Train, options: dict[str, Any]
) -> None:
    from sentencepiece import SentencePieceProcessor

    (tmp_path / "t.model").write_bytes(train(**options))
    [(_, spec)] = parse_all(open_subject(str(tmp_path / "t.model"))).parsed
    ours, theirs = ReferenceTokenizer(spec), SentencePieceProcessor(str(tmp_path / "t.model"))
    for text in ("hello", "", " a  test"):
        for add in (True, False):
            expected = theirs.encode(text, add_bos=add)
            assert ours.encode(text, add_special_tokens=add).ids == expected


def test_a_sentencepiece_model_without_a_beginning_adds_nothing(
    tmp_path: Path, train: Train
) -> None:
    from sentencepiece import SentencePieceProcessor

    (tmp_path / "t.model").write_bytes(train(bos_id=-1, user_defined_symbols=["<s>"]))
    [(_, spec)] = parse_all(open_subject(str(tmp_path / "t.model"))).parsed
    with pytest.raises(ValueError, match="BOS token is not defined"):
        SentencePieceProcessor(str(tmp_path / "t.model")).encode("hello", add_bos=True)
    assert post_processor(spec)([7], None, True) == ([7], None)
