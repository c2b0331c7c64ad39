"""Edit values of text files in place, leaving every other byte unchanged."""
