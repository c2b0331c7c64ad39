"""The first line of a report: what was found, and what to do."""
