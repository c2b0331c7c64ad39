"""What the functions may be asked, and the names that they refuse."""
