"""The gate: requirements of a configuration on subjects, and their results."""
