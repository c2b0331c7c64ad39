"""`tokaudit fix`: carries out the repairs that findings state, in a copy, and audits it again."""
