"""Published chat templates by Jinja and by engines that are not Jinja, as one table."""
