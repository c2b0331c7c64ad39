"""The reports: one module per output format, found through the entry points `tokaudit.reports`."""
