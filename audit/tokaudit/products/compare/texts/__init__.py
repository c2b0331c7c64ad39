"""Texts that show differences of splits and normalizers."""
