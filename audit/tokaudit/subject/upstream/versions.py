"""The versions of transformers that the records speak of, in the order of their pairs."""

from __future__ import annotations

FOUR, FIVE = "4.57.6", "5.24.0"
VERSIONS = (f"transformers {FOUR}", f"transformers {FIVE}")
ABSENT = "absent"  # the version does not have the class or the model type
NO_ARGUMENT = "-"  # the version has the class, and the class has no such argument
