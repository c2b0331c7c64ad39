"""Finds the step for a stage's options among the modules of a package; none is listed anywhere.

A module of `normalizers/`, `pre_tokenizers/`, `decoders/` or `post_processors/` names its steps in
a table `BUILDERS`, by the type that `tokenizer.json` gives them.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

from tokaudit_reference.spec import Unsupported


@cache
def builders(package: str) -> dict[str, Any]:
    """Type -> builder, of every module of a package.

    >>> sorted(builders("tokaudit_reference.steps.post_processors"))
    ['BertProcessing', 'ByteLevel', 'RobertaProcessing', 'TemplateProcessing']
    """
    found: dict[str, Any] = {}
    for module in pkgutil.iter_modules(import_module(package).__path__, f"{package}."):
        found |= getattr(import_module(module.name), "BUILDERS", {})
    return found


def builder(package: str, options: Mapping[str, Any], stage: str) -> Any:
    """The builder for the options of one step; raises `Unsupported` for a type that no module has.

    `stage` is the name that `tokenizer.json` has for it.
    """
    kind, known = options.get("type", ""), builders(package)
    if not isinstance(kind, str) or kind not in known:
        name = stage.replace("_", "-")
        raise Unsupported(f"the {name} {str(kind)[:40]!r} is not covered", pointer=f"/{stage}")
    return known[kind]
