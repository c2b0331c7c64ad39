"""What a file of so many bytes costs the parent, whichever of its fields holds them."""
