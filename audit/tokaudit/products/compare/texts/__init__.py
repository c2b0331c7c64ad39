"""Texts that show where cuts and normalizers differ."""
