"""Tries whether one fault makes one card, with the fault first, and two faults make two."""
