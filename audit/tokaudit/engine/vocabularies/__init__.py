"""Entries of two vocabularies: relation, shared entries, and spelling in files."""
