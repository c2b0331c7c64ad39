"""Recipes by what they damage; importing this package registers all of them."""

from tokaudit_defects.recipes import (  # noqa: F401  imported for what they register
    added,
    engines,
    lengths,
    pipelines,
    roles,
    rows,
    templates,
    vocabularies,
)
