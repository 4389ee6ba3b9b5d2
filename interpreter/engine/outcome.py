"""The outcome of a play: how it ended, scores, returns and winners."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

import attrs

from grammar.english import counted
from interpreter.english.words import by_number, capital, listing


class Termination(Enum):
    """Why a play is over.  Only `FINISHED` is a result of the rules."""

    FINISHED = "finished"
    TOO_LONG = "too long"
    DEADLOCK = "deadlock"
    LIVELOCK = "livelock"
    FAULT = "fault"


Ends = tuple[int, ...] | None
"""The value of a line of `result`: a number for each player, or the numbers of some players; None without the line."""


def best_players(scores: Ends, returns: Ends, winners: Ends) -> tuple[int, ...]:
    """Return the winners by number: those that the rules name, else those with the highest returns, else score.

    Returns come before the score, so that the winners never contradict the returns.
    """
    if winners is not None:
        return tuple(sorted(set(winners)))
    worth = scores if returns is None else returns
    return () if worth is None else tuple(p for p, number in enumerate(worth) if number == max(worth))


def shared_stakes(stakes: Sequence[int], winners: Sequence[int]) -> tuple[float, ...]:
    """Return what each player gains or loses: the winners share what all have staked, in exactly equal parts.

    Where nobody wins all get back what they have staked.
    """
    if not winners:
        return (0.0,) * len(stakes)
    share = sum(stakes) / len(winners)
    return tuple([(share if p in winners else 0.0) - stake for p, stake in enumerate(stakes)])


@attrs.frozen
class Team:
    """Players who win and lose together, by number from 0; `name` is what texts call them."""

    name: str
    players: tuple[int, ...]


@attrs.frozen
class Outcome:
    """The end of a play.

    `scores` are the points of the rules, by player (None where a game has none); `winners` the players who won, by
    number from 0 and in order: several where some of the players share the victory, none where nobody won, where all
    are equal (a draw) and in a cooperative game; `returns` the payoffs for learning; `teams` those of the game.
    """

    termination: Termination
    scores: tuple[int, ...] | None
    winners: tuple[int, ...]
    returns: tuple[float, ...]
    cooperative: bool = False
    teams: tuple[Team, ...] = ()

    def winning_teams(self) -> tuple[Team, ...]:
        """Return the teams that have won, where the winners are all players of these."""
        won = tuple(team for team in self.teams if set(team.players) <= set(self.winners))
        return won if sum(len(team.players) for team in won) == len(self.winners) else ()

    def team_scores(self) -> tuple[tuple[Team, int], ...]:
        """Return the score of each team, where all its players have the same; nothing in a game without teams."""
        scores = self.scores
        if scores is None or any(scores[p] != scores[t.players[0]] for t in self.teams for p in t.players):
            return ()
        return tuple((team, scores[team.players[0]]) for team in self.teams)

    def describe(self) -> str:
        """Return the end in words, players counted from 1."""
        if self.termination is not Termination.FINISHED:
            return {
                Termination.TOO_LONG: "The play reached its greatest length.",
                Termination.DEADLOCK: "No player can act: the spec is at fault.",
                Termination.LIVELOCK: "The rules go round and round: they are at fault.",
                Termination.FAULT: "A rule could not be executed: the spec is at fault.",
            }[self.termination]
        scores = self.scores
        if self.cooperative:
            return f"The players reach {counted(scores[0], 'point')} together." if scores else "The game is over."
        numbers = [score for _, score in self.team_scores()] or scores
        points = "" if numbers is None else " (" + " : ".join(map(str, numbers)) + ")"
        if not self.winners and len(self.returns) == 1:
            return f"The game is {'lost' if self.returns[0] < 0 else 'over'}{points}."
        if not self.winners:
            return f"The game is a draw{points}."
        sides = listing([team.name for team in self.winning_teams()]) or by_number(self.winners)
        return f"{capital(sides)} {'wins' if len(self.winners) == 1 else 'win'}{points}."


def finished(
    scores: Ends,
    returns: Ends,
    winners: Ends,
    stakes: Ends,
    num_players: int,
    cooperative: bool,
    teams: tuple[Team, ...] = (),
) -> Outcome:
    """Return how a play ended that came to its end by the rules, from what `result` says of it.

    Returns are those of the spec; else what the stakes come to; else the common score of a cooperative game; else 1
    shared by the winners and -1 shared by the others, 0 for all when everybody wins, or nobody.  One who plays alone
    can win or lose only where `winners` says so.
    """
    alone = num_players == 1
    best = () if cooperative or (alone and winners is None) else best_players(scores, returns, winners)
    if returns is not None:
        paid = tuple([float(r) for r in returns])
    elif stakes is not None:
        paid = shared_stakes(stakes, best)
    elif cooperative:
        paid = tuple(float(s) for s in scores or (0,) * num_players)
    elif alone and winners is not None:
        paid = (1.0 if best else -1.0,)
    elif not best or len(best) == num_players:
        paid = (0.0,) * num_players
    else:
        paid = tuple(1 / len(best) if p in best else -1 / (num_players - len(best)) for p in range(num_players))
    draw = len(best) == num_players and not alone
    return Outcome(Termination.FINISHED, scores, () if draw else best, paid, cooperative, teams)


def cut_short(result: Outcome) -> Outcome:
    """Return the end of a play that reached its greatest length: nobody has won, and returns are what they were."""
    return Outcome(Termination.TOO_LONG, result.scores, (), result.returns, result.cooperative, result.teams)
