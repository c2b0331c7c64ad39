"""Command options, derived from settings."""
