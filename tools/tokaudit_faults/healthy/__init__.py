"""Healthy checkpoints that faults are put into: real small ones, or real ones cut short."""
