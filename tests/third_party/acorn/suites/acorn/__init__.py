"""What an acorn is."""
