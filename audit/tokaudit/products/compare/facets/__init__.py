"""Facets of two tokenizers: proved equal, shown to differ by a text, or searched in vain.

In the order of reading: one module for each family of facets (`vocabulary`, `model`, `splits`,
`stages`, `added`, `stated`), `blame` (which facet a text shows), and `compared`, which puts them
together and names the relation.  What is compared, and what runs texts on it, is in the room of the
sides.
"""
