"""The reports: one module for each output format, each with a `WRITER`."""
