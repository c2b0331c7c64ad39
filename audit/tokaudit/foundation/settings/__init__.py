"""Settings: each is one field of a class, from which every way to give it is made."""
