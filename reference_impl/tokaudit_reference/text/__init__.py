"""The characters as tokenizers see them: patterns, alphabets, Unicode tables and white space."""
