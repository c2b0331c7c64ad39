"""Output of a command: streams, colour, width, progress and files."""
