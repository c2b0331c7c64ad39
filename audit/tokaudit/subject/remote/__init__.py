"""Subjects on a server: listed there, and read by ranges, only on request.

`server` is what a place can do; `hub`, `web` and `buckets` are the three kinds, over `http`, which
asks one question, and `fsspec_files`.  `opening` makes files of a subject of what they list.
"""
