"""Normal forms of stages: with defaults, and without options that change nothing.

One tool saves what another leaves to the default, so files that differ may well act alike.

Source: the serializers of Hugging Face's tokenizers, `ByteLevel` and `Metaspace` among them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from tokaudit.engine.vocabularies.written import FORMAT
from tokaudit_reference.spec import AddedToken, Component, Standing, TokenizerSpec
from tokaudit_reference.steps.decoders.spaced import Spaced
from tokaudit_reference.steps.pattern import SplitAt
from tokaudit_reference.steps.step import Step
from tokaudit_reference.text.bytes_alphabet import to_bytes


def acting_steps(spec: TokenizerSpec, name: str) -> list[Step]:
    """Return the steps of a stage in a normal form, equal for equal behaviour."""
    component: Component = getattr(spec, name)
    if name == "decoder" and component.options is None and component.standing is Standing.STATED:
        return [Spaced()]  # an empty sequence of decoders puts no spaces between tokens
    if name == "post_processor":
        return list(_placing(component.steps, ids_only=False))
    live = component.steps
    if name == "pre_tokenizer":
        live = tuple(_not_idle(live, _replaced(spec)))
    steps = [step.acts_as() for step in live]
    found = [step for step in steps if step is not None]
    return _in_one(found) if name == "normalizer" else found


def _placing(steps: Iterable[Step], *, ids_only: bool) -> Iterator[Step]:
    """Yield a post-processor's steps that have an effect in their place.

    A template that only gives two texts their usual places does something after another template:
    it numbers the parts of that one anew, and may have no place for some.
    """
    placed = False
    for step in steps:
        plain = step.acts_as(ids_only=ids_only)
        places = step.effects.one_text is not None
        if plain is not None or (placed and places):
            yield plain or step
            placed = placed or places


def _in_one(steps: Iterable[Step]) -> list[Step]:
    """Drop steps that their neighbours make redundant, as NFC after NFC.

    >>> from tokaudit_reference.steps.normalizers.nfc import NFC
    >>> from tokaudit_reference.steps.normalizers.nfd import NFD
    >>> _in_one([NFD(), NFC(), NFC()])
    [NFC()]
    """
    kept: list[Step] = []
    for step in steps:
        while kept and kept[-1].type in step.effects.absorbs:
            kept.pop()
        if not kept or kept[-1].type not in step.effects.idle_after:
            kept.append(step)
    return kept


def steps_for_ids(spec: TokenizerSpec) -> list[Step]:
    """Return the post-processor's steps, without everything that changes only offsets.

    A step that does what a template does is taken for one only where it is alone: after another
    step it may get more parts than a template has places for.
    """
    found = list(_placing(spec.post_processor.steps, ids_only=True))
    return found if len(found) < 2 else acting_steps(spec, "post_processor")


def acting_tokens(spec: TokenizerSpec) -> dict[str, AddedToken]:
    """Return the added tokens by content, without a flag that has no effect.

    When they are looked for is all one where nothing is normalized and all are looked for at once.
    """
    at_once = len({token.normalized for token in spec.added_tokens}) < 2
    idle = at_once and not acting_steps(spec, "normalizer")
    return {
        token.content: replace(token, normalized=False) if idle else token
        for token in spec.added_tokens
    }


def numbered_anew(spec: TokenizerSpec) -> tuple[AddedToken, ...]:
    """Return the added tokens in file order, if a loader renumbers some of them.

    Hugging Face's tokenizers reads no id of an added token: it has that of an entry of its name, or
    the next free one.  So the order and the number of entries decide ids wherever a stated id is
    not the one it gets, and here each token has that one.

    >>> from tokaudit_reference.spec import ModelType, Piece, TokenType
    >>> def spec(*tokens):
    ...     pieces = {0: Piece(TokenType.ORDINARY, "a")}
    ...     return TokenizerSpec(ModelType.BPE, pieces, added_tokens=tokens, format=FORMAT)
    >>> numbered_anew(spec(AddedToken(1, "<e>"), AddedToken(0, "a")))
    ()
    >>> [token.content for token in numbered_anew(spec(AddedToken(2, "<e>"), AddedToken(1, "<b>")))]
    ['<e>', '<b>']
    """
    if spec.format != FORMAT:
        return ()
    given: dict[str, int] = {}
    for token in spec.added_tokens:
        if token.content not in given:
            free = max(len(spec.ids_by_surface), max(given.values(), default=-1) + 1)
            given[token.content] = _entry(spec, token.content, free)
    anew = any(given[token.content] != token.id for token in spec.added_tokens)
    return tuple(replace(t, id=given[t.content]) for t in spec.added_tokens) if anew else ()


def _entry(spec: TokenizerSpec, content: str, free: int) -> int:
    """Return the id of the entry spelled like the content, or the free one."""
    value = to_bytes(content) if spec.byte_level else content
    return free if value is None else spec.ids_by_surface.get(value, free)


def _not_idle(steps: Iterable[Step], gone: set[str]) -> Iterator[Step]:
    """Yield a pre-tokenizer's steps, without those whose text never occurs."""
    for step in steps:
        if step.effects.splits and all(_never_cuts(at, gone) for at in step.effects.splits):
            continue
        yield step
        if step.effects.splits is None or step.effects.writes_bytes:
            gone = set()  # it may write what the normalizer did away with


def _never_cuts(at: SplitAt, gone: set[str]) -> bool:
    """Return whether a step never splits text that lacks some characters."""
    found = any(character in at.pattern.literal for character in gone)
    return found and not (at.invert and at.behavior == "Removed")


def _replaced(spec: TokenizerSpec) -> set[str]:
    """Return the characters that the normalizer always removes, so that no split sees them.

    Of a longer text some may be left: "ab" replaced by "a" makes "ab" of "abb".
    """
    found: set[str] = set()
    written = ""
    for step in reversed(spec.normalizer.steps):
        if step.effects.writes is None:
            break  # what comes before may be written again by it, as NFKC writes spaces
        written += step.effects.writes
        literal = step.effects.pattern.literal if step.effects.pattern else ""
        if len(literal) == 1 and literal not in written:
            found.add(literal)
    return found


def without_shared(
    ours: Sequence[Step], theirs: Sequence[Step]
) -> tuple[Sequence[Step], Sequence[Step]]:
    """Remove the steps that both lists begin with or end with.

    What differs in the rest may yet be made the same by a step at the end, as that of two rows
    that make "c" of "a", one by way of "b".
    """
    while ours and theirs and ours[0] == theirs[0]:
        ours, theirs = ours[1:], theirs[1:]
    while ours and theirs and ours[-1] == theirs[-1]:
        ours, theirs = ours[:-1], theirs[:-1]
    return ours, theirs
