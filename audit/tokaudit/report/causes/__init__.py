"""Root causes of findings: faults, and their consequences."""
