"""The settings of the functions, and the names that they refuse."""
