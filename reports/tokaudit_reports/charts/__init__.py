"""Figures as charts: which are drawn, and where their parts go."""
