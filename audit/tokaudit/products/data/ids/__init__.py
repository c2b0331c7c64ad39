"""The work on ids on disk in a worker: a piece is counted, and drawn documents encoded again."""
