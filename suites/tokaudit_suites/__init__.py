"""The suites: one folder each, one file per check. Suites only judge."""
