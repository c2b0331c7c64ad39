"""Added tokens are found where Hugging Face's tokenizers finds them, whatever their flags are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from installed_library import of_the_newest
from law_examples import some

from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_folders.folder import Folder
from tokaudit_reference.steps.decoders import Decoder
from tokaudit_reference.tokenizer import ReferenceTokenizer

LAW = settings(deadline=None, derandomize=True, database=None, max_examples=some(400))
CONTENTS = [
    "<a>",
    "<A>",
    "<a",
    "a>",
    "a",
    "ab",
    "Ab ",
    " b",
    "\u00e9",
    "e\u0301",
    "\u2581x",
    "  ",
    "_",
    "\u65e5",
    "[M]",
]
CHARACTERS = [
    *"abAB<>xe\u00e9\u0301 \t\n\u00a0\u3000\u2581_-.1\u00b2\u200d\u65e5\u672c\U0001f600",
    "  ",
    *CONTENTS,
]
TEXTS = st.lists(st.sampled_from(CHARACTERS), max_size=12).map("".join)
FLAGS = st.fixed_dictionaries(
    {flag: st.booleans() for flag in ("single_word", "lstrip", "rstrip", "normalized", "special")}
)
TOKENS = st.lists(
    st.tuples(st.sampled_from(CONTENTS), FLAGS), max_size=4, unique_by=lambda token: token[0]
)
NORMALIZERS = st.sampled_from(
    [
        None,
        {"type": "Lowercase"},
        {"type": "NFC"},
        {"type": "NFD"},
        {"type": "Strip", "strip_left": True, "strip_right": True},
        {"type": "Prepend", "prepend": "\u2581"},
        {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"},
        {
            "type": "Sequence",
            "normalizers": [
                {"type": "Prepend", "prepend": "\u2581"},
                {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"},
            ],
        },
        {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": True,
        },
    ]
)
METASPACE = {"type": "Metaspace", "replacement": "\u2581", "split": True}
PRE_TOKENIZERS = st.sampled_from(
    [
        None,
        {"type": "WhitespaceSplit"},
        {"type": "BertPreTokenizer"},
        *({**METASPACE, "prepend_scheme": scheme} for scheme in ("always", "first", "never")),
        {**METASPACE, "prepend_scheme": "first", "split": False},
    ]
)


def content_of(tokens: Any, normalizer: Any, pre_tokenizer: Any) -> str:
    """A tokenizer of single characters; its model has no entry for some of them."""
    letters = sorted(set("abAB<>xe\u00e9\u0301 \t\u2581_-.1\u65e5") | set("\u2581"))
    vocab = {"?": 0} | {letter: id for id, letter in enumerate(letters, 1)}
    more = dict.fromkeys(content for content, _ in tokens if content not in vocab)
    ids = vocab | {content: id for id, content in enumerate(more, len(vocab))}
    added = [{"id": ids[content], "content": content, **flags} for content, flags in tokens]
    folder = Folder.bpe(vocab, dropout=None, unk_token="?", fuse_unk=False, byte_fallback=False)
    listed = sorted(added, key=lambda token: token["id"])
    stages = {"normalizer": normalizer, "pre_tokenizer": pre_tokenizer}
    return folder.changed(added_tokens=listed, post_processor=None, decoder=None, **stages).text()


def stays_something(tokens: Any, normalizer: Any) -> bool:
    """Whether something is left of each token; the library panics on one that is nothing."""
    return normalizer is None or all(normalizer.normalize_str(content) for content, _ in tokens)


def reference(folder: Path, content: str) -> ReferenceTokenizer:
    (folder / "tokenizer.json").write_text(content)
    [(_, spec)] = parse_all(open_subject(str(folder))).parsed
    return ReferenceTokenizer(spec)


def test_any_added_tokens_in_any_text_give_the_library_s_ids_and_places(tmp_path: Path) -> None:
    from tokenizers import Tokenizer

    @LAW
    @given(TOKENS, NORMALIZERS, PRE_TOKENIZERS, st.lists(TEXTS, min_size=1, max_size=4))
    def law(tokens: Any, normalizer: Any, pre_tokenizer: Any, texts: list[str]) -> None:
        content = content_of(tokens, normalizer, pre_tokenizer)
        upstream, ours = Tokenizer.from_str(content), reference(tmp_path, content)
        assume(stays_something(tokens, upstream.normalizer))
        for text in texts:
            theirs = upstream.encode(text, add_special_tokens=False)
            found = ours.encode(text, offsets=True)
            assert ours.encode(text).ids == theirs.ids
            assert (found.ids, found.offsets) == (theirs.ids, theirs.offsets)

    law()


def test_special_tokens_read_as_text_give_the_library_s_ids_and_places(tmp_path: Path) -> None:
    from tokenizers import Tokenizer

    @LAW
    @given(TOKENS, NORMALIZERS, PRE_TOKENIZERS, TEXTS)
    def law(tokens: Any, normalizer: Any, pre_tokenizer: Any, text: str) -> None:
        content = content_of(tokens, normalizer, pre_tokenizer)
        upstream, ours = Tokenizer.from_str(content), reference(tmp_path, content)
        assume(stays_something(tokens, upstream.normalizer))
        upstream.encode_special_tokens = True
        theirs = upstream.encode(text, add_special_tokens=False)
        found = ours.encode(text, parse_special=False, offsets=True)
        assert ours.encode(text, parse_special=False).ids == theirs.ids
        assert (found.ids, found.offsets) == (theirs.ids, theirs.offsets)

    law()


@of_the_newest
def test_a_content_that_is_listed_twice_is_what_the_library_makes_of_both(tmp_path: Path) -> None:
    from tokenizers import Tokenizer

    @LAW
    @given(TOKENS, st.lists(FLAGS, min_size=2, max_size=3), TEXTS)
    def law(others: Any, flags: list[Any], text: str) -> None:
        tokens = [each for each in others if each[0] != "<a>"]
        content = content_of([*tokens, *(("<a>", each) for each in flags)], None, None)
        upstream, ours = Tokenizer.from_str(content), reference(tmp_path, content)
        theirs = upstream.encode(f"{text}<a> b", add_special_tokens=False)
        assert ours.encode(f"{text}<a> b").ids == theirs.ids
        assert Decoder(ours.spec).decode(theirs.ids, skip_special_tokens=True) == upstream.decode(
            theirs.ids, skip_special_tokens=True
        )

    law()
