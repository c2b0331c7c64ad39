"""Difference between two reports: new, worse and gone findings."""
