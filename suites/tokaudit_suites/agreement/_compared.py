"""Compare two representations on the same texts and report the first kind of text that differs.

Tokens are compared by their spelling, not by their id, so that a copy whose class moves every id
is compared too.  Texts that name special tokens are left out: whether they are taken for those is
up to the loader.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

from msgspec import structs

from tokaudit.engine.texts.shrink import minimise
from tokaudit.plugin import (
    DecodeOptions,
    EncodeOptions,
    Encoding,
    Evidence,
    Finding,
    Measurement,
    Place,
    Probes,
    Samples,
    Severity,
    Tokenizer,
    TokenRow,
    differing,
    two_rows,
)
from tokaudit.products.compare.encoders import length_then_print
from tokaudit_reference.spec import ModelType, TokenType
from tokaudit_suites.agreement._blame import EngineRules, blamed, rules_of
from tokaudit_suites.agreement._converted import changed_by_conversion
from tokaudit_suites.shared.copies import is_its_byte
from tokaudit_suites.shared.run_copies import OURS, Copy, Runner
from tokaudit_suites.shared.wording import in_words

APART = frozenset(
    {
        *(TokenType.CONTROL, TokenType.UNKNOWN, TokenType.UNUSED, TokenType.BYTE),
        TokenType.LOOKED_UP,
    }
)
SENTENCES, LITERALS, GOING_ON, ODD, BEGINNINGS = (
    "ordinary sentences",
    "texts with a user-defined token",
    "texts that go on after a user-defined token",  # some engines put a space there
    "probe texts",
    "probe texts that begin with a space or a token",  # whole families disagree on these
)
CONVERTED = "texts that the conversion of this class changes, as it does in every repository"
ENGINE = (
    "ordinary sentences that llama.cpp itself treats differently in every GGUF file of this kind"
)
ENGINE_ODD = "probe texts that llama.cpp itself treats differently in every GGUF file of this kind"
BY_ENGINE = (ENGINE, ENGINE_ODD)
WORTH: Mapping[str, Severity] = {
    SENTENCES: Severity.ERROR,
    LITERALS: Severity.ERROR,
    GOING_ON: Severity.WARNING,
    ODD: Severity.WARNING,
    BEGINNINGS: Severity.INFO,
    CONVERTED: Severity.INFO,
    ENGINE: Severity.WARNING,
    ENGINE_ODD: Severity.INFO,
}
ONE_SIDED = frozenset({TokenType.USER_DEFINED, TokenType.CONTROL, TokenType.UNUSED})
MOST_SENTENCES = 300
MOST_ODD, MOST_LONGER = 50, 4
RARE = 0.01  # of the probes: two implementations of one character map part on as many
LEADING = " \u2581"


@dataclass(frozen=True)
class Sides:
    """Two representations, each run by an encoder of one kind."""

    one: Copy
    other: Copy
    runners: tuple[Runner, Runner]
    numbers: dict[str, int] = field(default_factory=dict)  # spelling -> a number of this comparison

    def __post_init__(self) -> None:
        """Give a character and its byte one spelling if they have the same id."""
        for id, text in self.one.spellings.items():
            there = self.other.spellings.get(id, text)
            if there != text and is_its_byte(text, there):
                self.numbers[text] = self.numbers[there] = len(self.numbers)

    @cached_property
    def changed(self) -> Callable[[str], bool] | None:
        """Return a test for texts that a class conversion changes in every repository."""
        return changed_by_conversion(self.one.spec, self.other.spec)

    @cached_property
    def in_both(self) -> set[str]:
        """Spellings in both vocabularies."""
        return {*self.one.spellings.values()} & {*self.other.spellings.values()}

    @cached_property
    def user_defined(self) -> Sequence[str]:
        """Tokens of both sides that at least one side matches whole in text."""
        found = list[str]()
        for copy in (self.one, self.other):
            pieces = copy.spec.pieces.items()
            whole = (id for id, piece in pieces if piece.token_type is TokenType.USER_DEFINED)
            found += (copy.spellings[id] for id in whole)
            found += (token.content for token in copy.spec.added_tokens if not token.special)
        return [t for t in dict.fromkeys(found) if t in self.in_both and t.strip(LEADING)]

    @cached_property
    def engine(self) -> EngineRules | None:
        """Return the engine-specific rules of a side, or None if neither has any."""
        return next((e for c in (self.one, self.other) if (e := rules_of(c)) is not None), None)

    def left_out(self, kind: str, texts: Sequence[str]) -> list[bool]:
        """Mark texts that differ because of the engine or conversion, not the two files."""
        if kind in (CONVERTED, *BY_ENGINE):
            return [False] * len(texts)
        converted = [self.changed is not None and self.changed(text) for text in texts]
        if self.engine is None:
            return converted
        return [a or b for a, b in zip(converted, self.engine.cut_otherwise(texts), strict=True)]

    @property
    def who(self) -> str:
        """The names of the runners."""
        return " against ".join(dict.fromkeys(runner.who for runner in self.runners))

    @property
    def tokenizers(self) -> tuple[Spelled, Spelled]:
        """Return both tokenizers with shared ids: tokens spelled alike have equal ids."""
        left, right = (runner.tokenizer for runner in self.runners)
        assert left is not None and right is not None
        return Spelled(left, self.one, self.numbers), Spelled(right, self.other, self.numbers)


class Spelled:
    """A tokenizer whose ids are replaced by numbers of spellings."""

    def __init__(self, tokenizer: Tokenizer, copy: Copy, numbers: dict[str, int]) -> None:
        self._tokenizer, self._copy, self._numbers = tokenizer, copy, numbers
        self.info, self.capabilities = tokenizer.info, tokenizer.capabilities

    def vocab(self) -> dict[int, bytes | str]:
        """Number -> spelling."""
        return {number: spelling for spelling, number in self._numbers.items()}

    def encode(
        self, texts: Sequence[str], options: EncodeOptions = EncodeOptions()
    ) -> list[Encoding]:
        """Encode each text to numbers of spellings."""
        return [self._numbered(found) for found in self._tokenizer.encode(texts, options)]

    def decode(
        self, ids: Sequence[Sequence[int]], options: DecodeOptions = DecodeOptions()
    ) -> list[bytes | str]:
        """Decode ids of the tokenizer itself."""
        return self._tokenizer.decode(ids, options)

    def row(self, text: str, who: str) -> TokenRow:
        """Return the tokens of a text with this copy's own ids."""
        ids = self._tokenizer.encode([text])[0].ids
        return TokenRow(f"{self._copy.file} ({who})", ids, self._copy.names)

    def back(self, texts: Sequence[str]) -> list[bytes | str | None]:
        """Encode and decode texts; None for a text with an unknown token or an error."""
        unknown = self._copy.spec.unk_id
        found = self._tokenizer.encode(texts)
        there = [one.error is None and unknown not in one.ids for one in found]
        decoded = iter(self.decode([o.ids for o, ok in zip(found, there, strict=True) if ok]))
        return [next(decoded) if ok else None for ok in there]

    def _numbered(self, found: Encoding) -> Encoding:
        names, numbers = self._copy.spellings, self._numbers
        spellings = [names.get(id, f"#{id}") for id in self._without_repeats(found.ids)]
        ids = tuple(numbers.setdefault(s, len(numbers)) for s in spellings)
        return structs.replace(found, ids=ids)

    def _without_repeats(self, ids: Sequence[int]) -> Sequence[int]:
        """Collapse each run of unknown tokens of a Unigram model into one.

        SentencePiece makes one of unknown characters even across words; a `tokenizer.json` of the
        same model cuts at words first and makes one for each, in every healthy repository.
        """
        spec = self._copy.spec
        if spec.model_type is not ModelType.UNIGRAM:
            return ids
        unknown = spec.unk_id
        return [id for at, id in enumerate(ids) if id != unknown or not at or ids[at - 1] != id]


@dataclass(frozen=True)
class Parting:
    """The first difference found between two sides; `kind` is empty if there is none."""

    sides: Sides
    tried: int
    kind: str = ""
    different: int = 0
    of: int = 0
    text: str = ""
    decoded: tuple[str, str] | None = None

    def measurement(self) -> Measurement:
        """Return how many texts were compared, and by which runners."""
        sides = self.sides
        return Measurement(
            "agreement/texts_of_copies",
            "Texts compared between two representations",
            self.tried,
            "texts",
            self.tried,
            f"{sides.one.file} and {sides.other.file}, run by {sides.who}",
            dimensions={"representation": sides.other.file, "runtime": sides.who},
        )

    def finding(self, all: Sequence[Parting]) -> Finding:
        """Report the difference with every runner that saw it; a note if only the reference did."""
        sides = self.sides
        who = " and ".join(each.sides.who for each in all)
        component = "decoder" if self.decoded else blamed(sides.one, sides.other, self.text)
        decoded = "decode the same tokens to different texts"
        does = decoded if self.decoded else "produce different tokens"
        alone = (
            sides.who == OURS and sides.one.upstream.tokenizer and sides.other.upstream.tokenizer
        )
        rare = self.kind == ODD and self.different < RARE * self.of
        cleaned = self.kind in BY_ENGINE and self.decoded is not None
        return Finding(
            Severity.INFO if alone or rare or cleaned else WORTH[self.kind],
            f"{sides.one.file} and {sides.other.file} {does} for {self.different:,} of {self.of:,} "
            f"{self.kind} (run by {in_words(who)}); the first step that differs is the "
            f"{component}.",
            (Place(component, sides.other.file), Place(component, sides.one.file)),
            (self._evidence(),),
            cause=component,
        )

    def _evidence(self) -> Evidence:
        sides = self.sides
        if self.decoded:
            facts = dict(zip((sides.one.file, sides.other.file), self.decoded, strict=True))
            return Evidence("facts", facts=facts, note=f"the tokens of {self.text!a}, decoded")
        left, right = sides.tokenizers
        rows = left.row(self.text, sides.runners[0].who), right.row(self.text, sides.runners[1].who)
        return two_rows(self.text, *rows, "minimal text", minimal=True)


def sides_of(one: Copy, other: Copy) -> Iterator[Sides]:
    """Yield both copies as run by their libraries, then as run by the reference."""
    for runners in ((one.upstream, other.upstream), (one.reference, other.reference)):
        if all(runner.tokenizer is not None for runner in runners):
            yield Sides(one, other, runners)


def compared(sides: Sides, samples: Samples, probes: Probes) -> Parting:
    """Compare texts kind by kind, the plainest first, and stop at the first difference.

    What is the engine's own matter does not hide what is the files', and is reported last.
    """
    apart = _literals(sides)
    own, tried = list[Parting](), 0
    for kind, texts in _groups(sides, samples, probes).items():
        plain = [text for text in texts if not any(part in text for part in apart)]
        found = _encoded(sides, kind, plain) or _decoded(sides, kind, plain)
        tried += len(plain)
        if found is not None and found.kind not in BY_ENGINE:
            return replace(found, tried=tried)
        own += [found] if found is not None else []
    worst = sorted(own, key=lambda each: (each.decoded is not None, each.kind != ENGINE))
    return replace(worst[0], tried=tried) if worst else Parting(sides, tried)


def _groups(sides: Sides, samples: Samples, probes: Probes) -> dict[str, list[str]]:
    sentences = [text for sample in samples.all for text in sample.sentences]
    first = _first(sides)
    literals = sides.user_defined
    groups = {
        SENTENCES: sentences[:: -(-len(sentences) // MOST_SENTENCES) or 1],
        LITERALS: [f"a{text}" for text in (*literals, *_around_one_sided(sides))],
        GOING_ON: [f"a{text}b" for text in literals],
        ODD: [text for text in probes.texts if not text.startswith(first)],
        BEGINNINGS: [text for text in probes.texts if text.startswith(first)],
    }
    kept: dict[str, list[str]] = {}
    others: dict[str, list[str]] = {CONVERTED: [], ENGINE: [], ENGINE_ODD: []}
    converted = sides.changed or (lambda text: False)
    for kind, texts in groups.items():
        kept[kind] = []
        for text, out in zip(texts, sides.left_out(kind, texts), strict=True):
            by_engine = ENGINE if kind == SENTENCES else ENGINE_ODD
            whose = CONVERTED if converted(text) else by_engine
            (others[whose] if out else kept[kind]).append(text)
    return kept | others


def _first(sides: Sides) -> tuple[str, ...]:
    """Return text beginnings after which only one side adds a prefix space."""
    return (*LEADING, *sides.user_defined)


def _encoded(sides: Sides, kind: str, texts: Sequence[str]) -> Parting | None:
    """Return the shortest text that both sides encode differently, shrunk within its kind."""
    left, right = sides.tokenizers
    apart = [text for text, bad in zip(texts, differing(left, right, texts), strict=True) if bad]
    if not apart:
        return None
    first = () if kind in (BEGINNINGS, CONVERTED, *BY_ENGINE) else _first(sides)

    def fails(candidates: Sequence[str]) -> list[bool]:
        bad = differing(left, right, candidates)
        wanted = [t for t, b in zip(candidates, bad, strict=True) if b and not t.startswith(first)]
        out = dict(zip(wanted, sides.left_out(kind, wanted), strict=True))
        return [not out.get(text, True) for text in candidates]

    text = minimise(min(apart, key=length_then_print), fails)
    return Parting(sides, 0, kind, len(apart), len(texts), text)


def _decoded(sides: Sides, kind: str, texts: Sequence[str]) -> Parting | None:
    """Return the shortest text with equal tokens on both sides but different decoded text."""
    left, right = sides.tokenizers
    if kind in (ODD, BEGINNINGS, CONVERTED, *BY_ENGINE) or any(
        "decode" not in s.capabilities for s in (left, right)
    ):
        return None
    both = zip(texts, left.back(texts), right.back(texts), strict=True)
    apart = [(text, str(a), str(b)) for text, a, b in both if None not in (a, b) and a != b]
    if sides.engine is not None:
        own = sides.engine.decoded_otherwise([text for text, *_ in apart])
        theirs = [row for row, bad in zip(apart, own, strict=True) if not bad]
        kind, apart = (kind, theirs) if theirs else (ENGINE, apart)
    if not apart:
        return None
    text, one, other = min(apart, key=lambda row: len(row[0]))
    return Parting(sides, 0, kind, len(apart), len(texts), text, (one, other))


def _literals(sides: Sides) -> set[str]:
    """Return special tokens, and added tokens of one side alone, which other files may add.

    What is special on one side and an ordinary word on the other is compared.
    """
    found, known = set(), sides.in_both
    for copy, other in ((sides.one, sides.other), (sides.other, sides.one)):
        words = other.words
        found |= {text for text, type in copy.types.items() if type in APART and text not in words}
        added = (t for t in copy.spec.added_tokens if t.special or t.content not in known)
        found |= {token.content for token in added if token.content not in words}
    return {text for text in found if text.strip()}


def _around_one_sided(sides: Sides) -> Iterator[str]:
    """Yield tokens that one side alone matches whole or never, and longer tokens around them."""
    odd = {
        text
        for copy, other in ((sides.one, sides.other), (sides.other, sides.one))
        for text, type in copy.types.items()
        if type in ONE_SIDED and text in other.words
    }
    wanted = sorted(text for text in odd if text.strip(LEADING))[:MOST_ODD]
    for text in wanted:
        longer = (each for each in sides.one.words if text in each and each != text)
        for each in (text, text + "s", *islice(longer, MOST_LONGER)):
            yield each.replace("\u2581", " ")
