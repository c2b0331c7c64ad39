"""Hugging Face's `tokenizer.json`: one object with the model and every pipeline stage."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tokaudit.subject import safe_json
from tokaudit.subject.formats import Format
from tokaudit.subject.formats.common.model_types import MODEL_TYPES
from tokaudit.subject.formats.common.pieces import (
    MOST_MERGES,
    MOST_PIECES,
    by_id,
    byte_piece,
    plain_ids,
    refuse_many,
)
from tokaudit.subject.formats.common.rust_float import rust_float
from tokaudit.subject.material import SourceFile, Subject, read_bytes
from tokaudit.subject.numbers import whole
from tokaudit.subject.places.parts import Part
from tokaudit.subject.safe_json import Pairs, parse_object
from tokaudit_reference.spec import (
    AddedToken,
    Component,
    ModelType,
    Origin,
    Piece,
    SpecError,
    Standing,
    TokenizerSpec,
    TokenType,
)
from tokaudit_reference.steps.component import STAGES
from tokaudit_reference.steps.sequence import CHILDREN, is_sequence
from tokaudit_reference.text.bytes_alphabet import to_bytes

TYPE_OF_KEY = {  # the first one that is there decides
    "merges": ModelType.BPE,
    "unk_id": ModelType.UNIGRAM,
    "continuing_subword_prefix": ModelType.WORDPIECE,
}
FLAGS = ("special", "lstrip", "rstrip", "single_word", "normalized")
DEEPEST_STAGE = 16  # sequences in sequences; published files have at most two
LEFT_OUT = "the library, as the file leaves the key out"
SETTINGS = (
    *("type", "unk_token", "unk_id", "fuse_unk", "byte_fallback", "ignore_merges", "dropout"),
    *("continuing_subword_prefix", "end_of_word_suffix", "max_input_chars_per_word"),
)
WHOLE = (*STAGES, "added_tokens", "truncation", "padding", "model")
PARTS = {key: Part(f"/{key}") for key in (*WHOLE, *(f"model/{key}" for key in SETTINGS))}
SHOWN, LONGEST = 4, 40  # keys of a file of another kind, and letters of one
MOST_STEPS = 512  # of a stage, sequences included; published files have at most 20


def recognise(name: str, head: bytes) -> bool:
    """Recognise by the name, or by the first keys of such a file."""
    if not name.endswith(".json"):
        return False
    own = name.rsplit("/", 1)[-1] == "tokenizer.json"
    return own or (b'"added_tokens"' in head and b'"version"' in head)


def parse(subject: Subject, file: SourceFile) -> TokenizerSpec:
    """Build the spec that the file states; checks find false statements later."""
    twice: list[str] = []
    made = partial(_noticing, twice)
    raw = read_bytes(file)
    if raw.lstrip().startswith(b'"'):
        raise SpecError(_of_a_string(raw, file.name), file=file.name)
    data = parse_object(raw, file.name, rust_float, made)
    return spec_of(data, file.name, tuple(twice))


def spec_of(data: Mapping[str, Any], file: str, twice: tuple[str, ...] = ()) -> TokenizerSpec:
    """Build the spec of a tokenizer.json's content."""
    model = data.get("model")
    if not isinstance(model, dict):
        raise SpecError(_without_a_model(data), file=file, pointer="/model")
    keys = data.keys() | {f"model/{key}" for key in model}
    stages = {stage: _stage(data, stage, file) for stage in STAGES}
    listed = _added_tokens(data, file)
    added = _as_taken(listed)
    model_type = _model_type(model, file)
    byte_level = model_type is ModelType.BPE and _is_byte_level(stages)
    reading = _Reading(file, model_type, byte_level, model, added)
    pieces, scores = reading.pieces()
    sharing = reading.sharing(pieces)
    return TokenizerSpec(
        model_type=model_type,
        pieces=pieces,
        byte_level=byte_level,
        merges=reading.merges(),
        scores=scores,
        ignore_merges=bool(model.get("ignore_merges")),
        unk_id=reading.unk_id(),
        unk_lacks_entry=reading.unk_lacks_entry(),
        fuse_unk=bool(model.get("fuse_unk")),
        byte_fallback=bool(model.get("byte_fallback")),
        continuing_subword_prefix=_affix(model, "continuing_subword_prefix", file),
        end_of_word_suffix=_affix(model, "end_of_word_suffix", file),
        max_input_chars_per_word=_longest_word(model, file),
        dropout=_dropout(model, file),
        added_tokens=added,
        flags_twice=_with_flags_twice(listed),
        truncation=_batch_setting(data, "truncation", file),
        padding=_batch_setting(data, "padding", file),
        format=FORMAT.name,
        files=(file,),
        duplicate_keys=twice,
        sharing=sharing,
        normalizer=stages["normalizer"],
        pre_tokenizer=stages["pre_tokenizer"],
        post_processor=stages["post_processor"],
        decoder=stages["decoder"],
        origins={key: Origin(file, "", LEFT_OUT) for key in PARTS.keys() - keys},
    )


def _of_a_string(raw: bytes, file: str) -> str:
    """Name the content of JSON that is stored as one string."""
    inner = safe_json.parse(str(safe_json.parse(raw, file)).encode(errors="replace"), file)
    if not isinstance(inner, dict) or "model" in inner:
        return "holds its JSON as one string; save the object that the string spells"
    return _without_a_model(inner)


def _without_a_model(data: Mapping[str, Any]) -> str:
    """Describe a file without a model, such as MidiTok's for music."""
    if "miditok_version" in data:
        return "is MidiTok's tokenizer of music, whose tokens are events and not pieces of text"
    if data.get("class_name") == "Tokenizer" and "config" in data:
        return (
            "is Keras' tokenizer of words, which no language model reads; audit the folder that "
            "the model's own library saved"
        )
    if data and all(type(value) is int for value in data.values()):
        return (
            f"is a vocabulary of {len(data):,} entries and no tokenizer: it does not say how text "
            "is cut. Audit it as vocab.json next to its merges.txt, or put the tokenizer.json here"
        )
    keys = ", ".join(repr(key[:LONGEST]) for key in [*data][:SHOWN])
    return f"has no model; what it holds begins with {keys}" if data else "has no model"


def _model_type(model: Mapping[str, Any], file: str) -> ModelType:
    """Return the stated type, or what the library infers from the keys."""
    kind = model.get("type")
    if kind is None:
        return next((TYPE_OF_KEY[key] for key in TYPE_OF_KEY if key in model), ModelType.WORDLEVEL)
    if not isinstance(kind, str) or kind not in MODEL_TYPES:
        raise SpecError(f"has an unknown model type {kind!r}", file=file, pointer="/model/type")
    return MODEL_TYPES[kind]


def _stage(data: Mapping[str, Any], stage: str, file: str) -> Component:
    options = data.get(stage)
    if options is not None and not isinstance(options, dict):
        raise SpecError("is not an object", file=file, pointer=f"/{stage}")
    _refuse_depth(options, CHILDREN[stage], file, stage)
    return Component(options, Standing.STATED, stage=stage)


def _refuse_depth(options: Any, children: str, file: str, stage: str) -> None:
    level, depth, count = [options], 0, 0
    while level:
        count += len(level)
        if count > MOST_STEPS:
            what = f"has more than {MOST_STEPS} steps"
            raise SpecError(what, file=file, pointer=f"/{stage}")
        if depth > DEEPEST_STAGE:
            raise SpecError(
                f"nests its steps more than {DEEPEST_STAGE} deep", file=file, pointer=f"/{stage}"
            )
        _refuse_odd_steps(level, children, file, stage)
        inner = [step.get(children) for step in level if isinstance(step, dict)]
        level = [step for steps in inner if isinstance(steps, list) for step in steps]
        depth += 1


def _refuse_odd_steps(level: list[Any], children: str, file: str, stage: str) -> None:
    """Raise for a sequence that is not a list of objects."""
    for step in level:
        if is_sequence(step):
            inner = step.get(children) or []
            if not isinstance(inner, list) or not all(isinstance(one, dict) for one in inner):
                place = f"/{stage}/{children}"
                raise SpecError("is not a list of steps", file=file, pointer=place)


def _is_byte_level(stages: Mapping[str, Component]) -> bool:
    steps = (*stages["normalizer"].steps, *stages["pre_tokenizer"].steps)
    return any(step.effects.writes_bytes for step in steps)


def _added_tokens(data: Mapping[str, Any], file: str) -> list[AddedToken]:
    listed, found = data.get("added_tokens") or [], []
    if not isinstance(listed, list):
        raise SpecError("is not a list", file=file, pointer="/added_tokens")
    for index, entry in enumerate(listed):
        place = f"/added_tokens/{index}"
        if not isinstance(entry, dict) or not isinstance(entry.get("content"), str):
            raise SpecError("is not an added token", file=file, pointer=place)
        id = entry.get("id")
        if type(id) is not int or not 0 <= id < 2**32:
            raise SpecError(f"has the id {id!r}; expected 0 to 2^32-1", file=file, pointer=place)
        flags = {flag: bool(entry.get(flag, flag == "normalized")) for flag in FLAGS}
        found.append(AddedToken(id, entry["content"], **flags))
    return found


def _with_flags_twice(listed: Sequence[AddedToken]) -> tuple[str, ...]:
    """Return the tokens listed twice with different flags, in file order."""
    first: dict[str, AddedToken] = {}
    differ = {
        token.content: None
        for token in listed
        if replace(first.setdefault(token.content, token), id=token.id) != token
    }
    return tuple(differ)


def _as_taken(listed: Sequence[AddedToken]) -> tuple[AddedToken, ...]:
    """Return each token as the library reads a duplicate.

    The last entry has the flags, but a text that is special once stays special.  Source: what
    tokenizers 0.23.3 does, which a test runs; 0.21.4 and 0.22.2 differ.
    """
    last = {token.content: token for token in listed}
    special = {token.content for token in listed if token.special}
    return tuple(
        replace(last[token.content], id=token.id, special=token.content in special)
        for token in listed
    )


class _Reading:
    """Reader of the parts of one model object."""

    def __init__(
        self,
        file: str,
        model_type: ModelType,
        byte_level: bool,
        model: Mapping[str, Any],
        added: tuple[AddedToken, ...],
    ) -> None:
        self.file, self.model_type, self.model = file, model_type, model
        self.special = {token.content for token in added if token.special}
        self.prefix = _affix(model, "continuing_subword_prefix", file)
        self.suffix = _affix(model, "end_of_word_suffix", file)
        self._value = (_InBytes() if byte_level else _AsWritten()).__getitem__
        self.vocab = self._vocab()

    def _vocab(self) -> dict[str, int]:
        vocab = self.model.get("vocab")
        if self.model_type is ModelType.UNIGRAM:
            return {piece: id for id, (piece, _) in enumerate(self._scored())}
        return plain_ids(vocab, self.file, "/model/vocab")

    def _scored(self) -> list[tuple[str, float]]:
        vocab = self.model.get("vocab")
        if not isinstance(vocab, list):
            raise SpecError("is not a list", file=self.file, pointer="/model/vocab")
        refuse_many(len(vocab), "pieces", MOST_PIECES, self.file, "/model/vocab")
        found = []
        for index, entry in enumerate(vocab):
            good = isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str)
            if not good or not _fits_a_float(entry[1]):
                place = f"/model/vocab/{index}"
                raise SpecError("is not a pair of piece and score", file=self.file, pointer=place)
            found.append((entry[0], float(entry[1])))
        return found

    def pieces(self) -> tuple[dict[int, Piece], dict[int, float]]:
        """Map ids to pieces, and to scores if the model has them."""
        if self.model_type is ModelType.UNIGRAM:
            scored = self._scored()
            scores = {id: score for id, (_, score) in enumerate(scored)}
            return self._pieces((id, token) for id, (token, _) in enumerate(scored)), scores
        return self._pieces(zip(self.vocab.values(), self.vocab, strict=True)), {}

    def sharing(self, pieces: Mapping[int, Piece]) -> tuple[tuple[int, Piece], ...]:
        """Return the entries whose id a later one has; `pieces` holds the last."""
        if len(pieces) == len(self.vocab) or self.model_type is ModelType.UNIGRAM:
            return ()
        return by_id((id, self._piece(token)) for token, id in self.vocab.items())[1]

    def unk_id(self) -> int | None:
        """Return the unknown token's id, if the model names an existing one."""
        if self.model_type is ModelType.UNIGRAM:
            id = self.model.get("unk_id")
            return id if isinstance(id, int) else None
        token = self.model.get("unk_token")
        return self.vocab.get(token) if isinstance(token, str) else None

    def unk_lacks_entry(self) -> bool:
        """Return whether a merge model names an unknown token without an entry.

        Tokenizers then refuses a text with an unknown character, which it drops if none is named.
        """
        named = self.model_type is ModelType.BPE and isinstance(self.model.get("unk_token"), str)
        return named and self.unk_id() is None

    def _pieces(self, entries: Iterable[tuple[int, str]]) -> dict[int, Piece]:
        """Build the pieces by id, with a fast path for plain text."""
        if self.prefix or self.suffix or self.model.get("byte_fallback"):
            return {id: self._piece(token) for id, token in entries}
        unknown = self.model.get("unk_token")
        named = self.special | ({unknown} if isinstance(unknown, str) else set())
        ordinary, value = TokenType.ORDINARY, self._value
        return {
            id: self._piece(token) if token in named else Piece(ordinary, value(token))
            for id, token in entries
        }

    def _piece(self, token: str) -> Piece:
        if token == self.model.get("unk_token"):
            return Piece(TokenType.UNKNOWN, self._value(token))
        if self.model.get("byte_fallback") and (byte := byte_piece(token)) is not None:
            return byte  # also where it is a special token: the model finds it by its name
        if token in self.special:
            return Piece(TokenType.CONTROL, self._value(token))
        return self._marked(token)

    def _marked(self, token: str) -> Piece:
        """Return a piece without its `##` or `</w>` mark, which its type then shows."""
        if self.model_type is ModelType.WORDPIECE and self.prefix and token.startswith(self.prefix):
            return Piece(TokenType.CONTINUATION, token.removeprefix(self.prefix))
        if self.suffix and token.endswith(self.suffix):
            return Piece(TokenType.WORD_END, self._value(token.removesuffix(self.suffix)))
        return Piece(TokenType.ORDINARY, self._value(token))

    def merges(self) -> tuple[tuple[bytes | str, bytes | str], ...] | None:
        """Return the listed pairs in rank order; None if the model lists none."""
        if self.model_type is not ModelType.BPE:
            return None
        listed = self.model.get("merges")
        if not isinstance(listed, list):
            raise SpecError("is not a list", file=self.file, pointer="/model/merges")
        refuse_many(len(listed), "merges", MOST_MERGES, self.file, "/model/merges")
        pairs = [merge.split(" ", 2) if type(merge) is str else merge for merge in listed]
        if set(map(type, listed)) != {str} or set(map(len, pairs)) != {2}:
            self._refuse_others(listed, pairs)
        value = self._value
        return tuple([(value(left), value(right)) for left, right in pairs])

    def _refuse_others(self, listed: list[Any], pairs: list[Any]) -> None:
        """Raise `SpecError` for the first merge that is not a pair of pieces."""
        for index, (merge, pair) in enumerate(zip(listed, pairs, strict=True)):
            if not (len(pair) == 2 if type(merge) is str else _two_texts(pair)):
                raise SpecError(
                    f"is not a pair of pieces: {str(merge)[:60]!r}",
                    file=self.file,
                    pointer=f"/model/merges/{index}",
                    remedy="Write each merge as two pieces.",
                )


def _two_texts(pair: Any) -> bool:
    return (
        type(pair) is list
        and len(pair) == 2
        and isinstance(pair[0], str)
        and isinstance(pair[1], str)
    )


class _InBytes(dict[str, bytes | str]):
    """Byte-level tokens decoded to values, once each: merges repeat the same tokens."""

    def __missing__(self, token: str) -> bytes | str:
        data = to_bytes(token)
        self[token] = value = token if data is None else data
        return value


class _AsWritten(dict[str, bytes | str]):
    """Tokens as written, stored once each: merges repeat the same tokens."""

    def __missing__(self, token: str) -> bytes | str:
        self[token] = token
        return token


def _affix(model: Mapping[str, Any], key: str, file: str) -> str:
    """Return the affix of tokens; refuse an unpaired surrogate, which no text has."""
    value = model.get(key)
    if not isinstance(value, str):
        return ""
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise SpecError("is half of a surrogate pair", file=file, pointer=f"/model/{key}")
    return value


def _fits_a_float(value: Any) -> bool:
    return isinstance(value, float) or (isinstance(value, int) and abs(value) < 2**1000)


COUNTS = {"max_length": False, "stride": False, "pad_id": False, "pad_to_multiple_of": True}
"""What is counted in truncation and padding, and whether it may be null."""


def _longest_word(model: Mapping[str, Any], file: str) -> int:
    value = model.get("max_input_chars_per_word")
    value = 100 if value is None else value  # of 0 every word is too long
    return _count(value, file, "/model/max_input_chars_per_word")


def _count(value: Any, file: str, place: str) -> int:
    """Read a count, which the library reads as 64 bits unsigned."""
    count = whole(value)
    if count is None:
        raise SpecError(f"is {str(value)[:40]}; expected a count", file=file, pointer=place)
    return count


def _batch_setting(data: Mapping[str, Any], key: str, file: str) -> Component:
    """Read truncation or padding: an object with valid counts, or nothing."""
    options = data.get(key)
    if options is None:
        return Component(None, Standing.STATED)
    if not isinstance(options, dict):
        raise SpecError("is not an object", file=file, pointer=f"/{key}")
    for name in sorted(COUNTS.keys() & options.keys()):
        if options[name] is not None or not COUNTS[name]:
            _count(options[name], file, f"/{key}/{name}")
    strategy = options.get("strategy")
    if isinstance(strategy, dict) and "Fixed" in strategy:
        _count(strategy["Fixed"], file, f"/{key}/strategy/Fixed")
    return Component(options, Standing.STATED)


def _dropout(model: Mapping[str, Any], file: str) -> float | None:
    """Return the stated number, which need not be a probability; a check covers that."""
    value = model.get("dropout")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        what = f"is {str(value)[:20]}; expected a number"
        raise SpecError(what, file=file, pointer="/model/dropout")
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _noticing(twice: list[str], pairs: Pairs) -> dict[str, Any]:
    """Build an object from pairs, recording duplicate keys."""
    found = dict(pairs)
    if len(found) != len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice.extend(key for key, count in counts.items() for _ in range(count - 1))
    return found


FORMAT = Format(
    "tokenizer.json",
    10,
    "tokenizers",
    recognise,
    parse,
    files=("tokenizer.json",),
    parts=PARTS | {"vocab": Part("/model/vocab"), "merges": Part("/model/merges")},
    lists_every_token=True,
    types_tokens=True,
)
