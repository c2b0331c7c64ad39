"""What the records say that a class builds around files of its own: all that its family states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from recorded_answers import Said
from said_by_hand import as_json, stated_of

from tokaudit.subject.upstream.pipeline import Family, family, of_files
from tokaudit.subject.upstream.tokenizer_class import TokenizerClass, class_named, every_class


def of_family(name: str) -> list[str]:
    """The classes that build a family around their own files.

    >>> of_family("marked")
    ['BlenderbotSmallTokenizer', 'CTRLTokenizer']
    """
    return [each for each, known in every_class().items() if known.pipelines.of_files == name]


def with_family() -> list[str]:
    """The classes that build any."""
    return [name for name, known in every_class().items() if known.pipelines.of_files]


def family_of(name: str) -> str:
    """The family that a class builds around its own files."""
    known = class_named(name)
    return "" if known is None else known.pipelines.of_files


def said_of_files(name: str) -> Said:
    """What a class does with its own files where nothing is stated; nothing without the family."""
    known = class_named(name)
    if known is None or not known.pipelines.of_files:
        return {}
    try:
        found = family(known.pipelines.of_files)
    except FileNotFoundError:
        return {}
    return stated_of(dict(_said(found, known)))


def said_of_family(name: str) -> Said:
    """All that a family states, with the stages of no class under either state of every switch."""
    try:
        found = family(name)
    except FileNotFoundError:
        return {}
    said = {"nothing": None, "every switch on": True, "every switch off": False}
    stages = {
        f"stages with {text}": asdict(of_files(found, None, lambda key, value=value: value))
        for text, value in said.items()
    }
    return as_json({**stages, **dict(_stated(found))})


def _stated(found: Family) -> Iterator[tuple[str, Any]]:
    yield "special", found.special
    yield "spelling", {key: value for key, value in asdict(found.spelling).items() if value}
    yield "unless", found.unless
    yield "keeps the charsmap", found.keeps_charsmap


def _said(found: Family, known: TokenizerClass) -> Iterator[tuple[str, Any]]:
    yield from _stated(found)
    built = asdict(of_files(found, known, lambda key: None))
    yield from {**built, "any step": not found.is_open}.items()
