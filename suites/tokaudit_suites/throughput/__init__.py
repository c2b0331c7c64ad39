"""Throughput: how fast the vendor encodes, against a yardstick measured in the same run."""
