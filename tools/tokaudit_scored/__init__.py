"""Scores folders with one fault each, keeps the scores of long runs and writes tables of them."""
