"""Places of statements in a subject's files: the file, a pointer, and its line."""
