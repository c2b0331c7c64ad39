"""Traces of texts to ids, stage by stage."""
