"""Sixty faults of engines, each a change of what a sound engine is given, does or gives.

`faults.csv` has the name of each, on which tokenizer it is tried, what shows it, and in which half
of the list it is: the halves were drawn with the seed 27 before any vectors were written.
"""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from msgspec import structs

from tokaudit.products.engines.covering.characters import LETTERS_OF_VERSIONS
from tokaudit.runtimes.protocol import DecodeOptions, EncodeOptions, Encoding
from tokaudit_reference.spec import AddedToken, Component, Standing, TokenizerSpec
from tokaudit_runtimes.engine import Engine

TABLE = Path(__file__).with_name("faults.csv")
OF_SPEC = "spec"
Texts = Callable[[str], str]
SpecChange = Callable[[TokenizerSpec], TokenizerSpec]


@dataclass(frozen=True)
class Fault:
    """A fault by its name, the tokenizer that it is tried on, and what shows it.

    `shows` is *text* where one short text does; else *batch*, *threads*, *cache* or *length*.
    """

    name: str
    subject: str
    shows: str
    half: str


def faults() -> list[Fault]:
    """The list, as it was committed."""
    with TABLE.open(encoding="utf-8", newline="") as rows:
        return [Fault(**row) for row in csv.DictReader(rows)]


def faulty(fault: Fault, spec: TokenizerSpec) -> Engine:
    """An engine with the fault."""
    if fault.name in SPECS:
        return Engine(SPECS[fault.name](spec), fault.name)
    if fault.name in TEXTS:
        return _OfText(spec, fault.name, TEXTS[fault.name])
    return ENGINES[fault.name](spec, fault.name)


class _OfText(Engine):
    """Every text is changed before it is encoded."""

    def __init__(self, spec: TokenizerSpec, name: str, change: Texts) -> None:
        super().__init__(spec, name)
        self._change = change

    def one(self, text: str, options: EncodeOptions) -> Encoding:
        return super().one(self._change(text), options)


def _patterns(*changes: tuple[str, str]) -> SpecChange:
    """The split patterns with parts of them written differently."""

    def changed(spec: TokenizerSpec) -> TokenizerSpec:
        options = dict(spec.pre_tokenizer.options or {})
        steps = []
        for step in options["pretokenizers"]:
            pattern = str((step.get("pattern") or {}).get("Regex") or "")
            for old, new in changes if pattern else ():
                pattern = pattern.replace(old, new)
            steps.append(step | {"pattern": {"Regex": pattern}} if pattern else step)
        kept = [step for step in steps if (step.get("pattern") or {"Regex": "x"})["Regex"] != "-"]
        return replace(spec, pre_tokenizer=_stated(options | {"pretokenizers": kept}))

    return changed


def _options(stage: str, **changes: object) -> SpecChange:
    """A stage with some of its options changed."""

    def changed(spec: TokenizerSpec) -> TokenizerSpec:
        options = dict(getattr(spec, stage).options or {}) | changes
        return replace(spec, **{stage: _stated(options)})  # type: ignore[arg-type]

    return changed


def _stated(options: dict[str, object]) -> Component:
    return Component(options, Standing.STATED)


def _added(change: Callable[[AddedToken], AddedToken | None]) -> SpecChange:
    """Each added token changed, or left out."""

    def changed(spec: TokenizerSpec) -> TokenizerSpec:
        found = (change(token) for token in spec.added_tokens)
        return replace(spec, added_tokens=tuple(token for token in found if token is not None))

    return changed


def _merges(change: Callable[[list[tuple[bytes | str, ...]]], None]) -> SpecChange:
    """The merges changed in place."""

    def changed(spec: TokenizerSpec) -> TokenizerSpec:
        merges = list(spec.merges or ())
        change(merges)  # type: ignore[arg-type]
        return replace(spec, merges=tuple(merges))

    return changed


def _swap(merges: list[tuple[bytes | str, ...]]) -> None:
    """The first merge of two letters changes places with one that competes with it."""
    _, right = merges[40][:2]
    at = next(i for i, merge in enumerate(merges) if i > 400 and merge[0] == right)
    merges[40], merges[at] = merges[at], merges[40]


CJK = "[一-龥\u3040-ゟ゠-ヿ]+"
SPECS: dict[str, SpecChange] = {
    "no look-ahead for the last space": _patterns((r"\s+(?!\S)|", "")),
    "digits one by one": _patterns(("{1,3}", "{1,1}")),
    "digits without a limit": _patterns(("{1,3}", "+")),
    "digits in fours": _patterns(("{1,3}", "{1,4}")),
    "Han and kana are not cut out": _patterns((CJK, "-")),
    "kana do not count as Han": _patterns((CJK, "[一-龥]+")),
    "marks end a word": _patterns((r"[\p{L}\p{M}]+", r"\p{L}+")),
    "words of ASCII letters only": _patterns((r"[\p{L}\p{M}]+", "[A-Za-z]+")),
    "no line end after punctuation": _patterns(("[\r\n]*|", "|")),
    "no space before punctuation": _patterns((r" ?[\p{P}\p{S}]+", r"[\p{P}\p{S}]+")),
    "line ends are plain white space": _patterns(("\\s*[\r\n]+|", "")),
    "no punctuation before a word": _patterns((r"`{|}~][A-Za-z]+|", r"`{|}~][a-z]+|")),
    "symbols do not count as punctuation": _patterns((r" ?[\p{P}\p{S}]+", r" ?[\p{P}]+")),
    "white space of ASCII only": _patterns((r"\s", r"[ \t\r\n]"), (r"\S", r"[^ \t\r\n]")),
    "an early merge is missing": _merges(lambda merges: merges.__delitem__(30)),
    "a merge of rank 2,000 is missing": _merges(lambda merges: merges.__delitem__(2_000)),
    "a merge of rank 20,000 is missing": _merges(lambda merges: merges.__delitem__(20_000)),
    "two merges are in the wrong order": _merges(_swap),
    "the last thousand merges are missing": _merges(
        lambda merges: merges.__delitem__(slice(-1000, None))
    ),
    "special tokens are text": _added(lambda t: None if t.special else t),
    "other added tokens are text": _added(lambda t: t if t.special else None),
    "lstrip is ignored": _added(lambda t: replace(t, lstrip=False)),
    "rstrip is ignored": _added(lambda t: replace(t, rstrip=False)),
    "single_word is ignored": _added(lambda t: replace(t, single_word=False)),
    "accents are kept": _options("normalizer", strip_accents=False),
    "case is kept": _options("normalizer", lowercase=False),
    "Han is one word": _options("normalizer", handle_chinese_chars=False),
    "control characters are kept": _options("normalizer", clean_text=False),
    "words of up to 50 characters": lambda spec: replace(spec, max_input_chars_per_word=50),
    "no token at the end": _options(
        "post_processor",
        single=[
            {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
            {"Sequence": {"id": "A", "type_id": 0}},
        ],
    ),
    "no bytes for unknown characters": lambda spec: replace(spec, byte_fallback=False),
    "no space before the text": _options("normalizer", add_dummy_prefix=False),
    "runs of spaces become one": _options("normalizer", remove_extra_whitespaces=True),
}
NEW = "".join(letter for version, letter in LETTERS_OF_VERSIONS.items() if float(version) >= 15)
TEXTS: dict[str, Texts] = {
    "line ends of Windows become those of Unix": lambda text: text.replace("\r\n", "\n"),
    "a BOM at the start is dropped": lambda text: text.removeprefix("\ufeff"),
    "a BOM is dropped anywhere": lambda text: text.replace("\ufeff", ""),
    "NUL ends the text": lambda text: text.partition("\0")[0],
    "a line end at the end is dropped": lambda text: text.removesuffix("\n"),
    "a lone last character is lost": lambda text: re.sub(r"( )\w$", r"\1", text),
    "composed by NFC": lambda text: unicodedata.normalize("NFC", text),
    "composed by NFKC": lambda text: unicodedata.normalize("NFKC", text),
    "soft hyphens are dropped": lambda text: text.replace("\u00ad", ""),
    "beyond the first plane all is U+FFFD": lambda text: re.sub(
        "[\U00010000-\U0010ffff]", "\ufffd", text
    ),
    "variation selectors are dropped": lambda text: text.replace("\ufe0f", ""),
    "letters of Unicode 15 and later are symbols": lambda text: re.sub(
        f"[{NEW}]", "\U0001f300", text
    ),
    "lower case of a whole text": lambda text: text.lower() if "Σ" in text else text,
    "spaces at the end are dropped": lambda text: text.rstrip(" "),
}


class _BatchByLength(Engine):
    """Answers to a batch come in the order of the lengths of its texts."""

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        found = super().encode(texts, options)
        if options.alone or len(texts) < 4:
            return found
        return [found[at] for at in sorted(range(len(texts)), key=lambda at: len(texts[at]))]


class _BatchPadded(Engine):
    """A batch is padded with the id 0 to the length of its second text."""

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        found = super().encode(texts, options)
        if options.alone or len(texts) < 2:
            return found
        size = len(found[1].ids)
        return [structs.replace(one, ids=one.ids + (0,) * (size - len(one.ids))) for one in found]


class _BatchNoSpecials(Engine):
    """In a batch added tokens are text."""

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        return super().encode(texts, replace(options, parse_special=options.alone))


class _CacheOfBeginnings(Engine):
    """What was encoded before is known by its first twelve characters and its length."""

    def one(self, text: str, options: EncodeOptions) -> Encoding:
        kept = self.__dict__.setdefault("kept", {})
        key = (text[:12], len(text) // 8)
        first = kept.setdefault(key, text)
        return super().one(first if len(text) > 16 else text, options)


class _CacheSecondTime(Engine):
    """A text that is asked for the second time comes without its last token."""

    def one(self, text: str, options: EncodeOptions) -> Encoding:
        kept = self.__dict__.setdefault("kept", set())
        found = super().one(text, options)
        if text in kept:
            return structs.replace(found, ids=found.ids[:-1])
        kept.add(text)
        return found


class _Threads(Engine):
    """With several threads, a long text is cut into parts of equal length."""

    threads = 1

    def one(self, text: str, options: EncodeOptions) -> Encoding:
        if self.threads == 1 or len(text) < 2_000:
            return super().one(text, options)
        size = len(text) // self.threads
        parts = [text[at : at + size] for at in range(0, len(text), size)]
        return Encoding(
            ids=tuple(i for part in parts for i in super(_Threads, self).one(part, options).ids)
        )


class _ThreadsOrder(_Threads):
    """With several threads, the answers to a batch change places."""

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        found = [Engine.one(self, text, options) for text in texts]
        return found if self.threads == 1 else [*found[1:], *found[:1]]


def _cut_at(size: int) -> type[Engine]:
    class Cut(Engine):
        """Long texts are cut at every multiple of the size, also inside of words."""

        def one(self, text: str, options: EncodeOptions) -> Encoding:
            parts = [text[at : at + size] for at in range(0, len(text), size)] or [""]
            return Encoding(
                ids=tuple(i for part in parts for i in Engine.one(self, part, options).ids)
            )

    return Cut


class _Truncates(Engine):
    """No text has more than 2,048 tokens."""

    def one(self, text: str, options: EncodeOptions) -> Encoding:
        found = super().one(text, options)
        return structs.replace(found, ids=found.ids[:2_048])


def _decoding(change: Texts) -> type[Engine]:
    class Decoding(Engine):
        """What is decoded is changed."""

        def decode(
            self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
        ) -> list[bytes | str]:
            found = super().decode(ids, options)
            return [change(one) if isinstance(one, str) else one for one in found]

    return Decoding


ENGINES: dict[str, type[Engine]] = {
    "a batch comes in order of length": _BatchByLength,
    "a batch is padded": _BatchPadded,
    "a batch knows no added tokens": _BatchNoSpecials,
    "a cache of beginnings": _CacheOfBeginnings,
    "the second time a token is lost": _CacheSecondTime,
    "threads cut a long text": _Threads,
    "threads exchange the answers of a batch": _ThreadsOrder,
    "texts are cut at 2^13": _cut_at(1 << 13),
    "texts are cut at 2^16": _cut_at(1 << 16),
    "at most 2,048 tokens": _Truncates,
    "decoding cleans up spaces": _decoding(lambda text: text.replace(" ?", "?").replace(" .", ".")),
    "decoding drops a space at the start": _decoding(lambda text: text.removeprefix(" ")),
    "decoding drops what is not UTF-8": _decoding(lambda text: text.replace("\ufffd", "")),
}
