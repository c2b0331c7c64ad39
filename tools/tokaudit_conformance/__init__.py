"""Holds the reference to the upstream libraries on whole vocabularies, all of Unicode and fuzz.

`python -m tokaudit_conformance` prints the table: tokenizer, strings compared, mismatches.
"""
