# labels: slow
"""tests/paths in the guest: each kind of source, each kind of destination, each method by name."""

import guest

if __name__ == "__main__":
    guest.suites("methods_test")
