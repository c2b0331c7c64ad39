"""Apply a class's changes to texts to a SentencePiece file: its prefix, its ends.

The file says whether a text begins with a space that was put there, and which token the library
puts before a text when it is asked to.  A class may take `add_prefix_space` for the one, and puts
tokens of its own around texts.

Source: `SpmConverter` and `LlamaConverter` in `convert_slow_tokenizer.py`, `get_spm_processor` of
`tokenization_llama.py` and `tokenization_t5.py` in version 4.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

from tokaudit.subject.formats.common.ends import IdOf, implied_ends
from tokaudit.subject.formats.common.settings import setting
from tokaudit.subject.material import Fact, SourceFile, Subject
from tokaudit.subject.upstream.ends import PREFIX, takes
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit_reference.spec import Component, TokenizerSpec

DUMMY = "add_dummy_prefix"  # the option of the file's normalizer and decoder


def as_loaded(subject: Subject, file: SourceFile, spec: TokenizerSpec) -> TokenizerSpec:
    """Return the spec of a SentencePiece file with what its class adds to texts."""
    ends = implied_ends(subject, file, _id_of(spec))
    prefix = _prefix(subject, file)
    if prefix is not None:
        spec = replace(
            spec,
            normalizer=_prefixed(spec.normalizer, prefix),
            decoder=_prefixed(spec.decoder, prefix),
        )
    return replace(spec, post_processor=ends)


def _prefix(subject: Subject, file: SourceFile) -> Fact | None:
    """Return the prefix space setting, if a file states it and the class uses it.

    Next to a tokenizer.json it is that file's: loaders take that one, and the fast side of a class
    may write the setting as false although its file puts the space.
    """
    named, fact = class_of(subject), setting(subject, PREFIX)
    if fact is None or named is None or named.known is None:
        return None
    if any(other.base == "tokenizer.json" for other in subject.files):
        return None
    reads = file.base in named.known.files and takes(named.known, PREFIX)
    return fact if reads and isinstance(fact.value, bool) else None


def _prefixed(component: Component, fact: Fact) -> Component:
    """Set a stage's prefix as a setting states."""
    options = {**(component.options or {}), DUMMY: fact.value}
    return replace(component, options=options, rule=f"{fact.file} states {fact.name}")


def _id_of(spec: TokenizerSpec) -> IdOf:
    """Return a lookup of ids by added token, or else by piece."""

    def id_of(token: str) -> int | None:
        added = (each.id for each in spec.added_tokens if each.content == token)
        listed = (id for id, piece in spec.each_entry() if piece.value == token)
        return next(chain(added, listed), None)

    return id_of
