"""The parts that several formats share: bounded readers, checked ids, and implied settings."""
