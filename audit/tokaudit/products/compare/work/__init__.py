"""Compare subjects with all their encoders: two, all pairs, and side by side."""
