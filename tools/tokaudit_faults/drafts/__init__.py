"""Faults of drafts, by the component that they break."""
