"""Texts about steps: boundaries of the split pattern, branches of the normalizer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from tokaudit.products.compare.patterns.reading import read_steps
from tokaudit.products.compare.patterns.verdicts import Undecidable
from tokaudit.products.compare.texts.cut_texts import texts_of_ways
from tokaudit.products.compare.texts.normalizer_texts import decomposed_letters, texts_looked_for
from tokaudit.products.engines.covering.characters import KINDS
from tokaudit_reference.spec import TokenizerSpec

AT_BOUNDARIES = (
    *("a", "B", "é", "中", "7", " ", "  ", "\n", "\r\n", "\t", "\u00a0", ".", "'", "_", "\u0301"),
    "😀",
)
WORD_ENDS = ("'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "'T", "'LL", "'ſ", "’s", "'sx")
BEFORE_ENDS = ("a", "A", "é", "7", " ", "\n", ".", "")
WORDS = "ΑΣ aΣ Σ ΑΣ. İI ẞ ǅ ﬀ Straße ÀÉÎ A\u0300B Ⅷ Å Ω हिन्दी தமிழ் ไทย １２ Ａ ㍿ … ½ x² ``a'' a--b"
CASES = (
    *WORDS.split(" "),
    *("ΑΣ Α", "中文 한국어 각 가", "１２ Ａ", "\u00a0x\u3000y", "a\u200bb", "a\u00adb", "\ufeffa"),
    *("a\ufffdb", "a\x00b", "a\u0085b", "a\u2028b", "e\u0301e\u0301", "n\u0303o", "  a  b  "),
    *("a \t b", "\u0915\u093f", "\u1100\u1161\u11a8", "\u0344", "\u2126"),
)
DECOMPOSED = 600


def split_texts(spec: TokenizerSpec) -> Iterator[str]:
    """Yield a text for each move of the pattern's machine, and each two or three classes."""
    yield from (f"{before}{end}" for before, end in product(BEFORE_ENDS, WORD_ENDS))
    yield from ("".join(pair) for pair in product(AT_BOUNDARIES, repeat=2))
    yield from _ways(spec)
    yield from (f"a{one}b" for one in KINDS)
    yield from ("".join(three) for three in product(AT_BOUNDARIES, repeat=3))
    yield from (f"{one}{one} {one}" for one in KINDS)


def normalizer_texts(spec: TokenizerSpec) -> Iterator[str]:
    """Yield what the steps match, letters in all forms and cases, and differing forms."""
    yield from CASES
    yield from texts_looked_for(spec.normalizer.steps)
    yield from (f"a{case}b" for case in CASES)
    letters = decomposed_letters()
    yield from islice(letters, 0, None, max(1, len(letters) // DECOMPOSED))


def _ways(spec: TokenizerSpec) -> tuple[str, ...]:
    """Return the paths through the pattern, if the prover supports it."""
    try:
        cut = read_steps(spec.pre_tokenizer.steps)
        return texts_of_ways((cut, ()))
    except Undecidable:
        return ()
