"""First line of a report: the result, and what to do."""
