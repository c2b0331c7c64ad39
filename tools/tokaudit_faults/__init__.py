"""Faults of tokenizers, each by its name, the healthy folders that they are put into, and scores.

fault      one way to break something healthy, and what must be said of it
healthy/   small checkpoints, as drafts in memory, as folders and with published templates
drafts/    faults of drafts, by component: each is tried on every family that it fits
folders/   faults of one folder each; an `entry` is that of the catalogue of documented defects
templates  documented faults of chat templates, from their list
case       a fault in something healthy, and all of them by name
scores/    whether the check that is named for a fault sees it; tables and pages of that
"""
