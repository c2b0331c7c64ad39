"""One audit, the audits of a repository, and several reports as one."""
