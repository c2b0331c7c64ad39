"""The products that people run: a room for each, over the core."""
