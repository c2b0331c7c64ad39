"""Subjects on a server: listed there, and read by ranges, only where the user asked for that.

`server` is what a place can do, `hub`, `web` and `buckets` are the three kinds, `http` asks one
question of a server, `traffic` bounds all of them, and `opening` makes files of a subject of it.
"""
