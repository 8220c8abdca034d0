# labels: slow
"""The unit tests of the choice and of the methods, and some of tests/denied, in the guest."""

import os
import sys

import guest

# What stops a process at a call (tests/support/at_call.hpp).
NO_SYSCALL_INFO = "user-mode-linux has no PTRACE_GET_SYSCALL_INFO"
# Left out there, by program, with the reason.
LEFT_OUT = {
    "method_mmap_read_tests": [
        ("Room.LeavesWhatSomebodyElse*:CutDestination.DuringARead*:CutDestination.CountsWhat*",
         NO_SYSCALL_INFO),
    ],
    "method_mmap_write_tests": [
        ("ShrinkingSource.DuringAWrite*:ShrinkingSource.ThatLetZerosOut*", NO_SYSCALL_INFO),
    ],
    "method_splice_pipe_tests": [
        ("*CountsWhatAFullDestination*", "6.1 splices past the limit of a full unix socket"),
        ("*BytesOfAFileInThePipe*", "6.1 splices past the limit of a full unix socket"),
        ("*SaysWhatPipe*", "root of the guest has CAP_SYS_RESOURCE: another errno"),
    ],
    "transfer_tests": [
        ("*Killed*", "takes long; no kernel's answer is in it"),
        ("*SeesARenameAsATouch", "before 6.13 a change within a tick leaves the times as they are"),
    ],
}
# Of tests/denied what the kernel itself answers. The errno of the others is made up by seccomp.
DENIED = "OpenFiles.SixteenAreEnough:OpenFiles.NoneLeftIsEnough:Poll.*:UnprivilegedUser.*"


def with_filter(program):
    name = os.path.basename(program)
    if name == "denied_tests":
        print(f"shortened: {name}: only {DENIED}")
        return f"{program}={DENIED}"
    for pattern, why in LEFT_OUT.get(name, []):
        print(f"not tried: {name} {pattern}: {why}")
    patterns = ":".join(pattern for pattern, _ in LEFT_OUT.get(name, []))
    return f"{program}=-{patterns}" if patterns else program


if __name__ == "__main__":
    wanted = [with_filter(program) for program in os.environ["VM_PROGRAMS"].split(":")]
    sys.stdout.flush()
    sys.exit(guest.inside("programs", *wanted).returncode)
