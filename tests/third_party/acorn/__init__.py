"""A package of somebody else that plugs into tokaudit."""
