"""Prints the page of published templates by Jinja and by engines that are not Jinja."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tokaudit.foundation.installed_version import version
from tokaudit.products.chat.engines.client import EngineText
from tokaudit.subject.upstream.versions import FIVE, FOUR
from tokaudit_folders import chat_folders
from tokaudit_folders.chat_folders import FAMILIES
from tokaudit_template_engines.asking import (
    LLAMA_CPP,
    PREPARED,
    SPECIAL,
    Asked,
    by_engines,
    by_llama_cpp,
    by_transformers,
    contexts_of,
    conversations,
    write_gguf,
)
from tokaudit_template_engines.page import page
from tokaudit_templates import published
from tokaudit_tools.kept import add_option, keep, kept

Answers = dict[str, list[Asked]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the page; which template is at work goes to stderr."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", help="the names of templates (default: all)")
    add_option(parser)
    asked = parser.parse_args(arguments)
    published.UNPACKED = Path(sys.prefix).parent / "template-wheels" / "unpacked"
    names = asked.only or [name for name in published.distinct() if "_training" not in name]
    templates = {name: published.template(name) for name in names}
    answers = dict(kept(asked.kept, tuple[str, Answers]))
    missing = {name: text for name, text in templates.items() if name not in answers}
    with tempfile.TemporaryDirectory() as folder:
        small = chat_folders.write(Path(folder) / "small", FAMILIES["ChatML"])
        gguf = Path(folder) / "model.gguf"
        write_gguf(gguf)
        five, four = (
            by_transformers(each, missing, small / "tokenizer.json") for each in (FIVE, FOUR)
        )
        for name, text in missing.items():
            print(name, file=sys.stderr)
            answers[name] = {
                f"transformers {FOUR}": next_to(text, five[name], four[name]),
                **by_engines(text, five[name]),
                **by_llama_cpp(text, gguf),
            }
            keep(asked.kept, (name, answers[name]))
    answers = {name: answers[name] for name in names}
    engines = [each for each in next(iter(answers.values())) if each not in (LLAMA_CPP, PREPARED)]
    by_server = f"{LLAMA_CPP} of xllamacpp {version('xllamacpp')}"
    print(page(answers, templates, [f"transformers {FIVE}", *engines, by_server]), end="")
    return 0


def next_to(
    template: str, expected: Sequence[EngineText], found: Sequence[EngineText]
) -> list[Asked]:
    """The texts of one engine next to those of another."""
    given = contexts_of(template, conversations(), SPECIAL)
    return [
        Asked(one.id, context, wanted.text, text)
        for (one, context), wanted, text in zip(given, expected, found, strict=True)
    ]
