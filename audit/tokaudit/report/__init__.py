"""Results of an audit as plain data: findings and measurements, and reading them back."""
