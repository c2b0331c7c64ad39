"""Judges a pair: who would break, which engines take it for a purpose, and what to do about it."""
