"""Arms the faults of a process that preloads them, and then is the command of tokaudit.

    python armed.py audit path/to/checkpoint

What the interpreter did to start is not counted: a fault there is no fault of ours.
"""

import ctypes
import os
import sys

if __name__ == "__main__":
    from tokaudit.__main__ import main

    os.environ.pop("LD_PRELOAD", None)  # for children
    sys.argv[0] = "tokaudit"
    ctypes.CDLL(None).fault_arm()
    sys.exit(main())
