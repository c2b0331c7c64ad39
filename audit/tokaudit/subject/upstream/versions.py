"""Versions that the records cover; those of transformers in the order of their pairs."""

from __future__ import annotations

FOUR, FIVE = "4.57.6", "5.24.0"
PEFT, SENTENCE_TRANSFORMERS = "0.17.1", "5.7.0"  # which read settings files of their own
PEFT_RUN = "0.21.2"  # the version that changed settings of adapters were loaded by
FOUR_SHORT, FIVE_SHORT = (full.rpartition(".")[0] for full in (FOUR, FIVE))
VERSIONS = (f"transformers {FOUR}", f"transformers {FIVE}")
BOTH = f"transformers {FOUR} and {FIVE}"  # as sentences name them together
ABSENT = "absent"  # the version does not have the class or the model type
NO_ARGUMENT = "-"  # the version has the class, and the class has no such argument
