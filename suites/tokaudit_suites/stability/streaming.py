"""Streamed text compared with the text of all ids at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tokaudit.plugin import (
    Basis,
    DecodeOptions,
    Evidence,
    Finding,
    Harm,
    Place,
    Severity,
    Upstream,
    check,
    shown,
    text_evidence,
    token_names,
)
from tokaudit_reference.spec import TokenizerSpec
from tokaudit_suites.shared.repairs import ANOTHER_LIBRARY
from tokaudit_suites.shared.wording import does, quote
from tokaudit_suites.stability._steady_texts import SteadyTexts, able

MOST, LONGEST = 48, 24  # texts, and ids of each
HELD_BACK = "\N{REPLACEMENT CHARACTER}"  # of a character whose other bytes are still to come


@dataclass(frozen=True)
class _Cut:
    """The first ids of a text, decoded whole and streamed."""

    ids: tuple[int, ...]
    whole: str
    streamed: str

    @property
    def differs(self) -> bool:
        """Return whether the stream differs by more than a held-back broken character.

        Where bytes are tokens, one that is still to come breaks all characters of its run, of which
        the stream has rightly written the whole ones.

        >>> _Cut((), "a" + 5 * HELD_BACK, "a\N{HUGGING FACE}").differs, _Cut((), "ab", "a").differs
        (False, True)
        """
        if not self.whole.endswith(HELD_BACK):
            return self.whole != self.streamed
        before_run = self.whole.rstrip(HELD_BACK)
        return not (self.whole.startswith(self.streamed) or self.streamed.startswith(before_run))


@check(
    "stability/streaming",
    title="The library's stream writes what it decodes",
    why="Chat programs show an answer while the model writes, with a streaming decoder that gets "
    "one id at a time. If a streaming decoder drops a space or writes half a character, the user "
    "reads another text than the log holds.",
    remedy="Decode all ids so far and show only the new text, or use a version whose streaming "
    "decoder agrees.",
    repair=ANOTHER_LIBRARY,
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.INTRINSIC,
    incident="A stream lost punctuation after a run of spaces, as code has it "
    "(drumih/turbo-fieldfare PR#118).",
    no_example="Files cannot show it: what breaks this is a fault of a library or of an adapter.",
)
def streaming(spec: TokenizerSpec, upstream: Upstream, steady: SteadyTexts) -> Iterator[Finding]:
    """Cut the ids of texts at every position, and compare the stream with the whole."""
    able(upstream, "stream", "has no decoder for streams")
    texts = steady.texts[:: -(-len(steady.texts) // MOST)]
    found = [answer.ids[:LONGEST] for answer in upstream.encode(texts)]
    cuts = [ids[:end] for ids in dict.fromkeys(found) for end in range(1, len(ids) + 1)]
    whole = map(shown, upstream.decode(cuts))
    streamed = map(shown, upstream.decode(cuts, DecodeOptions(streamed=True)))
    seen = [_Cut(*each) for each in zip(cuts, whole, streamed, strict=True)]
    apart = [cut for cut in seen if cut.differs]
    if apart:
        yield _finding(spec, len(apart), len(seen), min(apart, key=lambda cut: len(cut.ids)))


def _finding(spec: TokenizerSpec, apart: int, asked: int, cut: _Cut) -> Finding:
    text = f"{quote(cut.streamed)} where all at once are {quote(cut.whole)}"
    return Finding(
        Severity.ERROR,
        f"{does(apart, 'list', 'is')} of {asked:,} streamed as another text than it is decoded: "
        f"{len(cut.ids)} ids become {text}.",
        (Place("decoder", spec.files[0] if spec.files else ""),),
        (_evidence(spec, cut),),
        cause="streamed text",
    )


def _evidence(spec: TokenizerSpec, cut: _Cut) -> Evidence:
    labels, note = ("decoded", "streamed"), f"the stream wrote {cut.streamed!r}"
    return text_evidence(cut.whole, cut.ids, cut.ids, token_names(spec), labels, note)
