"""Small members of families of tokenizers, each a real one cut to its first entries."""
