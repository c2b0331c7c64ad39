"""Proves that two BPE models merge alike, or finds a text on which they do not.

In the order of reading: `candidates` (the merges of any format), `firing` (those that can fire),
`normal_form` (what their order decides), `precondition` and `spelling` (what the proof needs
besides), `compare` (the verdict), `witness` (the search for a text), `checker` (the proof again).
"""

from tokaudit.comparison.merges.checker import recheck
from tokaudit.comparison.merges.compare import compare_merges, compare_models
from tokaudit.comparison.merges.model import MergeModel, merge_model
from tokaudit.comparison.merges.normal_form import NormalForm
from tokaudit.comparison.merges.verdict import (
    Certificate,
    Differs,
    NotProved,
    Proved,
    Verdict,
    Witness,
)

__all__ = [
    "Certificate",
    "Differs",
    "MergeModel",
    "NormalForm",
    "NotProved",
    "Proved",
    "Verdict",
    "Witness",
    "compare_merges",
    "compare_models",
    "merge_model",
    "recheck",
]
