"""Stability: the library gives the same for the same, however and whenever it is asked."""
