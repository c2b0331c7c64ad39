"""Names of subjects: resolving them to paths, and hints for unknown ones."""
