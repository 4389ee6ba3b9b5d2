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
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from grammar import files
from interpreter.agents.thinking import AgentError
from interpreter.solve.solution import Cfr

if TYPE_CHECKING:
    from interpreter.engine.game import Game
    from interpreter.solve.tree import Key, Tree

FORMAT = "cardgame.policy.1"
LARGEST = 400_000_000
"""Bytes of a file that is read."""
_NAME = re.compile("[0-9a-f]{32}")
MOST = 1e300
"""The greatest number that a file may have."""


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
        data = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
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
    errors = read_numbers(data.get("errors"), path)
    strategy = {name: read_numbers(values, path) for name, values in _table(data.get("strategy"), path).items()}
    if any(not values or min(values) < 0 or abs(sum(values) - 1) > 1e-6 for values in strategy.values()):
        raise damaged(path)
    sums = {}
    for name, pair in _table(data.get("sums", {}), path).items():
        if not isinstance(pair, list) or len(pair) != 2:
            raise damaged(path)
        sums[name] = read_numbers(pair[0], path), read_numbers(pair[1], path)
    iterations, concept, names = data.get("iterations"), data.get("concept"), data.get("names", "text")
    if type(iterations) is not int or iterations < 0 or not isinstance(concept, str) or names not in ("text", "hash"):
        raise damaged(path)
    if not all(map(_NAME.fullmatch, (*strategy, *sums))):
        raise damaged(path)
    return Policy(data["game"], concept, errors, strategy, iterations, sums, names == "hash")


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
            shown = f" ({str(found.get(name))[:60]!r}, not {str(expected[name])[:60]!r})" if name != "spec" else ""
            return f"{words} differ{'' if name == 'options' else 's'}{shown}"
    return "it says more than a game has"


def read_numbers(found: object, path: Path) -> tuple[float, ...]:
    """Return a list of finite numbers.  Raises PolicyError for anything else."""
    if not isinstance(found, list) or not all(type(x) in (int, float) and abs(x) <= MOST for x in found):
        raise damaged(path)
    return tuple(float(x) for x in found)


def _table(found: object, path: Path) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise damaged(path)
    return found


def damaged(path: Path) -> PolicyError:
    """Return the error of a file with parts that are missing or wrong."""
    return PolicyError(f"`{path}` is damaged: write it again with `cardgame solve -o FILE.policy` or `cardgame train`")
