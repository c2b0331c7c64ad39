"""Models each loader's reading of a folder: its class, its refusals, its values of keys.

A loader is a library with its version.  What is here is emulated, from records that were drawn from
the library itself; nothing of the subject is run.
"""
