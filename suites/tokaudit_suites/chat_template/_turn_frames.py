"""Turns whose header or end differs from the other roles' turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tokaudit.plugin import Finding, Severity
from tokaudit.products.chat.work.part_renderings import PartRendering
from tokaudit_suites.chat_template._encodings import doubled
from tokaudit_suites.chat_template._frames import Frames, answer_header, frames, markers
from tokaudit_suites.chat_template._parts import ANSWER, SYSTEM, part_finding
from tokaudit_suites.shared.wording import quote

Fault = tuple[str, str]


def framed_otherwise(one: PartRendering) -> Iterator[Finding]:
    """Report roles whose text is framed differently from other roles in the same template."""
    found = frames(one)
    shown = one.plain("answers-system")
    id = "answers-system" if shown.ok and SYSTEM in shown.text else "answers"
    text = one.plain(id).text
    if marker := doubled(text.rpartition(ANSWER)[0]):  # what ends a whole text is another's matter
        said = ("marker twice", f"writes {quote(marker)} twice in a row")
        yield part_finding(one, Severity.WARNING, said, (id, one.plain(id)))
    for said in _faults(found, answer_header(one)) if found is not None else ():
        yield part_finding(one, Severity.WARNING, said, (id, one.plain(id)))


def _faults(found: Frames, answering: str) -> Iterator[Fault]:
    yield from _ends(found)
    yield from _system(found, answering)
    yield from _headers(found)


def _ends(found: Frames) -> Iterator[Fault]:
    """Find roles without an end of turn, if answers have one and one marker opens all turns."""
    if not found.opener:
        return  # some formats end answers alone
    after = {role: text.partition(found.opener)[0] for role, text in found.between().items()}
    end = next(iter(markers(after["assistant"])), "")
    for role in [role for role, text in after.items() if end and not markers(text)]:
        which = "the system message" if role == "system" else f"the turn of the {role}"
        yield f"{role} without end", f"ends every turn with {quote(end)}, except {which}"
    spaces = {role: text.rpartition(end)[2] for role, text in after.items() if end and end in text}
    only_space = not any(text.strip() for text in spaces.values())
    if only_space and (odd := _odd(spaces)):
        what = f"writes {quote(spaces[odd])} after the end of the turn of the {odd}"
        yield "space after an end", f"{what}, but not after the turns of other roles"


def _system(found: Frames, answering: str) -> Iterator[Fault]:
    """Find a system message in its own turn that borrows another role's header."""
    before, after = found.system
    if answering and answering in before:
        what = f"opens the system message with the header of an answer, {quote(answering)}"
        yield "system as the assistant's", what
    header = found.asking.strip()
    if any(each.isalpha() for each in header) and header in before and header in after:
        yield (
            "system as the user's",
            f"gives system messages the header of user messages, {quote(header)}",
        )


def _headers(found: Frames) -> Iterator[Fault]:
    """Find role names written in another style or with other white space."""
    headers = found.headers()
    kinds = {match[3] for match in headers.values()}
    shapes = {
        "space in a header": {role: match[1] for role, match in headers.items()},
        "case of a header": {role: str(match[2].islower()) for role, match in headers.items()},
        "space after a header": {role: match[4] for role, match in headers.items()},
    }
    if len(kinds) > 1:
        del shapes["space after a header"]  # other markers come between a name and the words
    for cause, shape in shapes.items():
        if odd := _odd(shape):
            header = quote(found.opener + headers[odd][0])
            yield cause, f"opens turns of the {odd} with {header}, unlike the turns of other roles"


def _odd(written: Mapping[str, str]) -> str:
    """Return the one role that is written differently; "" if that is not clear.

    >>> _odd({"system": "", "user": " ", "assistant": ""}), _odd({"user": " ", "assistant": ""})
    ('user', 'user')
    >>> _odd({"system": "", "user": ""})
    ''
    """
    values = list(written.values())
    if len(set(values)) != 2:
        return ""
    single = [role for role, value in written.items() if values.count(value) == 1]
    longest = max(single, key=lambda role: len(written[role]), default="")
    return longest if len(single) == 2 else single[0]
