"""Changes values of text files in place, and leaves every other byte as it is."""
