"""Padding and truncation: the pad token, the side, and settings left on in the file."""
