"""The entries of two vocabularies: how they relate, which are shared, and as a file writes them."""
