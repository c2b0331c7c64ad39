"""What is new, worse or gone between two reports."""
