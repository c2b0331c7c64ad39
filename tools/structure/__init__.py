"""How large and how tangled the project is, in figures that may only fall."""
