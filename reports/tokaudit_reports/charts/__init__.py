"""Draws figures as charts: chooses them, and computes the places of their parts."""
