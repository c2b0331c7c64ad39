"""Healthy folders that defects are put into: real small tokenizers, or real ones cut short.

Every writer gives the same bytes each time, so that only the break differs from the healthy copy.
"""

from __future__ import annotations

import io
import shutil
from base64 import b64decode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tokaudit_faults.catalogue import material
from tokaudit_faults.healthy.family import around
from tokaudit_folders import sick
from tokaudit_folders.gguf_files import BOOL, F32, I32, TEXT, U32, tokenizer
from tokaudit_reference.text.bytes_alphabet import to_characters
from tokaudit_reference.text.published_patterns import CL100K

ENTRIES = 3000  # of a real vocabulary; its first merges are a healthy smaller one
SPECIALS = ("<|begin|>", "<|end|>", "<|pad|>", "<|user|>", "<|assistant|>")
PROSE = (sick.TEXT * 4).split(" ")
LINES = [" ".join(PROSE[at : at + 12]) for at in range(0, len(PROSE), 5)]
SETTINGS = {"vocab_size": 420, "byte_fallback": True, "model_type": "bpe", "minloglevel": 2}
LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}

small = sick.healthy
"""A byte-level BPE of 380 entries in every form that loaders read, with configs and weights."""


def split(pattern: str, behavior: str = "Isolated") -> dict[str, Any]:
    """A step that cuts text at the matches of a pattern."""
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": behavior, "invert": False}


def cut_by(*patterns: str) -> dict[str, Any]:
    """A byte-level pre-tokenizer that cuts by its own patterns."""
    return {"type": "Sequence", "pretokenizers": [*map(split, patterns), LEVEL]}


def beginning(folder: Path) -> None:
    """The small folder with a BOS token that the post-processor writes."""
    small(folder)
    sick.add_everywhere(folder, "<|begin|>")
    sick.state(folder, "tokenizer.json", post_processor=around([("<|begin|>", 380)]))
    for name in ("tokenizer_config.json", "special_tokens_map.json"):
        sick.state(folder, name, bos_token="<|begin|>")
    sick.state(folder, "tokenizer_config.json", add_bos_token=True)
    for name in ("config.json", "generation_config.json"):
        sick.state(folder, name, bos_token_id=380)


def thinking(folder: Path) -> None:
    """The small folder with an added token that is not special."""
    small(folder)
    sick.add_everywhere(folder, "<think>", special=False)


def cl100k(folder: Path) -> None:
    """The first ranks of cl100k_base with its own pattern, as a folder in every form."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = (material() / "tokenizers/cl100k_base/cl100k_base.tiktoken").read_text().split("\n")
    ranks = {b64decode(line.split()[0]): rank for rank, line in enumerate(lines[:ENTRIES])}
    write_bytes(folder, ranks, CL100K)


def write_bytes(folder: Path, ranks: Mapping[bytes, int], *patterns: str) -> None:
    """A folder of a byte-level vocabulary whose ranks are its ids."""
    vocab = {to_characters(token): rank for token, rank in ranks.items()}
    merges = [tuple(map(to_characters, parts(ranks, token))) for token in ranks if len(token) > 1]
    added = [sick._added(len(vocab) + place, name) for place, name in enumerate(SPECIALS[1:])]
    written = sick._tokenizer(vocab, merges, added)
    written["pre_tokenizer"] = cut_by(*patterns)
    written["post_processor"] = written["decoder"] = LEVEL
    sick.write(folder / "tokenizer.json", written)
    sick.write(folder / "vocab.json", vocab)
    text = "\n".join(["#version: 0.2", *(" ".join(pair) for pair in merges), ""])
    (folder / "merges.txt").write_bytes(text.encode())
    sick._configs(folder, len(vocab), added)
    rows = len(vocab) + len(added)
    sick.weights(folder, {"model.embed_tokens.weight": rows, "lm_head.weight": rows})


def parts(ranks: Mapping[bytes, int], token: bytes) -> list[bytes]:
    """The two parts that a token was merged from: those before the last merge that makes it."""
    found = [bytes([byte]) for byte in token]
    while len(found) > 2:
        pairs = [ranks.get(found[i] + found[i + 1], len(ranks)) for i in range(len(found) - 1)]
        at = min(range(len(pairs)), key=lambda i: pairs[i])
        found[at : at + 2] = [found[at] + found[at + 1]]
    return found


def ranks_alone(folder: Path) -> None:
    """A rank file with its pattern and its specials in the configuration next to it."""
    small(folder)
    added = sick.read(folder / "tokenizer_config.json")["added_tokens_decoder"]
    sick.rank_file(folder)
    (folder / "small.tiktoken").rename(folder / "tiktoken.model")
    config = {"added_tokens_decoder": added, "eos_token": "<|end|>", "pad_token": "<|pad|>"}
    sick.write(
        folder / "tokenizer_config.json", config | {"tokenizer_class": "PreTrainedTokenizerFast"}
    )


def trained(lines: Sequence[str] = LINES, **options: Any) -> bytes:
    """A SentencePiece model, trained on prose or other lines with the given options."""
    import sentencepiece

    model = io.BytesIO()
    settings: dict[str, Any] = {**SETTINGS, **options}
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines), model_writer=model, **settings
    )
    return model.getvalue()


LLAMA: dict[str, Any] = {
    "normalization_rule_name": "identity",
    "remove_extra_whitespaces": False,
    "split_digits": True,
    "allow_whitespace_only_pieces": True,
}


def marked(folder: Path, **options: Any) -> None:
    """A SentencePiece BPE in the manner of Llama with the tokenizer.json converted from it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tokenizer.model").write_bytes(trained(**{**LLAMA, **options}))
    sick.write(folder / "tokenizer.json", converted(folder / "tokenizer.model"))
    roles = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
    sick.write(folder / "special_tokens_map.json", roles)
    sick.write(
        folder / "tokenizer_config.json",
        {
            **roles,
            "add_bos_token": True,
            "add_eos_token": False,
            "clean_up_tokenization_spaces": False,
            "legacy": False,
            "model_max_length": 2048,
            "sp_model_kwargs": {},
            "tokenizer_class": "LlamaTokenizer",
        },
    )
    sick.write(
        folder / "config.json",
        {
            "model_type": "llama",
            "bos_token_id": 1,
            "eos_token_id": 2,
            "vocab_size": 420,
            "max_position_embeddings": 2048,
        },
    )


def converted(model: Path) -> dict[str, Any]:
    """The tokenizer.json of a SentencePiece BPE: merges in the order of the pieces' ids."""
    import sentencepiece

    read = sentencepiece.SentencePieceProcessor(model_file=str(model))
    vocab = {read.IdToPiece(id): id for id in range(len(read))}
    pairs = (
        (vocab[piece], vocab[piece[:at]], vocab[piece[at:]], piece[:at], piece[at:])
        for piece in vocab
        for at in range(1, len(piece))
        if piece[:at] in vocab and piece[at:] in vocab and not piece.startswith("<")
    )
    merges = [pair[3:] for pair in sorted(pairs)]
    added = [sick._added(id, read.IdToPiece(id)) for id in range(3)]
    written = sick._tokenizer(vocab, merges, added)
    written["model"].update(byte_fallback=True, fuse_unk=True, unk_token="<unk>")
    mark = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "first", "split": False}
    decoders = [
        {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
        {"type": "ByteFallback"},
        {"type": "Fuse"},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0},
    ]
    return {
        **written,
        "pre_tokenizer": mark,
        "post_processor": around([("<s>", 1)]),
        "decoder": {"type": "Sequence", "decoders": decoders},
    }


def scored(model: Path) -> list[tuple[str, float]]:
    """The pieces of a SentencePiece model with their scores, in the order of their ids."""
    import sentencepiece

    read = sentencepiece.SentencePieceProcessor(model_file=str(model))
    return [(read.IdToPiece(id), read.GetScore(id)) for id in range(len(read))]


ARCHITECTURE = {"general.architecture": (TEXT, "llama")}  # without which no engine loads a file


def llama_keys(model: Path) -> dict[str, tuple[int, Any]]:
    """The keys of a SentencePiece BPE as a converter writes them into GGUF."""
    pieces = scored(model)
    kinds = [2, 3, 3, *(6 if name.startswith("<0x") else 1 for name, _ in pieces[3:])]
    keys: dict[str, tuple[int, Any]] = ARCHITECTURE | tokenizer(
        "llama",
        [name for name, _ in pieces],
        scores=(F32, [score for _, score in pieces]),
        token_type=(I32, kinds),
        bos_token_id=(U32, 1),
        eos_token_id=(U32, 2),
    )
    return keys


def words(folder: Path) -> None:
    """A cased WordPiece folder with nothing but `vocab.txt` and its configurations."""
    folder.mkdir(parents=True, exist_ok=True)
    letters = [chr(c) for c in (*range(33, 48), *range(48, 58), *range(65, 91), *range(97, 123))]
    inside = [f"##{letter}" for letter in letters if letter.isalnum()]
    known = sorted({word.strip(",;") for word in PROSE if word})
    cased = [word.capitalize() for word in known if word.isalpha()]
    listed = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *inside, *known, *cased]
    tokens = list(dict.fromkeys(filter(None, listed)))
    (folder / "vocab.txt").write_text("\n".join([*tokens, ""]), encoding="utf-8")
    roles = {"unk": "[UNK]", "sep": "[SEP]", "pad": "[PAD]", "cls": "[CLS]", "mask": "[MASK]"}
    named = {f"{role}_token": token for role, token in roles.items()}
    sick.write(
        folder / "tokenizer_config.json",
        {
            **named,
            "do_lower_case": False,
            "model_max_length": 512,
            "tokenizer_class": "BertTokenizer",
        },
    )
    sick.write(folder / "special_tokens_map.json", named)
    config = {"model_type": "bert", "pad_token_id": 0, "vocab_size": len(tokens)}
    sick.write(folder / "config.json", {**config, "max_position_embeddings": 512})


def bert(folder: Path) -> None:
    """The published uncased BERT folder."""
    shutil.copytree(material() / "tokenizers/bert-base-uncased", folder)


def gguf_keys(written: Any) -> dict[str, tuple[int, Any]]:
    """The keys of a tokenizer.json as a converter writes them."""
    ids = {id: token for token, id in written["model"]["vocab"].items()}
    ids |= {token["id"]: token["content"] for token in written["added_tokens"]}
    special = {token["id"] for token in written["added_tokens"]}
    keys: dict[str, tuple[int, Any]] = ARCHITECTURE | tokenizer(
        "gpt2",
        [ids[id] for id in sorted(ids)],
        pre=(TEXT, "gpt-2"),
        token_type=(I32, [3 if id in special else 1 for id in sorted(ids)]),
        merges=(TEXT, written["model"]["merges"]),
        bos_token_id=(U32, 376),
        eos_token_id=(U32, 376),
        padding_token_id=(U32, 377),
        add_bos_token=(BOOL, False),
    )
    return keys
