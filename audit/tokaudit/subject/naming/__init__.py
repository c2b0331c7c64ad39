"""The names of subjects: the path that a name stands for, and hints for one that has none."""
