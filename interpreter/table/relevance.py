"""Relevance: the zones and phases that rules can still use, by the information state of a seat.

What is shown follows from all decisions of the rules that offer the verbs which are legal for the seat
(`interpreter.table.information.decisions_like`).

The facts of the rules follow from the rules and the setting alone.  To derive them takes the compiler and the
rulebook, so they are kept in the cache beside the game (`interpreter.cache`).
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

import attrs

from interpreter.cache import keep_beside, kept_beside
from interpreter.engine.data import read_as, read_json
from interpreter.engine.machine import TERMINAL
from interpreter.table.information import InformationState, decisions_like

if TYPE_CHECKING:
    from interpreter.engine.game_base import GameBase

KIND = "facts"
"""The kind of the file in the cache that has the facts of the rules."""


@attrs.frozen
class RuleFacts:
    """Facts of the rules that the table shows.

    `aim` has the paragraphs on who wins and when a play ends.  `card_texts` has, by what is printed on a card with an
    ability, the text of the ability.  `running` has, by the name of a phase, the phases that
    may be running while it is: itself and all that lead to it.  `in_play` has, by the node of a decision, the zones
    that a rule mentions which the play can still reach.  `scores` has the names of the numbers that decide who wins.
    """

    aim: tuple[str, ...]
    card_texts: dict[str, str]
    running: dict[str, frozenset[str]]
    in_play: dict[int, frozenset[str]]
    scores: frozenset[str]

    def write(self) -> str:
        """Return the facts as one line of JSON."""
        running = {phase: sorted(names) for phase, names in self.running.items()}
        in_play = {str(node): sorted(names) for node, names in self.in_play.items()}
        facts = {"aim": self.aim, "card_texts": self.card_texts, "running": running, "in_play": in_play}
        return json.dumps({**facts, "scores": sorted(self.scores)})

    @classmethod
    def read(cls, text: str) -> RuleFacts | None:
        """Return facts that were written down; None where the text has no facts."""
        try:
            return read_as(read_json(text), cls)
        except ValueError:
            return None


@lru_cache(maxsize=8)
def facts_of(game: GameBase) -> RuleFacts:
    """Return the facts of a game: those in the cache, else derive them and keep them."""
    kept = kept_beside(game, KIND)
    facts = None if kept is None else RuleFacts.read(kept)
    if facts is None:
        from interpreter.table.faces import card_texts  # late: kept
        from interpreter.table.reasons import scoring_variables  # late: kept
        from interpreter.table.rule_derivation import aim, phases_around, zones_in_play  # late: kept

        scores = frozenset(variable.name for variable in scoring_variables(game))
        facts = RuleFacts(aim(game), card_texts(game), phases_around(game), zones_in_play(game), scores)
        keep_beside(game, KIND, facts.write())
    return facts


def zones_in_play(info: InformationState) -> frozenset[str] | None:
    """Return the zones that a rule mentions which the play may still reach; None where the seat cannot know."""
    found = decisions_like(info)
    in_play = facts_of(info.game).in_play
    return frozenset().union(*(in_play[decision.node] for decision in found)) if found else None


def zones_chosen_from(info: InformationState) -> frozenset[str]:
    """Return the names of the zones from which cards can be chosen now."""
    parts = () if info.pending is None else info.pending.parts
    return frozenset(zone for part in parts for slot in part.slots for zone in slot.zones)


def phases_running(info: InformationState) -> frozenset[str] | None:
    """Return the phases that may be running; None where the seat cannot know."""
    found = decisions_like(info)
    if not found:
        return frozenset() if info.acting == TERMINAL else None
    running = facts_of(info.game).running
    return frozenset().union(*(running[decision.phase] for decision in found))
