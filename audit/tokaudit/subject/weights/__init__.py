"""Weights of a subject: their headers, and a bounded number of their rows."""

from tokaudit.subject.weights.headers import (
    NO_WEIGHTS,
    ONLY_POINTERS,
    Absent,
    Refused,
    WeightHeaders,
    embedding_tensors,
    ends_with,
    not_fetched,
    output_biases,
    output_tensors,
    read_headers,
    weight_files,
    without_rows,
)
from tokaudit.subject.weights.safetensors import header

__all__ = [
    "NO_WEIGHTS",
    "ONLY_POINTERS",
    "Absent",
    "Refused",
    "WeightHeaders",
    "embedding_tensors",
    "ends_with",
    "header",
    "not_fetched",
    "output_biases",
    "output_tensors",
    "read_headers",
    "weight_files",
    "without_rows",
]
