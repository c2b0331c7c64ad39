"""SentencePiece models of each kind, and one whose ids a list gives."""

from __future__ import annotations

import io

from tokaudit_fuzz.sample import Files, Sample, written


def sentencepiece(kind: str = "unigram") -> Files:
    import sentencepiece as library

    writer = io.BytesIO()
    library.SentencePieceTrainer.train(
        sentence_iterator=iter(["the cat sat", "a dog and a cat"] * 3),
        model_writer=writer,
        model_type=kind,
        vocab_size=30,
        hard_vocab_limit=False,
        normalization_rule_name="identity",
        user_defined_symbols=["<b>"],
        minloglevel=5,
    )
    return {"tokenizer.model": writer.getvalue()}


def characters() -> Files:
    return sentencepiece("char")


def words() -> Files:
    return sentencepiece("word")


def marian() -> Files:
    from sentencepiece import SentencePieceProcessor

    (model,) = sentencepiece().values()
    processor = SentencePieceProcessor(model_proto=model)
    pieces = [processor.id_to_piece(place) for place in range(processor.get_piece_size())]
    return {
        "source.spm": model,
        "vocab.json": written({token: id for id, token in enumerate(sorted(pieces))}),
        "tokenizer_config.json": written({"tokenizer_class": "MarianTokenizer"}),
    }


SAMPLE = Sample(
    "sentencepiece",
    (
        sentencepiece,
        marian,
        characters,
        words,
    ),
)
