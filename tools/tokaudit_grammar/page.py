"""The page `docs/conversations.md`: what the grammar has, and which conversations pair it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tokaudit.products.chat.rendering.grammar.building import built
from tokaudit.products.chat.rendering.grammar.covering import choices
from tokaudit.products.chat.rendering.grammar.features import FEATURES, NONE, PLAIN, is_plain
from tokaudit_grammar.pairs import met
from tokaudit_tools.tables import table

HEAD = """# Conversations that templates are tried on

Every chat template is rendered over {rows} conversations of a grammar of what clients send. Any
two of its values meet in one of them, if one conversation can have both: {pairs:,} pairs. {plain}
of them are *plain*: texts, described tools and mappings, as transformers sends them. Every pair
of values of plain conversations occurs in a plain one; each of the other conversations is needed
for a pair. A template that fails on a plain conversation is in error. Each part of a message has
words that nothing else has, so that a part that is lost, written twice or changed is named by its
role and its value. A great amount of one thing is in one conversation, whose other values are the
plainest.

`make grammar` writes the table and this page.

"""
SPEAKERS = """
Speakers: q asks, a answers (a+ is to be continued), c calls a tool (cc calls two in one message), r
is a result (rr- are two in the other order), s instructs alone.

## Examples

"""
SHOWN = (
    {"calls": "c r", "ending": "q", "tools": "without description", "result name": "absent"},
    {"calls": "c", "tools": "described", "call content": "null", "arguments": "literals"},
    {"ending": "a", "question": "two parts", "reasoning": "reasoning"},
)


def page() -> str:
    """Markdown: the features, and some conversations."""
    rows = choices()
    found = {pair for row in rows for pair in met(row)}
    plain = sum(map(is_plain, rows))
    head = HEAD.format(rows=len(rows), pairs=len(found), plain=plain)
    columns = ("feature", "values (in bold those of plain conversations)")
    return "".join([head, table(columns, _features()), SPEAKERS, *_examples()]).rstrip() + "\n"


def _features() -> Iterator[tuple[str, str]]:
    for feature, values in FEATURES.items():
        shown = [f"**{each}**" if each in PLAIN[feature] else each for each in values]
        yield feature, ", ".join(shown)


def _examples() -> Iterator[str]:
    for chosen in SHOWN:
        given = built({name: value for name, value in chosen.items() if value != NONE}).given
        messages = "\n".join(json.dumps(each, ensure_ascii=False) for each in given.messages)
        yield f"`{given.id}`\n\n```json\n{messages}\n```\n\n"
