"""Writes a small folder for each class of the table, from models trained here in a second."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from sentencepiece import SentencePieceTrainer

from tokaudit.subject.upstream.tokenizer_class import Ids, TokenizerClass
from tokaudit_folders.folder import Folder
from tokaudit_reference.text.bytes_alphabet import BYTE_OF

CORPUS = [
    "the cat sat on the mat and the dog sat on the log",
    "le chat est sur le tapis et le chien est sur la table",
    "der Hund und die Katze sitzen auf dem Teppich",
    "low lower lowest new newer newest wide wider widest",
    "people say that reading a book a day keeps the doctor away",
] * 8
FAIRSEQ_SHIFT = 1  # what fairseq puts before the pieces
FAIRSEQ_FIRST = {"unk_id": 0, "bos_id": 1, "eos_id": 2, "pad_id": -1}
PAD_FIRST = {"unk_id": 2, "bos_id": -1, "eos_id": 1, "pad_id": 0}
FIRST = {
    "fairseq": FAIRSEQ_FIRST,
    "pad": PAD_FIRST,
    "bart": {"unk_id": 3, "bos_id": 0, "eos_id": 2, "pad_id": 1},
    "gemma": {"unk_id": 3, "bos_id": 2, "eos_id": 1, "pad_id": 0},
}
"""The first ids of a model, as the families train it."""
AS_IT_IS = {
    "byte_fallback": True,
    "normalization_rule_name": "identity",
    "remove_extra_whitespaces": False,
}
PREFIX = {"GemmaTokenizer": {"add_dummy_prefix": False}}
ORDER = {
    "BarthezTokenizer": "bart",
    "LasrTokenizer": "bart",
    "GemmaTokenizer": "gemma",
    "Tipsv2Tokenizer": "gemma",
}
ALBERT = "[CLS],[SEP],[MASK]"
ENTITIES = b'{"[MASK2]": 3, "[MASK]": 2, "[PAD]": 0, "[UNK]": 1}'
FUSE = {"type": "Fuse"}
T5_LIKE = (
    *("T5Tokenizer", "MT5Tokenizer", "PegasusTokenizer", "UdopTokenizer", "SiglipTokenizer"),
    *("RemBertTokenizer", "VideoPrismTokenizer"),
)
FAST_ALONE = ("CohereTokenizer", "GPTNeoXTokenizer", "NougatTokenizer")


SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "FSMTTokenizer": {"langs": ["en", "de"]},
    "MarkupLMTokenizer": {"tags_dict": {"a": 0, "p": 1}},
    "Qwen3_5Tokenizer": {"eos_token": "</s>", "pad_token": "<unk>"},
    "Wav2Vec2PhonemeCTCTokenizer": {"do_phonemize": False},
}
"""What a class does not load without, or what names the tokens that its file has."""


@cache
def model(kind: str = "unigram", first: str = "fairseq", **more: Any) -> bytes:
    """A SentencePiece model of 150 pieces."""
    written = io.BytesIO()
    SentencePieceTrainer.train(
        sentence_iterator=iter(CORPUS),
        model_writer=written,
        model_type=kind,
        vocab_size=420 if more.get("byte_fallback") else 150,
        hard_vocab_limit=False,
        minloglevel=2,
        num_threads=1,
        **FIRST[first],
        **more,
    )
    return written.getvalue()


def pieces_of(data: bytes) -> list[str]:
    """The pieces of a model in their places."""
    from sentencepiece import SentencePieceProcessor

    processor = SentencePieceProcessor(model_proto=data)
    return [processor.id_to_piece(place) for place in range(processor.get_piece_size())]


def of_class(row: TokenizerClass, folder: Path) -> Path:
    """A folder that this class loads, with the class in `tokenizer_config.json`."""
    folder.mkdir(parents=True)
    settings = {"tokenizer_class": row.name, **SETTINGS.get(row.name, {})}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    for name, data in _files(row).items():
        (folder / name).write_bytes(data)
    return folder


def _files(row: TokenizerClass) -> Mapping[str, bytes]:
    special = SPECIAL_FILES.get(row.name)
    if special is not None:
        return special()
    if not row.files and row.ids is Ids.FILE:
        return {"tokenizer.json": _fast()}
    if row.files[:1] == ("vocab.txt",):
        return {
            "vocab.txt": _words_of(row),
            **{n: b"{}" for n in row.files[1:] if n.endswith(".json")},
        }
    if row.files == ("vocab.json",):
        return {"vocab.json": _letters()}
    if row.name in FAST_ALONE:
        return {"tokenizer.json": _fast()}
    if row.files[:2] == ("vocab.json", "merges.txt"):
        return _pair()
    if len(row.files) == 1 and row.files[0].endswith(".model"):
        first = ORDER.get(row.name, "pad" if row.name in T5_LIKE else "fairseq")
        if row.files[0] == "tokenizer.model":
            return {row.files[0]: model("bpe", first, **AS_IT_IS, **PREFIX.get(row.name, {}))}
        return {row.files[0]: model("unigram", first)}
    return {}


def _words_of(row: TokenizerClass) -> bytes:
    """A list of words, with the tokens of the class in place of those of others if it has its own."""
    own = [*(row.tokens or {}).values(), *row.input.around, row.vocabulary.unknown or "[UNK]"]
    usual = _words()
    lines = usual.decode().splitlines()
    if set(own) <= {*lines}:
        return usual
    kept = lines[lines.index(".") :]
    return "".join(f"{token}\n" for token in (*dict.fromkeys(own), *kept)).encode()


def _words(*more: str) -> bytes:
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "<s>", "<pad>", "</s>", "<unk>"]
    tokens = [
        *special,
        *more,
        "<mask>",
        *("[QUESTION]", "<cls>", "<sep>", "<eos>", "<|endoftext|>"),
        ".",
        "the",
        "cat",
        "sat",
        "##s",
        "##ting",
        *"abcdefgh",
    ]
    return "".join(f"{token}\n" for token in tokens).encode()


def _letters() -> bytes:
    """Characters with an id each, as classes of speech have them."""
    special = ["<pad>", "<s>", "</s>", "<unk>", "<blank>", "<sos/eos>"]
    tokens = [*special, "|", *"abcdefghijklmnopqrstuvwxyz"]
    return json.dumps({token: id for id, token in enumerate(tokens)}).encode()


def _fast() -> bytes:
    """The same vocabulary as the pair's, with its pipeline."""
    files = _pair()
    merges = files["merges.txt"].decode().splitlines()[1:]
    level = {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": True,
        "use_regex": True,
    }
    stages = {"added_tokens": [], "pre_tokenizer": level, "decoder": level}
    return Folder.bpe(json.loads(files["vocab.json"]), merges).changed(**stages).text().encode()


def _marked_json() -> Mapping[str, bytes]:
    """Small letters with bytes to fall back on, a mark for every space, as SigLIP 2 has them."""
    merges = ["t h", "th e", "c a", "ca t"]
    bytes_ = [f"<0x{value:02X}>" for value in range(256)]
    special = ["<pad>", "<eos>", "<bos>", "<unk>", "<mask>"]
    tokens = [*special, *bytes_, "\u2581", *"abcdefghijklmnopqrstuvwxyz"]
    tokens += [merge.replace(" ", "") for merge in merges]
    space, mark = {"String": " "}, {"String": "\u2581"}
    marks = {"type": "Replace", "pattern": space, "content": "\u2581"}
    cut = {"type": "Split", "pattern": space, "behavior": "MergedWithPrevious", "invert": False}
    back = {"type": "Replace", "pattern": mark, "content": " "}
    made = Folder.bpe(tokens, merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True)
    made = made.added(*special).changed(
        normalizer={"type": "Sequence", "normalizers": [{"type": "Lowercase"}, marks]},
        pre_tokenizer=cut,
        decoder={"type": "Sequence", "decoders": [back, {"type": "ByteFallback"}, FUSE]},
    )
    return {"tokenizer.json": made.text().encode()}


def _pair() -> Mapping[str, bytes]:
    """Bytes in GPT-2's alphabet, and a few merges."""
    merges = [("t", "h"), ("th", "e"), ("Ġ", "the"), ("c", "a"), ("ca", "t"), ("Ġ", "cat")]
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", "<|endoftext|>"]
    others = ["<BOS_TOKEN>", "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "[STOP]"]
    tokens = [*special, *sorted(BYTE_OF), *(a + b for a, b in merges), *others]
    return _written({token: id for id, token in enumerate(tokens)}, merges)


def _clip() -> Mapping[str, bytes]:
    letters = sorted(BYTE_OF)
    merges = [("t", "h"), ("th", "e</w>"), ("c", "a"), ("ca", "t</w>")]
    tokens = [*letters, *(f"{c}</w>" for c in letters), *(a + b for a, b in merges)]
    tokens += ["<|startoftext|>", "<|endoftext|>"]
    return _written({token: id for id, token in enumerate(tokens)}, merges)


def _written(vocab: Mapping[str, int], merges: list[tuple[str, str]]) -> Mapping[str, bytes]:
    lines = "".join(f"{a} {b}\n" for a, b in merges)
    return {
        "vocab.json": json.dumps(vocab).encode(),
        "merges.txt": f"#version: 0.2\n{lines}".encode(),
    }


def _marian() -> Mapping[str, bytes]:
    """Ids from a vocabulary of both sides, in an order that neither model has."""
    source, target = model(), model("unigram", "fairseq", character_coverage=0.98)
    both = dict.fromkeys([*pieces_of(target), *pieces_of(source)])
    words = [piece for piece in both if piece not in ("<unk>", "<s>", "</s>")]
    tokens = ["</s>", "<unk>", *sorted(words), "<pad>"]
    vocab = {token: id for id, token in enumerate(tokens)}
    return {
        "source.spm": source,
        "target.spm": target,
        "vocab.json": json.dumps(vocab).encode(),
    }


def _m2m100() -> Mapping[str, bytes]:
    tokens = ["<s>", "<pad>", "</s>", "<unk>", *sorted(pieces_of(model())[3:])]
    vocab = {token: id for id, token in enumerate(tokens)}
    return {"sentencepiece.bpe.model": model(), "vocab.json": json.dumps(vocab).encode()}


def _bartpho() -> Mapping[str, bytes]:
    lines = "".join(f"{piece} 1\n" for piece in sorted(pieces_of(model())[3:]))
    return {"sentencepiece.bpe.model": model(), "dict.txt": lines.encode()}


def _ernie() -> Mapping[str, bytes]:
    """Pieces with the ids of a list that begins with tokens of the class."""
    words = ["[CLS]", "[PAD]", "[SEP]", "[UNK]", "[MASK]", *sorted(pieces_of(model())[3:])]
    lines = "".join(f"{word}\n" for word in words)
    return {"sentencepiece.bpe.model": model(), "vocab.txt": lines.encode()}


def _japanese() -> Mapping[str, bytes]:
    """A list whose lines may hold several spellings, and the signs that are taken for one."""
    more = ("<|nottoken|>", "<|separator|>", "<|startoftext|>", "<|segmenter|>", "<|byte0|>")
    return {"vocab.txt": _words(*more), "emoji.json": b'{"emoji": {}, "emoji_inv": {}}'}


def _codes() -> Mapping[str, bytes]:
    """PhoBERT's files: a mark on pieces that go on, and merges with their counts."""
    merges = [("t", "h"), ("th", "e</w>"), ("c", "a"), ("ca", "t</w>")]
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["the", "cat", "ca@@", "th@@", *letters, *(f"{c}@@" for c in letters)]
    return {
        "vocab.txt": "".join(f"{word} 7\n" for word in words).encode(),
        "bpe.codes": "".join(f"{a} {b} 12\n" for a, b in merges).encode(),
    }


def pruned(folder: Path, name: str) -> Path:
    """A folder whose list of ids lacks a quarter of the longer pieces, as published ones lack some."""
    path = folder / name
    if name.endswith(".json"):
        kept = [t for n, t in enumerate(json.loads(path.read_bytes())) if n % 4 or len(t) < 3]
        kept += [token for token in ("<unk>", "<pad>", "</s>", "<s>") if token not in kept]
        path.write_text(json.dumps({token: id for id, token in enumerate(kept)}))
    else:
        lines = path.read_text("utf-8").splitlines()
        kept = [line for n, line in enumerate(lines) if n % 4 or len(line) < 5]
        path.write_text("".join(f"{line}\n" for line in kept), "utf-8")
    return folder


def marked(special: list[str], count: str = "") -> Mapping[str, bytes]:
    """Characters with `</w>` at the end of a word, as GPT-1, XLM and FSMT have them."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    merges = [("t", "h"), ("th", "e</w>"), ("c", "a"), ("ca", "t</w>")]
    tokens = [*special, *letters, *(f"{c}</w>" for c in letters), *(a + b for a, b in merges)]
    lines = "".join(f"{a} {b}{count}\n" for a, b in merges)
    vocab = json.dumps({token: id for id, token in enumerate(tokens)}).encode()
    return {"vocab.json": vocab, "merges.txt": f"#version: 0.2\n{lines}".encode()}


def _goes_on(special: list[str]) -> Mapping[str, bytes]:
    """CTRL's files: a mark on pieces that go on in the vocabulary, and on ends in the merges."""
    files = marked(special)
    letters = "abcdefghijklmnopqrstuvwxyz"
    tokens = [*special, *(f"{c}@@" for c in letters), *letters, "th@@", "the", "ca@@", "cat"]
    vocab = json.dumps({token: id for id, token in enumerate(tokens)}).encode()
    return {"vocab.json": vocab, "merges.txt": files["merges.txt"]}


def _fsmt() -> Mapping[str, bytes]:
    files = marked(["<s>", "<pad>", "</s>", "<unk>"], " 9")
    merges = files["merges.txt"].partition(b"\n")[2]  # no line with a version
    return {
        "vocab-src.json": files["vocab.json"],
        "vocab-tgt.json": files["vocab.json"],
        "merges.txt": merges,
    }


def _maps() -> Mapping[str, bytes]:
    """MyT5's rewriting of bytes: `A` as a mark and `a`, and the two letters of `th` as one."""
    maps = {"decompose_map": {"41": "c0 61"}, "merge_map": {"74 68": "c1"}}
    return {"byte_maps.json": json.dumps(maps).encode()}


def _scenes() -> Mapping[str, bytes]:
    """MGP-STR's characters."""
    tokens = ["[GO]", "[s]", *"0123456789abcdefghijklmnopqrstuvwxyz"]
    return {"vocab.json": json.dumps({token: id for id, token in enumerate(tokens)}).encode()}


SPECIAL_FILES: Mapping[str, Callable[[], Mapping[str, bytes]]] = {
    "MyT5Tokenizer": _maps,
    "MgpstrTokenizer": _scenes,
    "ProphetNetTokenizer": lambda: {"prophetnet.tokenizer": _words()},
    "Siglip2Tokenizer": _marked_json,
    "CLIPTokenizer": _clip,
    "LukeTokenizer": lambda: {**_pair(), "entity_vocab.json": ENTITIES},
    "MLukeTokenizer": lambda: {"sentencepiece.bpe.model": model(), "entity_vocab.json": ENTITIES},
    "MarianTokenizer": _marian,
    "M2M100Tokenizer": _m2m100,
    "Speech2TextTokenizer": _m2m100,
    "BartphoTokenizer": _bartpho,
    "ErnieMTokenizer": _ernie,
    "XLMProphetNetTokenizer": lambda: {"prophetnet.tokenizer": model()},
    "Speech2Text2Tokenizer": lambda: _goes_on(["<s>", "<pad>", "</s>", "<unk>"]),
    "TapexTokenizer": _pair,
    "GPTSanJapaneseTokenizer": _japanese,
    "PhobertTokenizer": _codes,
    "BertweetTokenizer": _codes,
    "FSMTTokenizer": _fsmt,
    "OpenAIGPTTokenizer": lambda: marked(["<unk>"]),
    "XLMTokenizer": lambda: marked(["<s>", "</s>", "<pad>", "<unk>", "<special1>"], " 9"),
    "FlaubertTokenizer": lambda: marked(["<s>", "</s>", "<pad>", "<unk>", "<special1>"], " 9"),
    "HerbertTokenizer": lambda: marked(["<s>", "<pad>", "</s>", "<unk>", "<mask>"]),
    "CTRLTokenizer": lambda: _goes_on(["<unk>"]),
    "BlenderbotSmallTokenizer": lambda: _goes_on(["__null__", "__start__", "__end__", "__unk__"]),
    "AlbertTokenizer": lambda: {"spiece.model": model(control_symbols=ALBERT)},
    "CpmAntTokenizer": lambda: {"vocab.txt": _words("<d>", "</d>", "</_>", "</n>")},
    "BioGptTokenizer": lambda: marked(["<s>", "<pad>", "</s>", "<unk>"], " 9"),
}
