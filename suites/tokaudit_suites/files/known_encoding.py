"""Rank files under a published encoding's name with other content."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Contents,
    Finding,
    Harm,
    NotApplicable,
    Place,
    Severity,
    Subject,
    check,
)
from tokaudit.subject.upstream.published.known_encodings import (
    KNOWN,
    KnownEncoding,
    by_digest,
    has_the_ranks,
)
from tokaudit_suites.shared.repairs import person_decides
from tokaudit_suites.shared.stated_roles import place_of, stated_added
from tokaudit_suites.shared.wording import plural, quote, some

RANKS = "tiktoken"  # the role of a rank file
RESERVED = "reserved"
NOT_PUBLISHED = "is not the published {0}"


@check(
    "files/known-encoding",
    title="A published encoding matches its file name",
    why="Nothing inside a rank file (.tiktoken) shows that two lines are in each other's place, "
    "so nobody notices the error until the model answers nonsense. Clients that know the checksum "
    "of a published rank file refuse a changed copy.",
    remedy="Download the published file again, or rename this file.",
    repair=person_decides(
        "the file is either fetched again or is not a published encoding and needs its own name"
    ),
    severity=Severity.ERROR,
    harm=Harm.OTHER_IDS,
    basis=Basis.BASELINE,
    incident="A bundled cl100k_base file failed its checksum after its line ends were converted "
    "(BerriAI/litellm PR#42208).",
    no_example="The good example is the published file itself, which is too long to show.",
)
def known_file(subject: Subject, contents: Contents) -> Iterator[Finding]:
    """Compare the SHA-256 of files with such names, and the special tokens next to them."""
    asked = 0
    for file in subject.files:
        if file.role == RANKS and (published := by_digest(contents.digest(file))) is not None:
            asked += 1
            yield from of_special_tokens(subject, *published)
        name = file.base.removesuffix(".tiktoken")
        if name == file.base or name not in KNOWN:
            continue
        asked += 1
        found = contents.digest(file)
        if found == KNOWN[name].sha256:
            continue
        same = has_the_ranks(contents.whole(file), KNOWN[name])
        what = "has the ranks of the published {0}, but other bytes" if same else NOT_PUBLISHED
        yield Finding(
            Severity.INFO if same else Severity.ERROR,
            f"{file.name} {what.format(name)}: the SHA-256 of this file begins with {found[:12]}, "
            f"that of the published file with {KNOWN[name].sha256[:12]}.",
            (Place("vocab", file.name, "", found),),
            cause="bytes" if same else "file",
        )
    if not asked:
        raise NotApplicable("no file is a published encoding, or named like one")


def of_special_tokens(subject: Subject, name: str, known: KnownEncoding) -> Iterator[Finding]:
    """Report special tokens whose ids differ from the published encoding.

    Reserved ones are numbered anew by each release: Llama 3.1 has other names for the ids of 3.0.
    """
    stated = {content: (fact, id) for fact, content, id, _ in stated_added(subject)}
    own = {content: at for content, at in known.special.items() if RESERVED not in content}
    moved = [content for content, (_, id) in stated.items() if own.get(content, id) != id]
    if moved:
        fact = stated[moved[0]][0]
        shown = [f"{quote(c)} has id {stated[c][1]} instead of {known.special[c]}" for c in moved]
        yield Finding(
            Severity.ERROR,
            f"{fact.file} gives {plural(len(moved), 'special token')} another id than the "
            f"published {name}: {some(shown)}.",
            (place_of(fact, "added_tokens"),),
            cause="special tokens",
        )
