"""The documents of a user, encoded by both sides: lines of text or JSON, and rows of Parquet."""
