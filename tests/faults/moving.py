"""Which calls move the bytes of a transfer, as strace sees them: what there is to make fail."""

import dataclasses
import os

import calls
import deny
import witness

CUT = 64 << 10  # so that there is a third call where a method would make one


@dataclasses.dataclass(frozen=True)
class Target:
    """One kind of call on one end of a transfer."""

    call: str
    on: str | None = None
    under: str | None = None

    def __str__(self):
        return self.call + (f" to a {self.on}" if self.on else " from the source")

    def denials(self, **answer):
        """The answer, and every other call of the kind cut short where that can be."""
        denials = [deny.Denial(self.call, on=self.on, under=self.under, **answer)]
        if self.call in deny.can_be_cut():
            denials.append(deny.Denial(self.call, on=self.on, under=self.under, most=CUT))
        return denials


def targets(run, source, destination, socket=False):
    """Of a witnessed run: each kind of call once for each end that it was made on."""
    found = {}
    for call in run.calls:
        if call.name not in calls.MOVERS + calls.CLONES or call.name == "ioctl":
            continue
        if call.source in witness.path(source):
            found[Target(call.name, under=source)] = None
        elif call.destination in destination:
            where = {"on": "socket"} if socket else {"on": "file", "under": destination_folder(call)}
            found[Target(call.name, **where)] = None
        elif call.name == "vmsplice":
            found[Target(call.name, on="pipe")] = None
    return list(found)


def destination_folder(call):
    return os.path.dirname(call.destination.name)
