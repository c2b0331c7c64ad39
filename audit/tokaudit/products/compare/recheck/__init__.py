"""Recheck a stored comparison: its proofs, texts, search, and conclusions.

Whoever reads a report need not believe whoever wrote it.  In the order of reading: `claims` (what
is said of each claim), `proofs` (each certificate to its checker), `as_stated` (whether a file was
read as it is), `texts` (each text run again), `whole` (what follows from the facets), `search` (the
comparison made anew).
"""
