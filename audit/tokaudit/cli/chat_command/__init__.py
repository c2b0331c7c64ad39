"""`tokaudit chat SUBJECT`: conversations as the chat template renders them, token by token.

Each role has its colour, and what a model learns from is marked; without colours the marks stay.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from tokaudit.cli.options.one_line import OneLineParser
from tokaudit.cli.options.settings import add_settings
from tokaudit.cli.options.shared import add_color, add_quiet, add_subject

EXAMPLES = """\
examples:
  tokaudit chat path/to/checkpoint
  tokaudit chat path/to/checkpoint --conversations mine.jsonl
  tokaudit chat path/to/checkpoint --var enable_thinking=false --dialect 4.57 --first 3
  tokaudit chat path/to/checkpoint --conversations train.parquet --check --use sft
  tokaudit chat path/to/checkpoint --conversations train.jsonl --trainer trl-assistant
  tokaudit chat path/to/checkpoint --save expected.jsonl
  tokaudit chat path/to/checkpoint --expect expected.jsonl --watch
  tokaudit chat chat_template.jinja --tokenizer path/to/checkpoint --check --watch
  tokaudit chat path/to/checkpoint --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the subject, the conversations, and display options."""
    from tokaudit.products.chat.chatting import ChatSettings, HoldSettings

    if isinstance(parser, OneLineParser):
        parser.two_names = "; name a file of conversations with --conversations FILE"
    add_subject(parser, ChatSettings)
    add_settings(parser, HoldSettings)
    add_color(parser)
    add_quiet(parser, "count of ignored keys")
    parser.add_argument(
        "--check",
        action="store_true",
        help="check that every conversation of the --conversations file, or every built-in "
        "conversation, fits training, rollouts and serving, and show the failures (default: show "
        "the first conversations)",
    )
    parser.add_argument(
        "--save",
        metavar="FILE",
        help="write the rendered conversations, with texts, ids and loss masks, to this file "
        "(default: show the conversations)",
    )
    parser.add_argument(
        "--expect",
        metavar="FILE",
        help="compare the rendered conversations with a file that --save wrote; exit with code 1 "
        "if a conversation differs (default: show the conversations)",
    )
    parser.add_argument(
        "--watch",
        action="store_true",
        help="render the conversations again whenever a file of the tokenizer is saved (default: "
        "render once)",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print the tokens of the conversations as JSON (default: print a drawing)",
    )


def run(options: argparse.Namespace) -> int:
    """Render in a worker, encode by the reference, and print; 3 if there is nothing to print."""
    from tokaudit.cli.options.settings import given, refuse_unused
    from tokaudit.foundation.errors import UsageError
    from tokaudit.foundation.settings.setting import values
    from tokaudit.products.chat.chatting import ChatSettings, HoldSettings

    shown = "--check" if options.check else "--json" if options.json else ""
    kinds = (shown, "--save" if options.save else "", "--expect" if options.expect else "")
    if sum(map(bool, kinds)) > 1:
        raise UsageError(f"{' and '.join(filter(None, kinds))}: give only one of these options")
    if options.watch and options.save:
        raise UsageError("--watch does not work with --save; leave one of the two options out")
    if options.check:
        from tokaudit.cli.chat_command.held_chats import check as once
    else:
        refuse_unused(options, HoldSettings, (ChatSettings,), "needs --check")
        once = partial(_show, asked=values(given(options, ChatSettings)))
    if options.watch:
        from tokaudit.cli.chat_command.author_loop import watch

        files = (options.subject, options.tokenizer, options.conversations, options.expect)
        watch([Path(file) for file in files if file], lambda: once(options))
    return once(options)


def _show(options: argparse.Namespace, asked: dict[str, Any]) -> int:
    """Save or compare the rendered conversations, or print them."""
    from tokaudit.cli.chat_command import author_loop, drawing
    from tokaudit.cli.terminal.streams import say
    from tokaudit.products.chat.chatting import chat

    if options.save:
        return author_loop.save(options, asked)
    if options.expect:
        return author_loop.compare(options, asked)
    found = chat(options.subject, **asked)
    if options.json:
        import json
        from dataclasses import asdict

        from tokaudit.report.visible import escaped_json

        say(escaped_json(json.dumps([asdict(one) for one in found], indent=2)) + "\n")
    else:
        drawing.draw(found, options.color)
    return 0 if any(one.tokens for one in found) else 3
