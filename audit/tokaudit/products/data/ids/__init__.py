"""What a worker makes of ids on disk: a piece is counted, and drawn documents are encoded again."""
