"""Commands whose system calls are made short or refused, by the preloaded library of tests/cases."""

import errno
import os

FAULT_SHIM = os.environ.get("FAULT_SHIM", "")

# What only means "not here": the next method goes on.
REFUSALS = [errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL, errno.EXDEV, errno.EPERM, errno.EACCES,
            errno.ENODATA, errno.ETXTBSY, errno.ENOTTY]
# What means "stop and tell".
FINAL = [errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.ENOMEM]


def environment(cap=None, call=None, error=None, after=0):
    """The environment under which no call moves more than `cap` bytes, or `call` fails with `error`
    once `after` of them moved bytes."""
    wanted = {"LD_PRELOAD": FAULT_SHIM, "FAULT_CAP": cap, "FAULT_CALL": call, "FAULT_ERRNO": error,
              "FAULT_AFTER": after if call else None}
    return os.environ | {name: str(value) for name, value in wanted.items() if value is not None}
