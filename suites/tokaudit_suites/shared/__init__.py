"""What several suites share: how findings are worded, what files state, what a vocabulary shows."""
