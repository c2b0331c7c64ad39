"""The suites: one folder each, one file per check, and `shared` for all. Suites only judge."""
