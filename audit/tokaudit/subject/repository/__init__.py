"""Tokenizers of a repository, and the files that belong to each."""
