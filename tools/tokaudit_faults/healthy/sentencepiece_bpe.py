"""Mistral's SentencePiece BPE, cut to its first pieces, as converters write it."""

from __future__ import annotations

from tokaudit.subject.opening import open_subject
from tokaudit.subject.representations import parse_all
from tokaudit_faults.healthy.draft import INPUT, OUTPUT, Draft, Json, rows
from tokaudit_faults.healthy.family import TURNS, Family, added, around, chat_settings, package_file
from tokaudit_folders.folder import Folder

BYTES, PIECES = 259, 1500
MARK, PAD = "▁", "<|pad|>"


def make() -> Draft:
    """Specials, bytes, the first pieces and the letters that those are made of."""
    path = package_file("mistral_common", "data/tokenizer.model.v1")
    ((_, spec),) = parse_all(open_subject(str(path))).parsed
    pieces = [str(piece.value) for _, piece in sorted(spec.pieces.items())]
    first = pieces[: BYTES + PIECES]
    letters = {letter for piece in first[BYTES:] for letter in piece}
    kept = [*first, *(p for p in pieces[BYTES + PIECES :] if len(p) == 1 and p in letters)]
    vocab = {piece: id for id, piece in enumerate(kept)}
    listed = [added(id, content) for id, content in enumerate(("<unk>", "<s>", "</s>"))]
    named = (*TURNS, PAD)
    listed += [added(len(vocab) + place, content) for place, content in enumerate(named)]
    size = len(vocab) + len(named)
    model = Folder.bpe(
        vocab, _merges(vocab), unk_token="<unk>", fuse_unk=True, byte_fallback=True, dropout=None
    )
    tokenizer = {**model.tokenizer, **_pipeline(), "added_tokens": listed}
    roles = {"bos": "<s>", "eos": "</s>", "unk": "<unk>", "pad": PAD}
    own = {"tokenizer_class": "LlamaTokenizer", "add_bos_token": True, "add_eos_token": False}
    settings = chat_settings(listed, roles, size, **own, legacy=True)
    return Draft(tokenizer, {}, settings, {INPUT: rows(size, 3), OUTPUT: rows(size, 4)})


def _merges(vocab: dict[str, int]) -> list[str]:
    """Every pair of pieces that makes a piece, by the ids of what they make and are."""
    pairs = (
        (vocab[piece], vocab[piece[:at]], vocab[piece[at:]], f"{piece[:at]} {piece[at:]}")
        for piece, id in vocab.items()
        if id >= BYTES
        for at in range(1, len(piece))
        if piece[:at] in vocab and piece[at:] in vocab
    )
    return [pair[3] for pair in sorted(pairs)]


def _pipeline() -> Json:
    spaces = {"type": "Replace", "pattern": {"String": " "}, "content": MARK}
    back = {"type": "Replace", "pattern": {"String": MARK}, "content": " "}
    strip = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
    decoders = [back, {"type": "ByteFallback"}, {"type": "Fuse"}, strip]
    return {
        "normalizer": {
            "type": "Sequence",
            "normalizers": [{"type": "Prepend", "prepend": MARK}, spaces],
        },
        "pre_tokenizer": None,
        "post_processor": around([("<s>", 1)]),
        "decoder": {"type": "Sequence", "decoders": decoders},
    }


FAMILY = Family("SentencePiece BPE", "mistral_common", make)
