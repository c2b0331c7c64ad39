"""Sampled documents, decoded and encoded again."""
