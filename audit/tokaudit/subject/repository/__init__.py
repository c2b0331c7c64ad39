"""The tokenizers of a repository: which there are, and which files belong to each."""
