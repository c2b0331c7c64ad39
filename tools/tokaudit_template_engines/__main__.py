"""`make template-engines`: the table of published templates by engines, as a page."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tokaudit.products.chat.engines.client import EngineText
from tokaudit_folders import chat_folders
from tokaudit_folders.chat_folders import FAMILIES
from tokaudit_template_defects import published
from tokaudit_template_engines.asking import (
    SPECIAL,
    VERSIONS,
    Asked,
    by_engines,
    by_llama_cpp,
    by_transformers,
    contexts_of,
    conversations,
    write_gguf,
)
from tokaudit_template_engines.page import page


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the page; which template is at work goes to stderr."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", help="the names of templates (default: all)")
    asked = parser.parse_args(arguments)
    published.UNPACKED = Path(sys.prefix).parent / "template-wheels" / "unpacked"
    names = asked.only or [name for name in published.distinct() if "_training" not in name]
    templates = {name: published.template(name) for name in names}
    answers: dict[str, dict[str, list[Asked]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        small = chat_folders.write(Path(folder) / "small", FAMILIES["ChatML"])
        gguf = Path(folder) / "model.gguf"
        write_gguf(gguf)
        five, four = (
            by_transformers(version, templates, small / "tokenizer.json") for version in VERSIONS
        )
        for name, text in templates.items():
            print(name, file=sys.stderr)
            answers[name] = {
                f"transformers {VERSIONS[1]}": next_to(text, five[name], four[name]),
                **by_engines(text, five[name]),
                **by_llama_cpp(text, gguf),
            }
    versions = [f"transformers {version}" for version in VERSIONS]
    print(page(answers, templates, [*versions, *list(next(iter(answers.values())))[1:]]), end="")
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


if __name__ == "__main__":
    sys.exit(main())
