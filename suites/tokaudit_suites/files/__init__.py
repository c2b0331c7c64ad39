"""The files: each parses, is what its name promises, and needs no code to be read."""
