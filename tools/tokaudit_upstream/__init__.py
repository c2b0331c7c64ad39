"""Draws the records of upstream classes and model types anew from installed libraries.

`make upstream` asks two versions of transformers and rewrites what is drawn; what lies under
`by_hand` is kept.  A new version of the library is then a diff to be read.
"""
