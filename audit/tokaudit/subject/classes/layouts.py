"""Where the classes with ids of their own put the pieces of a SentencePiece model.

A layout is a head of tokens with the first ids, the pieces from some place on, and a tail.

Source: `convert_slow_tokenizer.py` and the slow classes of transformers 4.57; each layout names
the method.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tokaudit.subject.classes.table import languages

MASK = "<mask>"
HEAD = ("<s>", "<pad>", "</s>", "<unk>")


@dataclass(frozen=True, slots=True)
class Layout:
    """The tokens before the pieces, how many pieces these stand for, and the tokens behind."""

    head: tuple[str, ...]
    dropped: int
    tail: tuple[str, ...]
    source: str
    unknown: str = "<unk>"

    @property
    def offset(self) -> int:
        """How much higher than its place in the model the id of a piece is."""
        return len(self.head) - self.dropped


def _fairseq(*tail: str, source: str) -> Layout:
    """fairseq puts its four tokens where SentencePiece has three: every id is higher by one."""
    return Layout(HEAD, 3, tail, source)


def _languages(name: str, source: str) -> Layout:
    return _fairseq(*languages(name), MASK, source=source)


XLM_R = _fairseq(MASK, source="XLMRobertaConverter.vocab")
CAMEMBERT = ("<s>NOTUSED", "<pad>", "</s>NOTUSED", "<unk>", "<unk>NOTUSED")
PEGASUS = ("<pad>", "</s>", "<mask_1>", "<mask_2>", *(f"<unk_{n}>" for n in range(2, 103)))
T5 = Layout((), 0, tuple(f"<extra_id_{n}>" for n in range(99, -1, -1)), "T5Converter.vocab")
MADE_UP = tuple(f"<madeupword{n}>" for n in range(7))
LAYOUTS: Mapping[str, Layout] = {
    "XLMRobertaTokenizer": XLM_R,
    "LayoutXLMTokenizer": XLM_R,
    "MLukeTokenizer": XLM_R,
    "CamembertTokenizer": Layout(CAMEMBERT, 1, (MASK,), "CamembertConverter.vocab"),
    "MBartTokenizer": _languages("MBartTokenizer", "MBartConverter.vocab"),
    "MBart50Tokenizer": _languages("MBart50Tokenizer", "MBart50Converter.vocab"),
    "NllbTokenizer": _fairseq(source="NllbConverter.vocab"),  # its languages: as configs state
    "PLBartTokenizer": _languages("PLBartTokenizer", "PLBartTokenizer.__init__"),
    "XGLMTokenizer": _fairseq(*MADE_UP, source="XGLMConverter.vocab"),
    "SeamlessM4TTokenizer": Layout(
        ("<pad>", "<unk>", "<s>", "</s>"), 3, (), "SeamlessM4TConverter.vocab"
    ),
    "PegasusTokenizer": Layout(PEGASUS, 2, (), "PegasusConverter.vocab"),
    "T5Tokenizer": T5,
}
"""The layout of each class whose ids are `Ids.MOVED`."""

BEHIND: Mapping[str, tuple[str, ...]] = {"M2M100Tokenizer": languages("M2M100Tokenizer")}
"""What a class with the ids of a `vocab.json` puts behind it (`M2M100Tokenizer.__init__`)."""
LISTS: Mapping[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "BartphoTokenizer": ("dict.txt", HEAD, (MASK,)),
}
"""A list that gives ids to pieces: its file, the tokens before and behind (`BartphoTokenizer`)."""
