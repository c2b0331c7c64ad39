"""Recipes by what they damage; importing this package registers all of them."""

from tokaudit_defects.recipes import (  # noqa: F401  imported for what they register
    added,
    copies,
    engines,
    lengths,
    names,
    pipelines,
    roles,
    rows,
    saved_rows,
    templates,
    vocabularies,
)
