"""Policy files: a strategy for every player of one game, as JSON text.

A file names the spec and the setting it belongs to, and is refused for any other.  It is data: reading it runs nothing.
There are two kinds: a table, which `cardgame solve` writes and this module reads, and a network, which `cardgame train`
writes (`interpreter.training.network`).

Information sets of a table have names of 32 hexadecimal digits, each with one probability per legal small action.  A
name is a hash of the player, what the player has observed, and the small actions of the sentence that is begun: BLAKE2
over their text, or, where `names` is "hash", the hash of the game in C (`interpreter.native.regrets.NameReader`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import attrs
import msgspec

from grammar import files
from interpreter.agents.thinking import AgentError
from interpreter.engine.data import read_as, read_json
from interpreter.solve.solution import Cfr

if TYPE_CHECKING:
    from interpreter.engine.game import Game
    from interpreter.solve.tree import Key, Tree

_Part = TypeVar("_Part")

FORMAT = "cardgame.policy.1"
LARGEST = 400_000_000
"""Bytes of a file that is read."""
MOST = 1e300
"""The greatest number that a file may have."""

Number = Annotated[float, msgspec.Meta(ge=-MOST, le=MOST)]
_Numbers = tuple[Number, ...]
_Name = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{32}\Z")]
_Chance = Annotated[float, msgspec.Meta(ge=0, le=MOST)]


class _Table(msgspec.Struct):
    """The parts of a file that has a table, besides those of all policy files."""

    concept: str
    errors: _Numbers
    iterations: Annotated[int, msgspec.Meta(ge=0)]
    strategy: dict[_Name, Annotated[tuple[_Chance, ...], msgspec.Meta(min_length=1)]]
    names: Literal["text", "hash"] = "text"
    sums: dict[_Name, tuple[_Numbers, _Numbers]] = {}

    def __post_init__(self) -> None:
        if any(abs(sum(chances) - 1) > 1e-6 for chances in self.strategy.values()):
            raise ValueError("probabilities do not add up to 1")


class PolicyError(AgentError):
    """A file that is no policy, or the policy of another game."""


@attrs.frozen(eq=False)
class Policy:
    """A strategy by the names of information sets; `sums` are those of CFR, to go on with: regrets and weights.

    `is_hashed` is whether the names are those of the game in C.
    """

    game: Mapping[str, Any]
    concept: str
    errors: tuple[float, ...]
    strategy: Mapping[str, tuple[float, ...]]
    iterations: int = 0
    sums: Mapping[str, tuple[tuple[float, ...], tuple[float, ...]]] = attrs.field(factory=dict)
    is_hashed: bool = False

    def probabilities(self, name: str, legal: int) -> tuple[float, ...] | None:
        """Return the probabilities of the legal small actions in an information set; None where it has none."""
        found = self.strategy.get(name)
        return found if found is not None and len(found) == legal else None


def digest(key: Key) -> str:
    """Return the name of an information set in a policy file."""
    player, observed, begun = key
    return hashlib.blake2b(f"{player}\n{list(begun)}\n{observed}".encode(), digest_size=16).hexdigest()


def write_policy(policy: Policy, path: Path) -> None:
    """Write a strategy with its sums, whole or not at all.  Raises OSError."""
    data = {"concept": policy.concept, "errors": policy.errors, "iterations": policy.iterations}
    names = {"names": "hash"} if policy.is_hashed else {}
    sums = {"sums": policy.sums} if policy.sums else {}
    write_data(path, policy.game, {**data, **names, "strategy": policy.strategy, **sums})


def write_data(path: Path, game: Mapping[str, Any], data: Mapping[str, Any]) -> None:
    """Write the policy file of a game, as `describe` names it, whole or not at all.  Raises OSError."""
    files.write_text(path, json.dumps({"format": FORMAT, "game": game, **data}) + "\n")


def read_data(path: Path, game: Game) -> dict[str, Any]:
    """Return the data of a policy file.  Raises OSError, and PolicyError for no policy file or one of another game."""
    if path.stat().st_size > LARGEST:
        raise PolicyError(f"`{path}` has more than {LARGEST:,} bytes: it is no policy file")
    try:
        data = read_json(path.read_text(encoding="utf-8"))
    except ValueError:
        raise PolicyError(f"`{path}` is no policy file: it is not JSON text") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise PolicyError(f"`{path}` is no policy file: `cardgame solve` and `cardgame train` write them")
    expected, found = game.describe(), data.get("game")
    if found != expected:
        raise PolicyError(f"`{path}` is the policy of another game: {_difference(found, expected)}")
    return data


def is_network(data: Mapping[str, Any]) -> bool:
    """Say whether a policy file has a network instead of a table."""
    return "network" in data


def read_policy(path: Path, game: Game) -> Policy:
    """Return the table of a file.  Raises OSError, and PolicyError for a damaged file or one of another game."""
    return policy_of(read_data(path, game), path)


def policy_of(data: Mapping[str, Any], path: Path) -> Policy:
    """Return the table in the data of a file.  Raises PolicyError for what is damaged, and for a network."""
    if is_network(data):
        raise PolicyError(f"`{path}` has a network, not a table: `cardgame train` continues it")
    found = read_part(data, _Table, path)
    return Policy(
        data["game"], found.concept, found.errors, found.strategy, found.iterations, found.sums, found.names == "hash"
    )


def read_part(data: object, kind: type[_Part], path: Path) -> _Part:
    """Return a part of a file as a value of a class.  Raises PolicyError where it is something else."""
    try:
        return read_as(data, kind)
    except ValueError:
        raise damaged(path) from None


def resumed(policy: Policy, tree: Tree) -> Cfr:
    """Return CFR+ with the sums of a policy file.  Raises PolicyError where they do not fit the tree."""
    cfr = Cfr(tree)
    for info in tree.sets:
        regrets, weights = policy.sums.get(digest(info.key), ((), ()))
        if not len(regrets) == len(weights) == len(info.actions) or min((*regrets, *weights)) < 0:
            raise PolicyError("the file contains nothing to continue: solve without --resume")
        cfr.regrets[info.part], cfr.weights[info.part] = regrets, weights
    cfr.iterations = policy.iterations
    cfr.strategy = tree.normalized(cfr.regrets)
    return cfr


def _difference(found: object, expected: Mapping[str, Any]) -> str:
    if not isinstance(found, dict):
        return "it names none"
    for name, words in (("title", "the title"), ("players", "the number of players"), ("options", "the options"),
                        ("spec", "the text of the spec")):  # fmt: skip
        if found.get(name) != expected[name]:
            if name == "options" and isinstance(found.get(name), dict):
                return f"its options differ ({_other_options(found[name], expected[name])})"
            shown = f" ({str(found.get(name))[:60]!r}, not {str(expected[name])[:60]!r})" if name != "spec" else ""
            return f"{words} differ{'' if name == 'options' else 's'}{shown}"
    return "it says more than a game has"


def _other_options(found: Mapping[str, Any], expected: Mapping[str, Any]) -> str:
    """Return the options that differ, with both values: `goal=20, not goal=150`."""
    names = [name for name in dict.fromkeys((*expected, *found)) if found.get(name) != expected.get(name)]
    return "; ".join(
        ", not ".join(f"{name}={one[name]}" if name in one else f"no {name}" for one in (found, expected))
        for name in names
    )[:200]


def damaged(path: Path) -> PolicyError:
    """Return the error of a file with parts that are missing or wrong."""
    return PolicyError(f"`{path}` is damaged: write it again with `cardgame solve -o FILE.policy` or `cardgame train`")
