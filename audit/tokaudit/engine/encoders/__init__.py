"""Texts that strain an encoder: long, lost, or fatal to its process."""
