"""Draws texts that are made of what one tokenizer breaks on.

A text is a few parts in a row.  Half of them are about no tokenizer in particular (see
`fragile`), the others are this one's own: its added tokens, whole, cut and side by side, and the
places where two of its entries meet.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tokaudit.engine.vocabularies.piece_texts import own_texts
from tokaudit.testing.fragile import FRAGILE, LONGEST_RUN, REPEATED
from tokaudit_reference.spec import TokenizerSpec

LONGEST_ENTRY = 200  # characters; a longer entry of a stranger's vocabulary is left out
MOST_PARTS = 8
SCALARS = 0x110000 - 0x800


def texts_of(spec: TokenizerSpec) -> SearchStrategy[str]:
    """Texts weighted to where this tokenizer may break; they shrink to fewer and plainer parts."""
    parts = [*fragile_parts(), *_own_parts(spec)]
    return st.lists(st.one_of(parts), max_size=MOST_PARTS).map("".join)


def fragile_parts() -> list[SearchStrategy[str]]:
    """Parts of a text that are about no tokenizer in particular; each kind is drawn as often."""
    some = st.integers(0, 0x2FFF) | st.integers(0, SCALARS - 1)
    short, long = st.integers(2, 40), st.integers(2, LONGEST_RUN)
    repeated = st.sampled_from(REPEATED)
    return [
        *(st.sampled_from(kind) for kind in FRAGILE),
        some.map(_scalar),
        st.builds(str.__mul__, repeated, short),
        st.builds(str.__mul__, repeated, long),
    ]


def _scalar(number: int) -> str:
    """Any character but a surrogate, the plainest for 0.

    Hypothesis draws characters by their category too, and takes a second to learn these.

    >>> _scalar(0), _scalar(SCALARS - 1)
    ('a', '`')
    """
    code = (number + ord("a")) % SCALARS
    return chr(code if code < 0xD800 else code + 0x800)


def _own_parts(spec: TokenizerSpec) -> list[SearchStrategy[str]]:
    """Parts made of the vocabulary and of the added tokens, where there are any."""
    parts = []
    entries = [text for text in dict.fromkeys(own_texts(spec)) if len(text) <= LONGEST_ENTRY]
    if entries:
        entry = st.sampled_from(entries)
        parts += [entry, _cut(entry), st.builds(str.__add__, entry, entry)]
    contents = [t.content for t in spec.added_tokens if 0 < len(t.content) <= LONGEST_ENTRY]
    if contents:
        added = st.sampled_from(contents)
        parts += [added, _cut(added), _surrounded(added), st.builds(str.__add__, added, added)]
    return parts


def _cut(tokens: SearchStrategy[str]) -> SearchStrategy[str]:
    """A token without its end, without its beginning, or with a space inside."""
    return st.builds(_parted, tokens, st.integers(0, LONGEST_ENTRY), st.sampled_from("<> "))


def _parted(token: str, at: int, how: str) -> str:
    at %= len(token)
    if how == " ":
        return f"{token[:at]} {token[at:]}"
    return token[:at] if how == "<" else token[at:]


def _surrounded(tokens: SearchStrategy[str]) -> SearchStrategy[str]:
    """A token between white space, letters or line ends, which its flags may take or refuse."""
    around = st.sampled_from(["", " ", "a", "\n", "  ", "\t", "1", "."])
    return st.builds(lambda left, token, right: f"{left}{token}{right}", around, tokens, around)
