"""What a command prints, and where: streams, colour, width, progress and files."""
