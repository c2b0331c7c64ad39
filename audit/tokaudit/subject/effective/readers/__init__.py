"""The readers other than transformers, and the values that they take of a folder, a module each."""
