"""What several formats share: bounded readers, checked ids, and what a file leaves to its name."""
