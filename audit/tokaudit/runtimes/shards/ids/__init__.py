"""Ids on disk: every piece is counted, and drawn documents are decoded and encoded again."""
