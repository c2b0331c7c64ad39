"""Carries out the repair of every finding of broken folders, and audits the folders again."""
