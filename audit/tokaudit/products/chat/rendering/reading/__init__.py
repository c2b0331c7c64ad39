"""Analyses of a template's syntax tree, without running it."""
