"""The machine, written for Cython: `interpreter.runtime.machine` with its fields laid out for C.

Its text is taken as it is, but for what is listed here.  What the list does not find there any more stops the build,
and a test.
"""

from __future__ import annotations

import inspect
import re

from interpreter.runtime import machine
from interpreter.runtime.machine import Machine

CHANCE_FUNCTIONS = ("answer_all", "below", "certain", "determine", "determine_all", "outcomes")
"""What the machine calls of `interpreter.runtime.chance`; it stands beside the machine here."""

_FIELDS = {
    "v": "list", "z": "list", "to_act": "long", "node": "long", "undetermined": "dict", "pools": "dict",
    "turned": "dict", "played_by": "dict", "hist": "list", "num_decisions": "long", "steps": "long", "too_long": "bint",
    "_legal": "list",
}  # fmt: skip
"""Types of C for the machine's fields; the others hold any object."""

_MACHINE = {
    "class Machine:": "cdef class Machine:",
    "from __future__ import annotations\n": "",
    "_new = object.__new__\n": "",
    "other = _new(self.__class__)": "cdef Machine other = self.__class__.__new__(self.__class__)",
    "in Machine.__slots__:": f"in {Machine.__slots__!r}:",
    "self.code.legal[self.node](self, self.v, self.z)": "legal_at(self.node, self, self.v, self.z)",
    "self.code.apply[self.node](self, self.v, self.z, ": "apply_at(self.node, self, self.v, self.z, ",
    "        run = self.code.run\n": "",
    "run[node](self, v, z)": "run_at(node, self, v, z)",
    "        v, z = self.v, self.z\n": "        cdef list v = self.v, z = self.z\n",
    "self.game.max_decisions": "max_decisions",
    "from interpreter.analysis.limits import STEP_LIMIT\n": "",
    "from interpreter.runtime import chance\n": "",
    "rng: chance.Rng": "rng",
    "chance.": "",
}
"""What the machine says in Python, and how that is said here."""

_INTERNAL = (
    "_run", "_carefully", "_saved", "_restore", "_stop", "_random_items", "_determined_all", "_answer", "_draw",
    "_go_on",
)  # fmt: skip
"""Methods that are called by the machine alone, `_run` aside: functions of C, which nobody can override."""


def machine_lines() -> list[str]:
    """Return the machine's text for Cython, which calls `run_at`, `legal_at` and `apply_at` for the rules."""
    text = inspect.getsource(machine)
    for name in _INTERNAL:
        head = re.search(rf"    def {name}\(.*\) -> .*:\n", text)
        assert head is not None, f"the machine no longer has {name}"
        taken = ", ".join(inspect.signature(getattr(Machine, name)).parameters)
        text = text.replace(head[0], f"    cdef object {name}_inside({taken}):\n")
        text = text.replace(f"self.{name}(", f"self.{name}_inside(")
    for said, here in _MACHINE.items():
        assert said in text, f"the machine no longer says: {said}"
        text = text.replace(said, here)
    text += "\n    def _run(self, node):\n        return self._run_inside(node)\n"
    fields = "".join(f"    cdef public {_FIELDS.get(name, 'object')} {name}\n" for name in Machine.__slots__)
    text, found = re.subn(r"    __slots__ = \(.*?\)  # fmt: skip\n", lambda _: fields, text, flags=re.DOTALL)
    assert found == 1, "the machine no longer lists its fields"
    return text.splitlines()
