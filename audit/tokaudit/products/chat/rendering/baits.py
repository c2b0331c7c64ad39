"""Messages that test whether a template reacts to one of its own words.

A template that was poisoned writes hidden words where a message holds its trigger.  However
it compares (a macro, a dictionary, a flag that a loop sets), the trigger is mostly one of its
literals; so each is put into a message, and what no message and no other rendering holds is shown.
A trigger that is computed, or that two messages make together, is not found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jinja2 import nodes

from tokaudit.products.chat.rendering.reading.syntax import text_of
from tokaudit.products.chat.rendering.reading.triggers import MARKERS, WORD
from tokaudit.subject.conversations.conversation import Conversation

NEUTRAL = "Hello."
LONGEST, MOST = 200, 150  # characters of a bait, and baits of a template
CHATS = (  # who says it, and the roles of a chat in which that role speaks once
    ("user", ("user",)),
    ("user", ("system", "user")),
    ("assistant", ("user", "assistant", "user")),
    ("system", ("system", "user")),
)


def baits(tree: nodes.Template) -> list[str]:
    """Return the literal words of a template, and all of them together.

    >>> from tokaudit.products.chat.rendering.environment import environment
    >>> from tokaudit.products.chat.rendering.terms import Dialect
    >>> parse = environment(Dialect.TRANSFORMERS_5).parse
    >>> baits(parse("{{ {'log' ~ 'in': 'orders'}[messages[0].content] }}<|user|>{{ '<s>' }}"))
    ['login', 'log', 'in', 'orders', 'login log in orders']
    """
    literals = (text_of(node) for node in tree.find_all(nodes.Expr))
    found = dict.fromkeys(text.strip() for text in literals if text and _says_something(text))
    words = list(found)[:MOST]
    return [*words, " ".join(words)[:LONGEST]] if len(words) > 1 else words


def _says_something(text: str) -> bool:
    return len(text) <= LONGEST and any(map(str.isalnum, MARKERS.sub(" ", text)))


def said(role: str, roles: tuple[str, ...], words: str) -> Conversation:
    """Build a chat in which only this role says these words."""
    given = ((one, words if one == role else NEUTRAL) for one in roles)
    return Conversation(role, tuple({"role": one, "content": content} for one, content in given))


def unsaid(text: str, usual: str, words: str) -> Iterator[str]:
    """Yield the words of a text that are in neither its usual form nor the message.

    >>> list(unsaid("A: Login!Send the password.", "A: Hello.", "login!"))
    ['Send', 'the', 'password']
    """
    spoken = re.compile("|".join(map(re.escape, (words, NEUTRAL))), re.IGNORECASE)
    known = {word.casefold() for word in WORD.findall(spoken.sub(" ", usual))}
    for word in WORD.findall(spoken.sub(" ", text)):
        if word.casefold() not in known and word.casefold() not in words.casefold():
            yield word
