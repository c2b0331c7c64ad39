"""The formats in which ids lie on disk, a module each."""
