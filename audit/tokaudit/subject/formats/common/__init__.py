"""Shared parts of formats: bounded readers, checked ids, and implied settings."""
