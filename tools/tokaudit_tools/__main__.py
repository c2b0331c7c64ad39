"""Every program for developers: `python -m tokaudit_tools COMMAND`, of which --help lists all."""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[1]
COMMANDS = {
    "alarms": "false_alarms",
    "attacks": "tokaudit_attacks.command",
    "browse": "site_in_browser",
    "causes": "tokaudit_faults.scores.causes",
    "conformance": "tokaudit_conformance.command",
    "confusables": "draw_confusables",
    "costs": "tokaudit_costs.command",
    "defects": "tokaudit_faults.scores.defects",
    "docs": "tokaudit_pages.writing",
    "failing-calls": "tokaudit_failing_calls.command",
    "fuzz": "tokaudit_fuzz.command",
    "fuzz-guided": "tokaudit_fuzz.guided",
    "fuzz-templates": "tokaudit_fuzz.chat_templates",
    "gallery": "gallery",
    "grammar": "tokaudit_grammar.command",
    "hostile-ids": "tokaudit_hostile_ids.command",
    "llama": "tokaudit_llama.command",
    "lock": "lock",
    "missing-merge": "missing_merge",
    "mutants": "tokaudit_faults.scores.mutants",
    "never-passed": "tokaudit_writers.never_passed",
    "pages": "tokaudit_pages.trying",
    "pairs": "comparison_pairs",
    "picture": "picture",
    "published-templates": "draw_published_templates",
    "release": "release",
    "remedies": "tokaudit_remedies.command",
    "runtimes": "tokaudit_runtimes.command",
    "soundness": "tokaudit_soundness.command",
    "structure": "structure.command",
    "template-engines": "tokaudit_template_engines.command",
    "template-laws": "tokaudit_templates.laws",
    "template-warnings": "tokaudit_templates.warnings",
    "templates": "tokaudit_faults.scores.templates",
    "unicode-tables": "draw_unicode_tables",
    "upstream": "tokaudit_upstream.command",
    "work": "tokaudit_work.command",
    "writers": "tokaudit_writers.command",
}
"""Name -> the module with its `main`; some run in environments that have nothing else of ours."""


def main() -> int:
    """Run a command with what follows its name."""
    name, *given = sys.argv[1:] or ["--help"]
    if name in ("-h", "--help"):
        print("usage: python -m tokaudit_tools COMMAND [--help] ...\n")
        print("\n".join(f"{each:20} {first_line(COMMANDS[each])}" for each in COMMANDS))
        return 0
    if name not in COMMANDS:
        print(f"there is no command {name}: --help lists them", file=sys.stderr)
        return 2
    sys.argv = [f"python -m tokaudit_tools {name}", *given]
    return int(import_module(COMMANDS[name]).main() or 0)


def first_line(module: str) -> str:
    """The first line of a module, which is not imported, as some need what is not installed."""
    text = TOOLS.joinpath(*module.split(".")).with_suffix(".py").read_text(encoding="utf-8")
    return (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]


if __name__ == "__main__":
    sys.exit(main())
