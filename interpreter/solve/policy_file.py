"""Policy files: a strategy for every player of one game, as JSON text.

A file names the spec and the setting it belongs to, and is refused for any other.  It is data: reading it runs nothing.
Information sets are keys of 32 hexadecimal digits (BLAKE2 over the player, what the player has observed, and the small
actions of the sentence that is begun), each with one probability per legal small action.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from grammar.diagnostics import CardgameError
from interpreter.solve.solution import Cfr

if TYPE_CHECKING:
    from interpreter.engine.game import Game
    from interpreter.solve.answer import Answer
    from interpreter.solve.tree import Key, Tree

FORMAT = "cardgame.policy.1"
LARGEST = 400_000_000
"""Bytes of a file that is read."""


class PolicyError(CardgameError, ValueError):
    """A file that is no policy, or the policy of another game."""


@attrs.frozen(eq=False)
class Policy:
    """A strategy by the digests of information sets; `sums` are those of CFR+, to go on with: regrets and weights."""

    game: Mapping[str, Any]
    concept: str
    errors: tuple[float, ...]
    strategy: Mapping[str, tuple[float, ...]]
    iterations: int = 0
    sums: Mapping[str, tuple[tuple[float, ...], tuple[float, ...]]] = attrs.field(factory=dict)

    def probabilities(self, key: Key, legal: int) -> tuple[float, ...] | None:
        """Return the probabilities of the legal small actions in an information set; None where it has none."""
        found = self.strategy.get(digest(key))
        return found if found is not None and len(found) == legal else None


def digest(key: Key) -> str:
    """Return the name of an information set in a policy file."""
    player, observed, begun = key
    return hashlib.blake2b(f"{player}\n{list(begun)}\n{observed}".encode(), digest_size=16).hexdigest()


def write_policy(answer: Answer, path: Path) -> None:
    """Write the strategy of an answer, whole or not at all.  Raises OSError."""
    sets = answer.tree.sets
    strategy = {digest(info.key): [round(float(p), 9) for p in answer.strategy[info.part]] for info in sets}
    data: dict[str, Any] = {
        "format": FORMAT, "game": answer.tree.game.describe(), "concept": answer.concept,
        "errors": list(answer.errors), "iterations": answer.iterations, "strategy": strategy,
    }  # fmt: skip
    if answer.cfr is not None:
        regrets, weights = answer.cfr.regrets, answer.cfr.weights
        data["sums"] = {
            digest(info.key): [list(map(float, regrets[info.part])), list(map(float, weights[info.part]))]
            for info in sets
        }
    unfinished = path.with_name(path.name + ".part")
    unfinished.write_text(json.dumps(data) + "\n", encoding="utf-8")
    unfinished.replace(path)


def read_policy(path: Path, game: Game) -> Policy:
    """Return the policy of a file.  Raises OSError, and PolicyError for a damaged file or one of another game."""
    if path.stat().st_size > LARGEST:
        raise PolicyError(f"`{path}` has more than {LARGEST:,} bytes: it is no policy file")
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        raise PolicyError(f"`{path}` is no policy file: it is not JSON text") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise PolicyError(f"`{path}` is no policy file: `cardgame solve -o FILE.policy` writes one")
    expected, found = game.describe(), data.get("game")
    if found != expected:
        raise PolicyError(f"`{path}` is the policy of another game: {_difference(found, expected)}")
    errors = _numbers(data.get("errors"), path)
    strategy = {name: _numbers(values, path) for name, values in _table(data.get("strategy"), path).items()}
    if any(not values or min(values) < 0 or abs(sum(values) - 1) > 1e-6 for values in strategy.values()):
        raise _damaged(path)
    sums = {}
    for name, pair in _table(data.get("sums", {}), path).items():
        if not isinstance(pair, list) or len(pair) != 2:
            raise _damaged(path)
        sums[name] = _numbers(pair[0], path), _numbers(pair[1], path)
    iterations, concept = data.get("iterations"), data.get("concept")
    if type(iterations) is not int or iterations < 0 or not isinstance(concept, str):
        raise _damaged(path)
    return Policy(expected, concept, errors, strategy, iterations, sums)


def resumed(policy: Policy, tree: Tree) -> Cfr:
    """Return CFR+ with the sums of a policy file.  Raises PolicyError where they do not fit the tree."""
    cfr = Cfr(tree)
    for info in tree.sets:
        regrets, weights = policy.sums.get(digest(info.key), ((), ()))
        if not len(regrets) == len(weights) == len(info.actions) or min((*regrets, *weights)) < 0:
            raise PolicyError("the file holds nothing to go on with: solve without --resume")
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


def _numbers(found: object, path: Path) -> tuple[float, ...]:
    if not isinstance(found, list) or not all(type(x) in (int, float) and isfinite(x) for x in found):
        raise _damaged(path)
    return tuple(float(x) for x in found)


def _table(found: object, path: Path) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise _damaged(path)
    return found


def _damaged(path: Path) -> PolicyError:
    return PolicyError(f"`{path}` is damaged: write it again with `cardgame solve -o FILE.policy`")
