"""Traces of texts to their ids, stage by stage."""
