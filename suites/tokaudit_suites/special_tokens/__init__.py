"""Special and added tokens: one id each, the right roles, found whole in text."""
