"""The Jinja environment of transformers for chat templates, with our own limits.

`Dialect` names the two that differ: 5.x restricts `dict` and `namespace`, 4.57 does not.
Everything that a template may reach is here; `tests/audit/runtimes/chat` compares the text that
comes out with transformers itself, both versions.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from jinja2 import TemplateError
from jinja2.exceptions import SecurityError
from jinja2.ext import loopcontrols
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.utils import Namespace

from tokaudit.products.chat.rendering.bounds import refuse_large
from tokaudit.products.chat.rendering.reading.generation_tag import AssistantSpans
from tokaudit.products.chat.rendering.terms import Dialect

PINNED = datetime(2025, 1, 2, 3, 4, 5)  # without a zone, like the clock of transformers


class RaisedByTemplate(TemplateError):
    """Raised if the template calls `raise_exception`, with its message."""


class BoundedSandbox(ImmutableSandboxedEnvironment):
    """A sandbox with limits on operators that can allocate gigabytes in one step.

    An operator that is intercepted is also not folded while the template compiles, where no
    bound of ours could act.
    """

    intercepted_binops = frozenset({"*", "**"})
    now = PINNED  # what the clock of the next rendering says

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Refuse a product or power that is too large; else compute it."""
        refuse_large(operator, left, right)
        return super().call_binop(context, operator, left, right)


def environment(dialect: Dialect, *, trim: bool = True) -> BoundedSandbox:
    """Build the environment of a dialect, optionally without trimming white space.

    >>> environment(Dialect.TRANSFORMERS_5).from_string("{{ {'a': '<é>'}|tojson }}").render()
    '{"a": "<é>"}'
    """
    found = BoundedSandbox(
        trim_blocks=trim, lstrip_blocks=trim, extensions=[AssistantSpans, loopcontrols]
    )
    found.filters["tojson"] = tojson
    found.globals["raise_exception"] = raise_exception
    found.globals["strftime_now"] = lambda format: found.now.strftime(format)
    if dialect is Dialect.TRANSFORMERS_5:
        found.globals["dict"] = RestrictedDict()
        found.globals["namespace"] = RestrictedNamespace
    return found


def tojson(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    """Encode as JSON without the HTML escapes of Jinja's own filter."""
    return json.dumps(
        value,
        ensure_ascii=ensure_ascii,
        indent=indent,
        separators=separators,
        sort_keys=sort_keys,
    )


def raise_exception(message: Any) -> None:
    """Refuse a conversation, as templates do."""
    raise RaisedByTemplate(message)


class RestrictedDict:
    """`dict` as in 5.x: callable, with `fromkeys`, but not the type."""

    def __call__(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        return dict(*args, **kwargs)

    def fromkeys(self, *args: Any, **kwargs: Any) -> dict[Any, Any]:
        """Call `dict.fromkeys`."""
        return dict.fromkeys(*args, **kwargs)


class RestrictedNamespace(Namespace):
    """`namespace` as in 5.x: names that begin with an underscore are refused."""

    def __init__(*args: Any, **kwargs: Any) -> None:
        # `self` is taken from `args`, so that a template may set an attribute of that name.
        self, *rest = args
        attributes = dict(*rest, **kwargs)
        for name in attributes:
            _refuse_underscore(name)
        Namespace.__init__(self, attributes)

    def __setitem__(self, name: str, value: Any) -> None:
        _refuse_underscore(name)
        super().__setitem__(name, value)


def _refuse_underscore(name: Any) -> None:
    if isinstance(name, str) and name.startswith("_"):
        raise SecurityError(f"a namespace cannot have an attribute with an underscore: {name!r}")
