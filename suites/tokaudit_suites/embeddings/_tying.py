"""Tied embeddings of a model with a text part, where both configs have a switch.

Version 4 of transformers asks the part and version 5 mostly the whole; what neither states is that
of the class.  This is not a check: embeddings/tied asks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tokaudit.plugin import Change, Finding, Place, Severity, Subject, Tensor
from tokaudit.subject.effective.settings_object import settings_file, settings_object
from tokaudit.subject.upstream.model_type import tied_by
from tokaudit.subject.upstream.versions import VERSIONS
from tokaudit.subject.weights.rows import read_rows
from tokaudit_suites.shared.repairs import either, repaired, set_to, setting

FEW = 128  # rows at each end of a large matrix that are compared
KEY, MODEL, TEXT = "tie_word_embeddings", "config.json", "text_config"
FOUR, FIVE = VERSIONS
VLLM = "vLLM (read at 000fc94b754f, vllm/config/vllm.py)"
Switches = Mapping[str, bool]
Places = tuple[Place, ...]


def tying_by_version(subject: Subject) -> Switches:
    """Return for each version whether it ties; empty if only one config decides."""
    config = settings_object(subject, MODEL)
    part, kind = config.get(TEXT), config.get("model_type")
    if not isinstance(part, dict) or not isinstance(kind, str):
        return {}
    whole, own = (
        said if isinstance(said := each.get(KEY), bool) else None for each in (config, part)
    )
    return tied_by(kind, whole, own)


def alike(subject: Subject, stored: list[Tensor]) -> bool | None:
    """Return whether all matrices have equal rows at both ends, or everywhere if small.

    None where they are unknown: not read, nothing but zeros, or written in different types.
    """
    ends = [n for t in stored for n in (*range(FEW), *range(t.shape[0] - FEW, t.shape[0]))]
    read = [read_rows(subject, tensor, ends) for tensor in stored]
    shown = {(rows.dtype, tuple(rows.rows.values())) for rows in read if rows is not None}
    empty = any(not any(map(any, rows)) for _, rows in shown)
    if None in read or empty or len({dtype for dtype, _ in shown}) > 1:
        return None
    return len(shown) == 1


def no_head(subject: Subject, switches: Switches, places: Places) -> Iterator[Finding]:
    """Report versions that expect a separate head which is not stored."""
    lacking = [version for version, tied in switches.items() if not tied]
    tying = [version for version, tied in switches.items() if tied]
    if not lacking:
        return
    others = f"; {tying[0]} uses the embedding as the output matrix" if tying else ""
    yield Finding(
        Severity.WARNING if tying else Severity.ERROR,
        f"The weights hold no output matrix, and {_says(subject)}: {' and '.join(lacking)} "
        f"{'build' if len(lacking) > 1 else 'builds'} that matrix with random values{others}.",
        _named(subject, places),
        cause="no head",
        repair=either(("a model whose head is its embedding", _both_set(subject, True))),
    )


def head_that_is_dropped(subject: Subject, switches: Switches, places: Places) -> Finding:
    """Report a stored head with other values, which versions that tie ignore.

    Where version 4 does not, it is one engine at one commit, which nothing ran.
    """
    who = [f"{FOUR} drops it"] if switches.get(FOUR) else []
    if switches.get(FIVE):
        who += [f"{VLLM} drops it where {FIVE} reads true, as here, and {FIVE} keeps both"]
    return Finding(
        Severity.WARNING if switches.get(FOUR) else Severity.INFO,
        f"The weights hold an output matrix of other values than the embedding, and "
        f"{_says(subject)}: {'; '.join(who)}.",
        _named(subject, places),
        cause="dropped head",
        repair=repaired(*_both_set(subject, False)),
    )


def _says(subject: Subject) -> str:
    """Describe the statements of the two configs, for a sentence."""
    config = settings_object(subject, MODEL)
    whole, part = config.get(KEY), config[TEXT].get(KEY)
    top, below = ("nothing" if each is None else str(each).lower() for each in (whole, part))
    return f"{_file(subject)} states {top} for {KEY} and its {TEXT} {below}"


def _both_set(subject: Subject, wanted: bool) -> list[Change]:
    file = _file(subject)
    below = settings_object(subject, MODEL)[TEXT].get(KEY)
    place = Place("config", file, f"/{TEXT}/{KEY}", below)
    return [setting(file, KEY, wanted), set_to(place, wanted)]


def _named(subject: Subject, places: Places) -> Places:
    """Return the places, with the text part first if no config states anything."""
    stated = [place for place in places if place.component == "config"]
    return places if stated else (Place("config", _file(subject), f"/{TEXT}"), *places)


def _file(subject: Subject) -> str:
    found = settings_file(subject, MODEL)
    return MODEL if found is None else found.name
