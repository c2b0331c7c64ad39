"""Loaders: the named versions of what must load the folder do so, and to the same ids."""
