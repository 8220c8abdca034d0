# labels: slow
"""tests/paths in the guest: the choice without and with wishes, lent files, peers that hesitate."""

import guest

if __name__ == "__main__":
    guest.suites("auto_test", "contracts_test", "offsets_test", "hesitant_test")
