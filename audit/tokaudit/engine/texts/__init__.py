"""Texts of a comparison: their sources, their order, and shrinking."""
