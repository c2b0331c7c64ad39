"""Modules of a sentence encoder whose width differs from the module before them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tokaudit.plugin import Basis, Contents, Finding, Harm, NotApplicable, Severity, Subject, check
from tokaudit.subject.upstream.versions import SENTENCE_TRANSFORMERS
from tokaudit_suites.config._module_chain import Chain, Misfit, Size, implied_modules
from tokaudit_suites.shared.listed_modules import ListedModules
from tokaudit_suites.shared.repairs import person_decides, repaired, set_to

LIBRARY = f"sentence-transformers {SENTENCE_TRANSFORMERS}"


@check(
    "config/module-widths",
    title="Each module fits the one before it",
    why="A sentence encoder passes vectors from module to module. If a module of a sentence "
    "encoder expects vectors of another width than it gets, encoding fails at the first text. If "
    "a config states a wrong vector width that no module uses, encoding works, but users build an "
    "index that the vectors do not fit.",
    remedy="Correct {pointer|the key} in {file|the file named}, or replace the module by the one "
    "that belongs to this model.",
    repair=person_decides("whether the module or the one before it is of another model"),
    severity=Severity.ERROR,
    harm=Harm.CRASH,
    basis=Basis.CROSS_FILE,
    incident="word_embedding_dimension is used as the length of the vectors "
    "(huggingface/sentence-transformers #1518).",
)
def module_widths(subject: Subject, contents: Contents, listed: ListedModules) -> Iterator[Finding]:
    """Report each number that does not fit."""
    chains = [*listed.by_file.values(), *implied_modules(subject)]
    if not chains:
        raise NotApplicable("no file says which modules a sentence encoder has")
    for modules in chains:
        by_cause: dict[tuple[Size, ...], list[Misfit]] = {}
        for misfit in Chain(subject, contents, modules).misfits():
            by_cause.setdefault(misfit.cause, []).append(misfit)
        yield from map(_finding, by_cause.values())


def _finding(misfits: Sequence[Misfit]) -> Finding:
    """Report the worst misfit that one number causes, with the places of the others."""
    worst = max(misfits, key=lambda misfit: (misfit.stops, misfit.is_last))
    stated, wanted = worst.stated, worst.wanted
    made = " and ".join(size.words for size in wanted.of) or f"{wanted.number:,} by default"
    if worst.by_weights:
        message = f"{stated.words}, but {made}: {LIBRARY} refuses the weights."
    else:
        coming = f"the module gets vectors of {wanted.number:,} numbers ({made})"
        message = f"{stated.words}, but {coming}: {_effect(worst)}."
    places = dict.fromkeys((stated.place, *(size.place for size in wanted.of)))
    places |= dict.fromkeys(each.stated.place for each in misfits)
    is_stated = stated.place.pointer and not worst.stops
    certain = worst.by_weights or (is_stated and len(wanted.of) == 1)
    return Finding(
        Severity.ERROR if worst.stops or worst.is_last else Severity.WARNING,
        message,
        tuple(places),
        cause="stops" if worst.stops else "reported",
        repair=repaired(set_to(stated.place, wanted.number)) if certain else None,
    )


def _effect(misfit: Misfit) -> str:
    if misfit.stops:
        return f"{LIBRARY} stops with an error at the first text"
    if misfit.is_last:
        return "callers get vectors of another width than the library reports"
    return "a later module states the width again, and only one of the two values fits the model"
