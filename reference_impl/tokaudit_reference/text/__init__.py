"""What characters are to tokenizers: patterns, alphabets, Unicode tables and white space."""
