"""The options of commands, made from settings."""
