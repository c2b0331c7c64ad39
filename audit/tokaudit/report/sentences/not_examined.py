"""Parts that an audit did not examine: the reason, the tokenizers, and what to add."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tokaudit.report.model import CheckResult, Status
from tokaudit.report.wording import counted, few

if TYPE_CHECKING:
    from tokaudit.report.report import Report

TOKENIZER_ALONE = "tokenizer only: "  # how the scope begins where no weights were read
NO_BASE = "no --base"
DATA = "data/"
WEIGHTS = "the weights"


@dataclass(frozen=True, slots=True)
class Input:
    """An option that adds something to an audit: its full and short name, and its form."""

    examines: str
    short: str
    option: str


OPTIONAL = {
    NO_BASE: Input("changes from a base", "base", "--base FOLDER"),
    "no --against": Input("ids of another encoder", "another encoder", "--against ENCODER"),
    "no --conversations": Input("your own conversations", "conversations", "--conversations FILE"),
}


@dataclass(frozen=True, slots=True)
class Unexamined:
    """A reason with the checks that it left open; `crashed` if a check itself failed.

    `not_given`: an input is missing, without which they have nothing to examine.  `tokenizers`
    names those of several that it is about.
    """

    reason: str
    checks: tuple[str, ...]
    crashed: bool = False
    not_given: bool = False
    tokenizers: str = ""

    @property
    def short(self) -> str:
        """Return the missing input as a noun; any other reason in full.

        >>> Unexamined("no --base", ("baseline/vocab",), not_given=True).short
        'base'
        """
        if self.reason.startswith(WEIGHTS):
            return "weights"
        return OPTIONAL[self.reason].short if self.reason in OPTIONAL else self.reason

    @property
    def brief(self) -> str:
        """Return the missing input with its option and the number of checks, for a list.

        >>> Unexamined("no --base", ("baseline/vocab", "baseline/merges"), not_given=True).brief
        'base (--base FOLDER, 2 checks)'
        """
        about = f" in {self.tokenizers}" if self.tokenizers else ""
        if (known := OPTIONAL.get(self.reason)) is None:
            return f"{self.short}{about}"
        count = f", {counted(len(self.checks), 'check')}" if self.checks[1:] else ""
        return f"{self.short}{about} ({known.option}{count})"

    @property
    def words(self) -> str:
        """Return the reason for readers, with what to add.

        >>> Unexamined("no --base", ("baseline/vocab",), not_given=True).words
        'changes from a base (add --base FOLDER)'
        >>> Unexamined("no decoder", ("a/b",), tokenizers="cut").words
        'no decoder, in cut'
        """
        about = f", in {self.tokenizers}" if self.tokenizers else ""
        known = OPTIONAL.get(self.reason)
        if known is None:
            return f"{self.reason}{about}"
        return f"{known.examines}{about} (add {known.option})"


def unexamined(report: Report) -> list[Unexamined]:
    """Return crashes, the weights, then reasons that leave most checks open, each once."""
    found = [
        *_of_status(report, Status.CRASHED),
        *(() if about_data(report) else _weights(report)),
        *sorted(_of_status(report, Status.SKIPPED), key=lambda each: -len(each.checks)),
    ]
    if about_data(report):
        found.append(Unexamined("the tokenizer, by its own checks", (), not_given=True))
    return found


def about_data(report: Report) -> bool:
    """Return whether the report is about ids on disk, not about the tokenizer."""
    return bool(report.results) and all(each.check.startswith(DATA) for each in report.results)


def _of_status(report: Report, status: Status) -> list[Unexamined]:
    """Return the checks that crashed or were skipped, grouped by reason."""
    parts: dict[tuple[str, str], list[str]] = {}
    optional: set[str] = set()
    for result in sorted(report.results, key=lambda each: each.check):
        if result.status is status:
            why = result.reason or "no reason given"
            parts.setdefault((why, result.check), []).append(result.part)
            optional |= {why} if result.not_given else set()
    named: dict[str, dict[str, None]] = {}
    for (why, _), those in parts.items():
        named.setdefault(why, {}).update(dict.fromkeys(filter(None, those)))
    together: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (why, check), those in parts.items():
        about_all = named[why] if why in optional else filter(None, those)
        together.setdefault((why, tuple(about_all)), []).append(check)
    crashed = status is Status.CRASHED
    return [
        Unexamined(why, tuple(checks), crashed, why in optional, _few(report, names))
        for (why, names), checks in together.items()
    ]


def _weights(report: Report) -> Iterator[Unexamined]:
    """Yield the weights if none were read, with the checks that need them."""
    scopes = {part.name: part.scope for part in report.parts} or {"": report.scope}
    lacking: dict[str, list[str]] = {}
    for name, scope in scopes.items():
        if scope.startswith(TOKENIZER_ALONE):
            why = scope.removeprefix(TOKENIZER_ALONE).partition(";")[0]
            lacking.setdefault(why, []).append(name)
    for why, names in lacking.items():
        checks = _not_applicable(report.results, why)
        about = _few(report, list(filter(None, names)))
        what = why if why.startswith(WEIGHTS) else f"{WEIGHTS} ({why})"
        yield Unexamined(what, checks, not_given=True, tokenizers=about)


def _not_applicable(results: Iterable[CheckResult], why: str) -> tuple[str, ...]:
    found = (r.check for r in results if r.status is Status.NOT_APPLICABLE and r.reason == why)
    return tuple(dict.fromkeys(sorted(found)))


def _few(report: Report, names: Iterable[str]) -> str:
    return few(list(names), [part.name for part in report.parts])
