"""Rules that compare statements of other engines' files with the tokenizer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Set

from tokaudit.plugin import Finding, Severity
from tokaudit.subject.upstream.engine_files import Form, States
from tokaudit.subject.upstream.published.spellings import turn_ends
from tokaudit.subject.upstream.versions import VERSIONS
from tokaudit_suites.config._conversation import conversation
from tokaudit_suites.config._engine_statements import Stated, Tokenizer, stated_ids
from tokaudit_suites.shared.repairs import repaired, set_to
from tokaudit_suites.shared.vocab_entries import id_of, is_special, looks_like_marker, name_of
from tokaudit_suites.shared.wording import does, plural, quote, some

Rule = Callable[[Tokenizer, Stated], Iterator[Finding]]
BLANK, UNKNOWN = (re.compile(rf"[<\[]{name}[>\]]", re.IGNORECASE) for name in ("pad", "unk"))
HALF = 0.5
WORDS = 4096  # of a list that are looked at
DELIMITER = "|"
YES, NO = (re.compile(words, re.IGNORECASE) for words in ("yes|true|1", "no|false|0"))


def tokens(tokenizer: Tokenizer, stated: Stated) -> Iterator[Finding]:
    """Report tokens of a list whose id is not the tokenizer's."""
    listed = stated.value if isinstance(stated.value, dict) else dict(enumerate(stated.value))
    if not listed or not all(isinstance(text, str) for text in listed.values()):
        return
    own = {id: tokenizer.ids.of(text) for id, text in listed.items()}
    known = [id for id in own.values() if id is not None]
    if len(known) < HALF * min(len(listed), tokenizer.spec.size()):
        if stated.row.states is not States.TOKENS:
            return  # lists of letters and of other vocabularies have these names too
        message = (
            f"{stated.file} lists {plural(len(listed), 'token')}, but the tokenizer has only "
            f"{len(known)} of these: the file belongs to another tokenizer. {_does(stated)}"
        )
        yield Finding(Severity.WARNING, message, (stated.place(),), cause="other list")
        return
    moved = [
        (id, listed[id], here)
        for id, here in own.items()
        if here not in (None, id) and listed[id] not in tokenizer.texts.get(id, ())
    ]
    if moved:
        shown = some([f"{quote(t)} has id {id} instead of {here}" for id, t, here in moved], 3)
        message = (
            f"{plural(len(moved), 'token')} of {stated.file} have another id than in "
            f"{tokenizer.spec.files[0]}: {shown}. {_does(stated)}"
        )
        yield Finding(Severity.ERROR, message, (stated.place(moved[0][0]),), cause="moved")
    if stated.row.states is States.TOKENS:
        yield from _lost_end(tokenizer, stated, {*own.values()})


def _lost_end(tokenizer: Tokenizer, stated: Stated, listed: Set[int | None]) -> Iterator[Finding]:
    """Report a list without the token that ends an answer: the engine reads an unknown token.

    Other tokens that a converter leaves out, such as fillers, may be in no use.
    """
    lost = [id for id in tokenizer.ends if id not in listed and id < tokenizer.spec.size()]
    turns = {id_of(tokenizer.spec, text) for text in turn_ends()}
    if lost and (len(lost) == len(tokenizer.ends) or turns.intersection(lost)):
        shown = some([f"{quote(name_of(tokenizer.spec, id) or '')} (id {id})" for id in lost], 3)
        message = (
            f"{stated.file} lists {plural(len(stated.value), 'token')}, but not the end of an "
            f"answer, {shown}. {_does(stated)}"
        )
        yield Finding(Severity.ERROR, message, (stated.place(),), cause="no end")


def labels(tokenizer: Tokenizer, stated: Stated) -> Iterator[Finding]:
    """Report labels of a speech decoder that do not spell the token of their id."""
    if not isinstance(stated.value, list) or not all(isinstance(x, str) for x in stated.value):
        return
    size = tokenizer.subject.fact("vocab_size")
    if size is not None and isinstance(size.value, int) and size.value != len(stated.value):
        message = (
            f"{stated.file} has {plural(len(stated.value), 'label')}, but {size.file} states "
            f"{size.value} scores: {stated.row.engine} refuses the labels."
        )
        yield Finding(Severity.ERROR, message, (stated.place(),), cause="other number")
        return
    fact = tokenizer.subject.fact("word_delimiter_token")
    space = fact.value if fact is not None and isinstance(fact.value, str) else DELIMITER
    wanted = {id: _label(text, space) for id, texts in tokenizer.texts.items() for text in texts}
    if lacking := [text for text in wanted.values() if text not in set(stated.value)]:
        message = (
            f"{does(len(lacking), 'token', 'is')} not among the labels of {stated.file}: "
            f"{some([quote(text) for text in lacking], 3)}. Wav2Vec2ProcessorWithLM of "
            f"{' and '.join(VERSIONS)} refuses the tokenizer together with these labels."
        )
        yield Finding(Severity.ERROR, message, (stated.place(),), cause="lacking")
        return
    spellings = set(wanted.values())
    moved = [
        (id, text)
        for id, text in enumerate(stated.value)
        if id in wanted and text != wanted[id] and text in spellings
    ]
    if moved:
        shown = some([f"{quote(t)} at id {id} of {quote(wanted[id])}" for id, t in moved], 3)
        message = (
            f"{plural(len(moved), 'label')} of {stated.file} are not the tokens of their ids: "
            f"{shown}. {_does(stated)}"
        )
        yield Finding(Severity.ERROR, message, (stated.place(moved[0][0]),), cause="moved")


def _label(text: str, space: str) -> str:
    """Return a token in the decoder's spelling.

    >>> _label("[PAD]", "|"), _label("|", "|"), _label("A", "|")
    ('', ' ', 'A')
    """
    if BLANK.fullmatch(text):
        return ""
    if UNKNOWN.fullmatch(text):
        return "⁇"
    return " " if text == space else text


def existing(tokenizer: Tokenizer, stated: Stated) -> Iterator[Finding]:
    """Report ids that have no token and no row in the model."""
    facts = tokenizer.subject.facts_named("vocab_size")
    rows = [fact.value for fact in facts if isinstance(fact.value, int)]
    size = max([tokenizer.spec.size(), *rows])
    if beyond := [id for id in stated_ids(stated.value) if id >= size]:
        message = (
            f"{_key(stated)} is {some([str(id) for id in beyond], 3)}, but the ids go from 0 to "
            f"{size - 1:,}. {_does(stated)}"
        )
        yield Finding(Severity.ERROR, message, (stated.place(),), cause="beyond")


def ends(tokenizer: Tokenizer, stated: Stated) -> Iterator[Finding]:
    """Report ids that end an answer in this file, but not for the tokenizer's own loaders."""
    found = list(existing(tokenizer, stated))
    yield from found
    ids, own = stated_ids(stated.value), tokenizer.ends
    turns = {id_of(tokenizer.spec, text) for text in turn_ends()}
    # Require the end of a turn of an engine that reads no other statement of an end.
    enough = (stated.row.alone and turns.intersection(own)) or own.keys()
    if found or not ids or not own or (turns | enough).intersection(ids):
        return
    texts = some([f"{id} ({quote(name_of(tokenizer.spec, id) or '')})" for id in ids], 3)
    if stated.lacks:
        message = (
            f"{stated.file} states no {stated.row.at[1:]}: {stated.row.engine} then ends answers "
            f"at {texts}, whatever other files say."
        )
        yield Finding(Severity.WARNING, message, (stated.place(),), cause="no end")
        return
    there = some([f"{id} ({file})" for id, file in own.items() if id in enough], 3)
    message = f"{_key(stated)} is {texts}, but answers end with {there}. {_does(stated)}"
    wanted = next(id for id in own if id in enough)
    change = set_to(stated.place(), [wanted] if isinstance(stated.value, list) else wanted)
    repair = repaired(change) if stated.row.form is Form.JSON else None
    yield Finding(Severity.ERROR, message, (stated.place(),), cause="other end", repair=repair)


def markers(tokenizer: Tokenizer, stated: Stated) -> Iterator[Finding]:
    """Report ids of ordinary words where a marker is needed."""
    found = list(existing(tokenizer, stated))
    yield from found
    words = [] if found else [id for id in stated_ids(stated.value) if not _marks(tokenizer, id)]
    if words:
        shown = some([f"{id} is {quote(name_of(tokenizer.spec, id) or '')}" for id in words], 3)
        message = f"{_key(stated)} holds ids of ordinary tokens: {shown}. {_does(stated)}"
        yield Finding(Severity.ERROR, message, (stated.place(),), cause="words")


def words(tokenizer: Tokenizer, stated: Stated) -> Iterator[Finding]:
    """Report ids of markers where an ordinary word is needed."""
    found = list(existing(tokenizer, stated))
    yield from found
    marks = [] if found else [id for id in stated_ids(stated.value) if _marks(tokenizer, id)]
    if marks:
        text = quote(name_of(tokenizer.spec, marks[0]) or "")
        message = f"{_key(stated)} is {marks[0]}, {text}, which no answer contains. {_does(stated)}"
        yield Finding(Severity.WARNING, message, (stated.place(),), cause="markers")
    if stated.opposite is not None and not found:
        yield from _opposites(tokenizer, stated)


def _opposites(tokenizer: Tokenizer, stated: Stated) -> Iterator[Finding]:
    """Report an opposite that has the same id, or the id of this word."""
    mine, theirs = (stated_ids(value)[:1] for value in (stated.value, stated.opposite))
    if not mine or not theirs:
        return
    no, yes = (name_of(tokenizer.spec, ids[0]) or "" for ids in (mine, theirs))
    if mine == theirs:
        says = f"{quote(no)}, as {stated.row.unlike[1:]} is: every text gets the same score"
    elif YES.fullmatch(_plain(no)) and NO.fullmatch(_plain(yes)):
        says = f"{quote(no)}, and {stated.row.unlike[1:]} {quote(yes)}: the worst text comes first"
    else:
        return
    message = f"{_key(stated)} is {mine[0]}, {says}. {_does(stated)}"
    yield Finding(Severity.ERROR, message, (stated.place(),), cause="opposites")


def _plain(text: bytes | str) -> str:
    """Return a word without the mark or space before it.

    >>> _plain(" Yes"), _plain("▁no")
    ('Yes', 'no')
    """
    whole = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return whole.strip(" ▁Ġ")


def _marks(tokenizer: Tokenizer, id: int) -> bool:
    return is_special(tokenizer.spec, id) or looks_like_marker(name_of(tokenizer.spec, id) or "")


def named(tokenizer: Tokenizer, stated: Stated) -> Iterator[Finding]:
    """Report an id that differs from the id of the token the file names."""
    if not (ids := stated_ids(stated.value)):
        return
    own = tokenizer.ids.of(stated.named)
    if own in ids:
        return
    there = name_of(tokenizer.spec, ids[0])
    what = "which no token has" if there is None else f"the id of {quote(there)}"
    right = f", which is {own}," if own is not None else ", which the tokenizer lacks,"
    message = (
        f"{_key(stated)} should be the id of {quote(stated.named)}{right} but is {ids[0]}, {what}. "
    )
    repair = None if own is None else repaired(set_to(stated.place(), own))
    yield Finding(
        Severity.ERROR, message + _does(stated), (stated.place(),), cause="other", repair=repair
    )


def token(tokenizer: Tokenizer, stated: Stated) -> Iterator[Finding]:
    """Report a text that is not a single token."""
    text = stated.value
    if isinstance(text, str) and text and tokenizer.ids.of(text) is None:
        message = f"{_key(stated)} is {quote(text)}, which is not a token. {_does(stated)}"
        yield Finding(Severity.ERROR, message, (stated.place(),), cause=f"no {stated.row.at[1:]}")


def count(tokenizer: Tokenizer, stated: Stated) -> Iterator[Finding]:
    """Report fewer rows than ids; unused added tokens may lie beyond the rows."""
    size, spec = stated.value, tokenizer.spec
    if type(size) is not int or not 0 < size < spec.size():
        return
    added = {each.id for each in spec.added_tokens}
    lost = sorted(id for id in tokenizer.texts if id >= size)
    used = [id for id in lost if id not in added or tokenizer.texts[id] & tokenizer.roles.keys()]
    shown = some([f"{quote(name_of(spec, id) or '')} (id {id})" for id in used or lost], 3)
    message = (
        f"{_key(stated)} is {size:,}, so {does(len(lost), 'token', 'has')} too high an id: "
        f"{shown}. {_does(stated)}"
    )
    severity = Severity.ERROR if used else Severity.WARNING
    yield Finding(severity, message, (stated.place(),), cause="too few")


def pieces(tokenizer: Tokenizer, stated: Stated) -> Iterator[Finding]:
    """Report ordinary pieces missing from the list that defines the model's positions."""
    if not isinstance(stated.value, list):
        return
    listed = {text for text in stated.value if isinstance(text, str)}
    own = {
        text for id, texts in tokenizer.texts.items() if not _marks(tokenizer, id) for text in texts
    }
    if lost := sorted(own - listed):
        message = (
            f"{plural(len(lost), 'token')} of {len(own):,} in {tokenizer.spec.files[0]} are not in "
            f"{_key(stated)}: {some([quote(text) for text in lost], 3)}. {_does(stated)}"
        )
        severity = Severity.ERROR if len(lost) > HALF * len(own) else Severity.WARNING
        yield Finding(severity, message, (stated.place(),), cause="pieces")


def spelled_words(tokenizer: Tokenizer, stated: Stated) -> Iterator[Finding]:
    """Report words with characters that no token contains."""
    letters = set().union(*(text for texts in tokenizer.texts.values() for text in texts))
    words = stated.value[:WORDS]
    if len(foreign := [word for word in words if not letters.issuperset(word)]) > HALF * len(words):
        message = (
            f"{len(foreign):,} of {plural(len(words), 'word')} in {stated.file} hold characters "
            "that no token has, so no answer can contain these words: "
            f"{some([quote(word) for word in foreign], 3)}. {_does(stated)}"
        )
        yield Finding(Severity.ERROR, message, (stated.place(),), cause="letters")


def copy(tokenizer: Tokenizer, stated: Stated) -> Iterator[Finding]:
    """Report a copy of the chat template that differs from the tokenizer's own."""
    facts = tokenizer.subject.facts_named("chat_template")
    own = {fact.file: fact.value for fact in facts if isinstance(fact.value, str)}
    if not own or not isinstance(stated.value, str):
        return
    if stated.value.split() not in [text.split() for text in own.values()]:
        message = (
            f"The chat template in {stated.file} differs from the one in {next(iter(own))}. "
            f"{_does(stated)}"
        )
        yield Finding(Severity.WARNING, message, (stated.place(),), cause="other template")


def _key(stated: Stated) -> str:
    return f"{stated.row.at[1:]} in {stated.file}"


def _does(stated: Stated) -> str:
    return f"{stated.row.engine} {stated.row.does}."


RULES: Mapping[States, Rule] = {
    States.TOKENS: tokens,
    States.NUMBERED: tokens,
    States.COUNTED: tokens,
    States.LABELS: labels,
    States.ENDS: ends,
    States.IDS: existing,
    States.MARKERS: markers,
    States.WORDS: words,
    States.NAMED: named,
    States.TOKEN: token,
    States.COUNT: count,
    States.PIECES: pieces,
    States.SPELLED: spelled_words,
    States.COPY: copy,
    States.CONVERSATION: conversation,
}
