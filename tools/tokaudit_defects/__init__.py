"""Scores the audit on a catalogue of documented defects, each built anew in a small folder."""
