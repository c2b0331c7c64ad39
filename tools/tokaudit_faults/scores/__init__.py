"""Scores of faults: whether the check that is named sees each, with tables and pages of that."""
