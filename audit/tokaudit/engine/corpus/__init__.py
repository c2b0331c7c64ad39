"""User documents encoded by both sides: lines of text or JSON, and rows of Parquet."""
