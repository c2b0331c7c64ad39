"""Special tokens in a file that no version of transformers reads from there."""

from __future__ import annotations

from collections.abc import Iterator

from tokaudit.plugin import (
    Basis,
    Fact,
    Finding,
    Harm,
    NotApplicable,
    Representations,
    Severity,
    Subject,
    check,
)
from tokaudit.report.recorded import LoaderValue, SaidBy, values_by_key
from tokaudit.subject.effective.handed_settings import MAP, TABLE
from tokaudit.subject.effective.loaders import CURRENT
from tokaudit.subject.effective.value_table import value_table
from tokaudit.subject.formats.common.settings import files_of_tokens
from tokaudit.subject.upstream.loading_class import FIRST
from tokaudit_suites.shared.repairs import person_decides, repaired, setting
from tokaudit_suites.shared.stated_roles import ROLES, place_of
from tokaudit_suites.shared.wording import quote


@check(
    "config/unread-roles",
    title="Loaders take every special token that files name",
    why="If tokenizer_config.json has a table of added tokens, transformers 4 and 5 ignore "
    "special_tokens_map.json. A special token that only special_tokens_map.json names has no "
    "effect if loaders ignore this file: answers do not end, batches cannot be padded, and "
    "templates write nothing in the token's place.",
    remedy="Name the token in tokenizer_config.json, or delete it from {file|the other file}.",
    repair=person_decides("whether the token is to play the role is not in the files"),
    severity=Severity.ERROR,
    harm=Harm.OTHER_PROMPT,
    basis=Basis.CROSS_FILE,
    incident="`_from_pretrained` of transformers 4.57.6 and 5.24.0 reads special_tokens_map.json "
    "only where tokenizer_config.json has no added_tokens_decoder "
    "(transformers/tokenization_utils_base.py).",
)
def unread_roles(subject: Subject, found: Representations) -> Iterator[Finding]:
    """Compare each role of the map with the token that both versions use."""
    named = [fact for role in ROLES for fact in subject.facts_named(f"{role}_token") if fact.value]
    unread = [fact for fact in named if subject.base_of(fact) == MAP]
    if not unread or MAP in files_of_tokens(subject):
        raise NotApplicable("no special token is named in a file that loaders pass over")
    templates = "".join(str(fact.value) for fact in subject.facts_named("chat_template"))
    rows = values_by_key(value_table(subject, found.parsed))
    for fact in unread:
        cells = [rows.get(fact.name, {}).get(f"{by.name} (emulated)") for by in CURRENT]
        taken = [cell for cell in cells if cell is not None and cell.value != fact.value]
        named_elsewhere = any(cell.said_by is SaidBy.FILE and cell.value for cell in taken)
        if len(taken) == len(CURRENT) and not named_elsewhere:
            yield _unread(subject, fact, taken, written=fact.name in templates)


def _unread(subject: Subject, fact: Fact, taken: list[LoaderValue], *, written: bool) -> Finding:
    """Report a role whose token is another or missing; an error if a template writes it."""
    settings = next(each.name for each in subject.files if each.base == FIRST)
    instead = {cell.loader: _played(cell) for cell in taken}
    who = " and ".join(instead)
    what = " and ".join(dict.fromkeys(instead.values()))
    lost = ", so that the chat template does not write the token" if written else ""
    return Finding(
        Severity.ERROR if written else Severity.WARNING,
        f"Only {fact.file} names a {fact.name}, {quote(str(fact.value))}. Because {settings} has "
        f"{TABLE}, {who} do not read {fact.file}, and use {what} as {fact.name}{lost}.",
        (place_of(fact, "special_roles"),),
        cause=fact.name,
        repair=repaired(setting(settings, fact.name, fact.value)),
    )


def _played(cell: LoaderValue) -> str:
    return "no token" if cell.value is None else f"{quote(str(cell.value))} ({cell.source})"
