"""Documented defects of chat templates, put into published ones, and which of them are named."""
