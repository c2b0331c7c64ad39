"""Pairs of small specs that are written differently and do the same, by what proves it."""

from __future__ import annotations

from differing_sides import BPE, Options, normal, packed, replaced, spec, split, stage

from tokaudit_reference.spec import AddedToken, ModelType, TokenizerSpec

Sides = tuple[TokenizerSpec, ...]

BERT: Options = {"type": "BertProcessing", "cls": ["[CLS]", 1], "sep": ["[SEP]", 2]}
BERT_AS_TEMPLATE: Options = {
    "type": "TemplateProcessing",
    "single": [
        {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
    ],
    "pair": [
        {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
        {"Sequence": {"id": "B", "type_id": 1}},
        {"SpecialToken": {"id": "[SEP]", "type_id": 1}},
    ],
    "special_tokens": {
        "[CLS]": {"id": "[CLS]", "ids": [1], "tokens": ["[CLS]"]},
        "[SEP]": {"id": "[SEP]", "ids": [2], "tokens": ["[SEP]"]},
    },
}


def written(name: str, *options: Options) -> Sides:
    """Specs that write one stage in several ways."""
    return tuple(stage(name, *options))


def of_bytes(option: str) -> list[Options]:
    """`ByteLevel` with a switch on and off that nobody reads."""
    return [{"type": "ByteLevel", option: value} for value in (True, False)]


FORM, LOWER = {"type": "NFC"}, {"type": "Lowercase"}
SAME_ENTRIES: Sides = (spec("a"),) * 2
SAME_MERGES: Sides = (spec(*BPE, merges=(("a", "b"),)),) * 2
SAME_ADDED: Sides = (spec("a", added_tokens=(AddedToken(1, "<e>"),)),) * 2
SAME_FORM = written("normalizer", FORM, FORM)
FORM_TWICE = written("normalizer", FORM, normal(FORM, FORM))
UNREAD_IN_CUTS = written("pre_tokenizer", *of_bytes("trim_offsets"))
UNREAD_IN_DECODING = written("decoder", *of_bytes("use_regex"))
UNREAD_AROUND = written("post_processor", *of_bytes("use_regex"))
SAME_AROUND = written("post_processor", BERT, BERT_AS_TEMPLATE)
OTHER_ORDER = written(
    "normalizer", normal(LOWER, replaced("-", "_")), normal(replaced("-", "_"), LOWER)
)
PACKED_OTHERWISE = written(
    "normalizer",
    *(
        {"type": "Precompiled", "precompiled_charsmap": packed(*each)}
        for each in ((0, b"x\0y\0"), (2, b"y\0x\0"))
    ),
)
SAME_BYTES: Sides = tuple(
    spec("a", "b", stages={"decoder": {"type": each}}, byte_level=True)
    for each in ("ByteLevel", "Bytes")
)
FREE_ORDER: Sides = tuple(
    spec("a", "b", "c", "d", "ab", "cd", merges=each)
    for each in ((("a", "b"), ("c", "d")), (("c", "d"), ("a", "b")))
)
SHUFFLED: Sides = tuple(spec(*each, model=ModelType.WORDLEVEL) for each in (("a", "b"), ("b", "a")))
SHUFFLED_SCORES: Sides = tuple(
    spec(*tokens, model=ModelType.UNIGRAM, scores=scores)
    for tokens, scores in (
        (("a", "b"), {0: -1.0, 1: -2.0}),
        (("b", "a"), {0: -2.0, 1: -1.0}),
    )
)
SAME_CUTS = written("pre_tokenizer", split("a+"), split("(?:a)+"))
NOTHING_ACROSS: Sides = tuple(
    spec("?", " ", "a", merges=(), unk_id=0, stages={"pre_tokenizer": split(each)})
    for each in (r"\s+|\S+", r"\s|\S+")
)
