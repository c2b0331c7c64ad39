"""Runtimes: the engines that the user named give what the file says."""
