"""A word delimiter that a speech vocabulary lacks."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import Basis, Finding, Harm, NotApplicable, Severity, Subject, check
from tokaudit.subject.formats.characters import NAME, delimiter_of
from tokaudit.subject.upstream.loading_class import class_of
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import ENTRIES_OF_BASE
from tokaudit_suites.shared.vocab_entries import id_of
from tokaudit_suites.shared.wording import in_vocab, quote


@check(
    "vocab/word-delimiter",
    title="A CTC vocabulary has its word delimiter",
    why="Wav2Vec2CTCTokenizer writes word_delimiter_token for every space, and decodes it as a "
    "space. If the vocabulary lacks the word delimiter token, every space of a label becomes the "
    "unknown token, and a transcript is one long word.",
    remedy='Put the word delimiter ("|", or what word_delimiter_token names) back at its id, or '
    "set word_delimiter_token to the delimiter that the vocabulary has.",
    repair=ENTRIES_OF_BASE,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.CROSS_FILE,
    incident='Fine-tunes whose vocab.json kept the space in the place of "|" transcribe without '
    "spaces (transformers, models/wav2vec2/tokenization_wav2vec2.py).",
)
def word_delimiter(spec: TokenizerSpec, subject: Subject) -> Iterator[Finding]:
    """Look up the delimiter that the class names."""
    named = class_of(subject)
    mark = delimiter_of(subject) if spec.format == NAME else None
    if named is None or mark is None:
        raise NotApplicable("no class here writes a mark for a space")
    if id_of(spec, mark) is None:
        yield Finding(
            Severity.ERROR,
            f"{named.name} writes {quote(mark)} for every space, but the vocabulary has no such "
            "entry: the space in 'a b' becomes the unknown token.",
            (in_vocab(spec, mark),),
            cause="delimiter",
        )
