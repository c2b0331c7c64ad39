"""Trainers: from counted words to a vocabulary, one algorithm for each file."""
