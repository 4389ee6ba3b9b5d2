"""Specs in which one construct is blown up as far as the form allows, and a measurement of what they cost.

`python -m tests.analysis.blown NAME ..` validates specs by name (all without names) and plays a few decisions of each,
every one in a process of its own, and prints what came of it, the seconds of the processor and the memory.  A spec is
built by a rule for one more line or part, which is repeated until the file is full.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grammar.codes.sample import complete
from grammar.diagnostics import SpecError
from grammar.parser import MAX_BYTES, MAX_WORDS, words_of
from interpreter.engine.faults import RuleError
from interpreter.loader import load
from interpreter.validate import validate

SECONDS = 60
"""What a process gets at most before it is ended."""

DECISIONS = 20
"""Decisions that are played of a sound spec."""


Build = Callable[[int], str]


def lines(head: str, line: Callable[[int], str], tail: str = "", *, first: int = 0) -> Build:
    """Return a builder of a head, numbered lines and a tail."""
    return lambda n: head + "".join(line(i) for i in range(first, first + n)) + tail


def joined(head: str, part: Callable[[int], str], by: str, tail: str) -> Build:
    """Return a builder of a head, numbered parts with something between them and a tail."""
    return lambda n: head + by.join(part(i) for i in range(n)) + tail


TURN = "phase take_turn(p: player)\n    p chooses\n        pass\n"
STATE = "state\n    trump: Suit or none = none\n    points[player]: 0..100 = 0\n    n: 0..1000 = 0\n"
ZONES = "zones\n    stock: pile, seen by nobody\n    hand[player]: cards, seen by owner\n    table: row, seen by all\n"
PLAY = (
    "play\n    shuffle stock\n    for p in players: deal 3 from stock to hand[p]\n    for p in players: take_turn(p)\n"
)


def _whenevers(some: int) -> Build:
    """Return a builder of `whenever` rules and many changes that set them going."""
    rules = "".join(f"whenever n == {i + 3}\n    n = {i + 2}\n" for i in range(some))
    return lines(STATE + rules + "phase change(p: player)\n", lambda _: "    n += 1\n", PLAY + "    change(player 1)\n")


def _nested_loops(n: int) -> str:
    deep = min(40, n)
    text = "".join("    " * (i + 1) + f"for x{i} in 1..9\n" for i in range(deep))
    return STATE + PLAY + text + "    " * (deep + 1) + "n = 1\n"


SPECS: dict[str, Build] = {
    "zones": lines(ZONES, lambda i: f"    z{i}: row, seen by all\n"),
    "zones of each player": lines(ZONES, lambda i: f"    z{i}[player]: cards, seen by owner\n"),
    "variables": lines(STATE, lambda i: f"    v{i}: 0..9 = 0\n"),
    "variables that are set": lambda n: (
        lines(STATE, lambda i: f"    v{i}: 0..9 = 0\n")(n) + PLAY + "".join(f"    v{i} = 1\n" for i in range(n))
    ),
    "options": lines("", lambda i: f"option o{i}: 0..9 = 1\n"),
    "options that are asked": lambda n: (
        lines("", lambda i: f"option o{i}: 0..9 = 1\n")(n)
        + STATE
        + PLAY
        + "".join(f"    if o{i} == 1: n = 1\n" for i in range(n))
    ),
    "options of many values": lines(
        "", lambda i: f"option o{i}: " + " | ".join(f"a{i}_{k}" for k in range(40)) + f" = a{i}_0\n"
    ),
    "options that hang on one another": lines(
        "option o0: 0..9 = 1\n", lambda i: f"option o{i}: 0..o{i - 1} = 0\n", first=1
    ),
    "enumerations": lines("", lambda i: f"enum E{i}: x{i}, y{i}\n"),
    "enumerations of a thousand values": lines(
        "", lambda i: f"enum E{i}: " + ", ".join(f"v{i}_{k}" for k in range(1000)) + "\n"
    ),
    "kinds of cards": lambda n: (
        lines("", lambda i: f'card K{i}(a: 1..9) written "K{i}{{a}}"\n')(n)
        + "deck in stock\n    1 of each Number\n    2 of Jester\n    1 of each K0\n"
    ),
    "lines of the deck": lines("deck in stock\n", lambda _: "    1 of Jester\n"),
    "lines of the deck over many cards": lines(
        'card Beast(a: 1..40) written "{a}"\ndeck in stock\n    2 of Jester\n',
        lambda _: "    1 of each Beast where each.a == 3\n",
    ),
    "definitions": lines("", lambda i: f"define d{i}(k: integer) = k + {i}\n"),
    "definitions that call one another": lines(
        "define d0(k: integer) = k + 1\n",
        lambda i: f"define d{i}(k: integer) = " + (f"d{i - 1}(k) + d{i - 1}(k)\n" if i % 90 else "k\n"),
        first=1,
    ),
    "definitions and a mistake of form": lines("define x = ) 3\n", lambda i: f"define d{i}(k: integer) = k + {i}\n"),
    "definitions and a mistake of form at the end": lines(
        "", lambda i: f"define d{i}(k: integer) = k + {i}\n", "play\n    if (\n"
    ),
    "mistakes of form": lines("", lambda i: f"define d{i} = ) + {i}\n"),
    "mistakes of names": lines("", lambda i: f"define d{i} = trumpf{i}\n"),
    "definitions with many names": lines(
        STATE + "define d(k: integer) =\n",
        lambda i: f"    let x{i} = k + {i}\n",
        "    x0\nresult\n    score p = d(n)\n",
    ),
    "names that double": lines(
        STATE + PLAY + "    let x0 = n\n", lambda i: f"    let x{i} = x{i - 1} + x{i - 1} mod 9\n", first=1
    ),
    "phases": lines(TURN, lambda i: f"phase f{i}(p: player)\n    take_turn(p)\n"),
    "phases that decide": lines(
        'game "Example"\n    players 2..12\n',
        lambda i: f"phase f{i}(p: player)\n    p chooses\n        a{i}\n        b{i}\n",
    ),
    "phases that are called": lambda n: (
        "".join(f"phase f{i}(p: player)\n    p chooses\n        a{i}\n        b{i}\n" for i in range(n))
        + PLAY
        + "".join(f"    f{i}(player 1)\n" for i in range(n))
    ),
    "statements": lines(STATE + PLAY, lambda _: "    n = 1\n"),
    "additions": lines(STATE + PLAY, lambda _: "    n += 1\n"),
    "moves": lines(PLAY, lambda _: "    deal 1 from stock to table\n"),
    "moves and choices": lines(PLAY, lambda _: "    deal 1 from stock to table\n    take_turn(player 1)\n"),
    "shuffles": lines(PLAY, lambda _: "    shuffle stock\n"),
    "conditions": lines(STATE + PLAY, lambda i: f"    if n == {i % 1000}: n = 1\n"),
    "conditions on cards": lines(STATE + PLAY, lambda _: "    if some c in table where c is Number: n = 1\n"),
    "chains of conditions": lines(
        STATE + PLAY + "    if n == 1: n = 2\n", lambda i: f"    else if n == {i % 1000}: n = 1\n"
    ),
    "loops": lines(STATE + PLAY, lambda _: "    for i in 1..9: n = i\n"),
    "loops over cards": lines(STATE + PLAY, lambda _: "    for c in table where c is Jester: n = 1\n"),
    "loops without bounds": lines(STATE + PLAY, lambda _: "    while n > 3: n -= 1\n"),
    "repeats": lines(STATE + PLAY, lambda _: "    repeat\n        n -= 1\n    until n < 3\n"),
    "loops in loops": _nested_loops,
    "loops with choices": lines(STATE + PLAY, lambda _: "    for p in players: take_turn(p)\n"),
    "loops with choices while": lines(STATE + PLAY, lambda _: "    while n > 3: take_turn(player 1)\n"),
    "choices": lines(STATE + PLAY, lambda i: f"    player 1 chooses\n        a{i}\n            n = 1\n        b{i}\n"),
    "actions": lines("phase take_turn(p: player)\n    p chooses\n", lambda i: f"        a{i}\n"),
    "actions with cards": lines(
        "phase take_turn(p: player)\n    p chooses\n",
        lambda i: f"        a{i} card c from hand[p] where c is Number\n            move c to table\n",
    ),
    "actions with sets": lines(
        "phase take_turn(p: player)\n    p chooses\n",
        lambda i: (
            f"        a{i} 2 cards s from hand[p] such that count(c in s where c is Jester) == 1\n"
            "            move s to table\n"
        ),
    ),
    "actions with any sets": lines(
        "phase take_turn(p: player)\n    p chooses\n",
        lambda i: (
            f"        a{i} any cards s from hand[p] such that count(c in s where c is Jester) == 1\n"
            "            move s to table\n"
        ),
        "        otherwise wait\n",
    ),
    "choices at once": lines(
        STATE + PLAY, lambda i: f"    at once p in players\n        p chooses\n            a{i}\n            b{i}\n"
    ),
    "turns in turn": lines(STATE + PLAY, lambda _: "    in turn p in players from player 1\n        take_turn(p)\n"),
    "whenevers": lines(STATE, lambda i: f"whenever n == {i + 1}\n    n = {i}\n"),
    "changes with 20 whenevers": _whenevers(20),
    "changes with 80 whenevers": _whenevers(80),
    "changes with 300 whenevers": _whenevers(300),
    "whenevers on cards": lines("", lambda _: "whenever some c in table where c is Jester\n    move c to stock\n"),
    "texts": lines(PLAY, lambda _: '    say "so it goes"\n'),
    "texts with values": lines(STATE + PLAY, lambda _: '    say "so it goes {n + 1}"\n'),
    "a long text": joined(STATE + PLAY + '    say "', lambda _: "wwww", " ", '"\n'),
    "a long name": lambda n: f"define d{'d' * n} = 3\n",
    "a sum": joined(STATE + "result\n    score p = ", lambda _: "n", " + ", "\n"),
    "a sum on lines": joined(STATE + "result\n    score p = n\n        + ", lambda _: "n", "\n        + ", "\n"),
    "an and": joined(STATE + PLAY + "    if ", lambda i: f"n == {i}", " and ", ": n = 1\n"),
    "a list": joined(STATE + PLAY + "    if n in (", lambda i: f"{i}", ", ", "): n = 1\n"),
    "sums of lists": lines(STATE + PLAY, lambda _: "    n = " + " + ".join(["n"] * 60) + "\n"),
    "sums of folds": lines(
        STATE + PLAY, lambda _: "    n = sum(c.rank for c in table where c is Number) + count(table) - max(1, n)\n"
    ),
    "folds in folds": lines(
        STATE + PLAY, lambda _: "    n = count(c in table where some d in table where d is Jester) mod 2\n"
    ),
    "alternatives": lambda n: (
        STATE
        + PLAY
        + "    n = "
        + "".join(f"if n == {i} then {i % 9} else\n        " for i in range(min(n, 90)))
        + "3\n"
    ),
    "values of a match": lines(
        STATE + "define d(k: integer) =\n    match k\n", lambda i: f"        {i}: {i % 7}\n", "        else 3\n"
    ),
    "statements of a match": lines(
        STATE + PLAY + "    match n\n", lambda i: f"        {i}: n = {i % 7}\n", "        else n = 3\n"
    ),
    "results": lines("result\n", lambda _: "    score p = 1\n"),
    "invariants": lines(STATE, lambda i: f"invariant: n != {i + 2}\n"),
    "tags": lines(STATE + PLAY, lambda i: f"    n = 1  [R{i}.{i}]\n"),
    "long plays": lines('game "Example"\n    players 2\n    at most 1000000 decisions\n', lambda _: ""),
    "many players": lines(
        'game "Example"\n    players 2..12\n',
        lambda i: f"phase f{i}(p: player)\n    for q in players: take_turn(q)\n",
        TURN,
    ),
    "comments": lines("", lambda _: "# nothing\n"),
    "empty lines": lines("", lambda _: "\n"),
    "together": lines(STATE + PLAY + "    together\n", lambda _: "        n = 1\n"),
    "random": lines(STATE + PLAY, lambda _: "    random k from 1..6\n    n = k\n"),
    "turns": lines(PLAY, lambda _: "    show table to player 1\n"),
}


def largest(build: Build, share: float = 1.0) -> str:
    """Return the longest spec of a builder that the form allows, or a share of it."""

    def fits(n: int) -> bool:
        text = complete(build(n))
        return len(text) <= MAX_BYTES and words_of(text) <= MAX_WORDS

    low, high = 1, 2
    while high < 1 << 18 and fits(high):
        low, high = high, high * 2
    while high - low > max(1, low // 200):
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return complete(build(max(1, int(low * share))))


def measured(text: str, folder: Path) -> dict[str, Any]:
    """Validate a spec and play some of it in a process of its own; return what it says of itself."""
    path = folder / "blown.cardgame"
    path.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "tests.analysis.blown", "--file", str(path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS * 3, check=False)
    except subprocess.TimeoutExpired:
        return {"error": "no end"}
    if done.returncode:
        return {"error": done.stderr[-600:] or f"ended by signal {-done.returncode}"}
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def _inside(path: Path) -> dict[str, Any]:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    before = _seconds()
    found = validate(path)
    validated = _seconds() - before
    memory = _memory()
    longest, ending = 0.0, ""
    before = _seconds()
    if found.sound:
        try:
            state = load(path).new_initial_state()
            rng = random.Random(1)
            for _ in range(DECISIONS):
                if state.is_terminal():
                    break
                start = _seconds()
                if state.is_chance_node():
                    state.resolve_chance(rng)
                else:
                    state.apply_action(rng.choice(state.legal_actions()))
                longest = max(longest, _seconds() - start)
        except (SpecError, RuleError) as error:
            ending = str(error)[:200]
    return {
        "codes": sorted({d.code for d in found.diagnostics if d.is_error}),
        "sound": found.sound,
        "settings": found.settings,
        "validated": round(validated, 2),
        "memory": memory // 1_000_000,
        "played": round(_seconds() - before, 2),
        "longest": round(longest, 2),
        "ending": ending,
    }


def _memory() -> int:
    """Return the most memory in bytes that this process has had; `getrusage` counts what its parent had, too."""
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def main(arguments: list[str]) -> None:
    """Measure the specs that are named, or the one in a file."""
    if arguments[:1] == ["--file"]:
        print(json.dumps(_inside(Path(arguments[1]))))
        return
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments or SPECS:
            text = largest(SPECS[name])
            print(f"{name:45} {len(text):7}", measured(text, Path(folder)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
