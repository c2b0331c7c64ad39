"""The parts of a report as lines of a terminal."""
