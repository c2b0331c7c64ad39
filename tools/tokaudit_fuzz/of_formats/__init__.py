"""Small sound tokenizers: a file for each format, which nothing else lists."""
