"""Throughput: how fast the library encodes, against a yardstick measured in the same run."""
