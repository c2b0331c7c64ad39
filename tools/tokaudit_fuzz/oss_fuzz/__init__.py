"""Fuzz targets in the form of OSS-Fuzz: a script with `TestOneInput` each, and its kept corpus."""
