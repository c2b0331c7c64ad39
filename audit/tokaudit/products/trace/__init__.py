"""How a text becomes ids, stage by stage."""
