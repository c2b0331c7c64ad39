"""Holds what each loader makes of a folder: its class, what it refuses, what a key becomes.

A loader is a library with its version.  What is here is emulated, from records that were drawn from
the library itself; nothing of the subject is run.
"""
