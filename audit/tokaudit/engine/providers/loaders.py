"""Loaders that must load a subject: run by an interpreter, or emulated from records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tokaudit.engine.loaded import How, Loaded, LoadedBy
from tokaudit.engine.needs import Options
from tokaudit.engine.resolver import need_from_worker
from tokaudit.engine.workers import Workers
from tokaudit.foundation.errors import Skip, UpstreamTrouble
from tokaudit.foundation.installed_version import version
from tokaudit.runtimes.named_runtimes import NamedRuntime, runtime_request
from tokaudit.runtimes.registry import all_adapters, lacks
from tokaudit.runtimes.worker.client import UpstreamRefused
from tokaudit.subject.effective.class_choice import class_choice
from tokaudit.subject.effective.loaders import CURRENT, TRANSFORMERS, Loader, loader_named
from tokaudit.subject.effective.refused import Refusal, refusals
from tokaudit.subject.material import Subject
from tokaudit.subject.representations import Representations

QUICK = "quick"


@need_from_worker
def loaded(options: Options, subject: Subject, found: Representations, workers: Workers) -> Loaded:
    """Return every named loader, or else both current versions and the installed one."""
    if not options.loaders:
        ran = [] if options.tier == QUICK else list(_installed(subject, found, workers))
        emulated = [_emulated(subject, each) for each in CURRENT]
        known = {by.loader.version for by in ran}
        others = [by for by in emulated if by.loader.version not in known]
        return Loaded((*others, *ran), stated=False)
    named = [loader_named(each) for each in options.loaders]
    return Loaded(
        tuple(by for each in named for by in _by(subject, found, workers, each)), stated=True
    )


def _installed(subject: Subject, found: Representations, workers: Workers) -> Iterator[LoadedBy]:
    """Yield the installed transformers version, run if a file names a class for it."""
    if lacks(TRANSFORMERS) or class_choice(subject, CURRENT[-1].version) is None:
        return
    installed = Loader(TRANSFORMERS, version(all_adapters()[TRANSFORMERS].package))
    ran = _run(subject, found, workers, installed)
    if ran.how is How.RUN:
        yield ran


def _by(
    subject: Subject, found: Representations, workers: Workers, loader: Loader
) -> Iterator[LoadedBy]:
    """Yield a loader run or emulated; otherwise with the reason."""
    why = _lacking(loader)
    if not why:
        ran = _run(subject, found, workers, loader)
        if ran.how is How.RUN:
            yield ran
            return
        why = ran.why
    either = CURRENT if loader.library == TRANSFORMERS and not loader.version else (loader,)
    for each in either:
        emulated = _emulated(subject, each) if each.is_emulated else None
        if emulated is not None and emulated.examined:
            yield replace(emulated, why=why)
        else:
            yield LoadedBy(each, How.NOT_RUN, why=why)


def _lacking(loader: Loader) -> str:
    """Return why a loader cannot be run here; empty if it can be tried."""
    if loader.library not in all_adapters():
        return f"nothing here runs {loader.library}"
    if loader.place:
        return ""
    if missing := lacks(loader.library):
        return f"{missing}; name an interpreter that has it: {loader.name}@/path/to/python"
    installed = version(all_adapters()[loader.library].package)
    if loader.version and installed != loader.version:
        return f"{installed} is installed here; name an interpreter: NAME==VERSION@/path/to/python"
    return ""


def _run(subject: Subject, found: Representations, workers: Workers, loader: Loader) -> LoadedBy:
    """Load the copied files in a worker, with the class that the library chooses."""
    place = NamedRuntime(loader.name, loader.library, loader.place)
    try:
        request = runtime_request(subject, found, place).request
        tokenizer = workers.open(f"loader {loader.name}", request)
    except Skip as skip:
        return LoadedBy(loader, How.NOT_RUN, why=str(skip))
    except UpstreamRefused as refused:
        return LoadedBy(loader, How.RUN, (_said(str(refused), subject, found, loader),))
    except UpstreamTrouble as trouble:
        return LoadedBy(loader, How.NOT_RUN, why=str(trouble))
    have = tokenizer.info.version
    if loader.version and have != loader.version:
        return LoadedBy(loader, How.NOT_RUN, why=f"{loader.place} has {loader.library} {have}")
    return LoadedBy(replace(loader, version=have), How.RUN, tokenizer=tokenizer)


def _said(words: str, subject: Subject, found: Representations, loader: Loader) -> Refusal:
    """Build a refusal from the library's message, at the value that its record blames."""
    known = refusals(subject, loader.version) if loader.is_emulated else ()
    file = found.parsed[0][0].files[0] if found.parsed else ""
    meant = next((each for each in known if _begins_alike(each.says, words)), None)
    return Refusal(words, file, "", None, "") if meant is None else replace(meant, says=words)


def _begins_alike(recorded: str, words: str) -> bool:
    return recorded.partition("...")[0].rstrip(".") in words


def _emulated(subject: Subject, loader: Loader) -> LoadedBy:
    examined = class_choice(subject, loader.version) is not None
    return LoadedBy(loader, How.EMULATED, refusals(subject, loader.version), examined=examined)
