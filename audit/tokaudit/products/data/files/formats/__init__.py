"""The formats of ids on disk, a module each."""
