"""Proofs that two tokenizers behave the same, one folder for each kind.

Each folder holds the argument (its `__init__`), what finds a proof (`prove`) and what checks one
again (`check`).  What is stored is a `Certificate` (`report/comparison.py`).  A checker imports
nothing that any prover imports, but for the spec, the certificate and the engine that runs, so
that a fault of a prover cannot certify itself; a test walks the imports.
"""
