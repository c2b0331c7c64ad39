"""Where the files of a subject state something: the file, a pointer into it, and its line."""
