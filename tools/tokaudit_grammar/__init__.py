"""The table of the grammar of conversations: the fewest rows in which every two values meet."""
