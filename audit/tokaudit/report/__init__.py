"""What an audit says: findings, measurements and results as plain data, and reading them back."""
