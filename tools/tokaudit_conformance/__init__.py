"""Holds the reference to the upstream libraries on whole vocabularies, all of Unicode and fuzz.

The command conformance prints the table: tokenizer, strings compared, mismatches.
"""
