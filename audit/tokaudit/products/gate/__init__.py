"""The gate: what a configuration asks of subjects, and what of it holds."""
