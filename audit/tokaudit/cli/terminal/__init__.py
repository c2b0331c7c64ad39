"""The output of a command, and where it goes: streams, colour, width, progress and files."""
