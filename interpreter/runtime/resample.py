"""Another world in which a player has seen exactly the same.

A play is its shuffles, its other chance events and its decisions.  What a player has learned fixes some
cards of each shuffle; all others are dealt anew, and the play is carried out again: every decision must
be legal again (one that its player hides may be another), and the player must see the same.  A world
that fails is thrown away, so none that is given out is wrong.  Where too many fail (long plays with
many refusals such as "cannot match"), the world is reached from the true one by exchanging unseen
cards two by two, keeping each exchange that leaves all of that true.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.runtime import chance
from interpreter.runtime.chance import Rng
from interpreter.runtime.events import Chosen, Fell
from interpreter.runtime.faults import IllegalAction, RuleFault

if TYPE_CHECKING:
    from interpreter.runtime.logged import LoggedState
    from interpreter.runtime.state import HistoryItem, State

FRESH_TRIES = 12
EXCHANGES = 24

Token = tuple[int, int]


class _Impossible(Exception):  # noqa: N818
    """This world is not one in which the player saw the same."""


def resample(state: State, player: int, rng: Rng) -> State:
    """Return a state that the player cannot tell from this one.

    Raises ValueError for a player who does not take part.
    """
    if not 0 <= player < state.game.num_players:
        raise ValueError(f"there is no player {player}")
    log = state._logged()
    items = list(state.hist[1::2])
    seen = state.events(player)
    own = state.information_state_string(player)
    for _ in range(FRESH_TRIES):
        try:
            world = _replay(state, player, items, seen, log.learned[player], rng)
        except _Impossible:
            continue
        if world.information_state_string(player) == own:
            return world
    return _exchange(state, player, items, own, log, rng)


def _replay(
    state: State, player: int, items: list[HistoryItem], seen: list[Any], known: dict[Token, int], rng: Rng
) -> State:
    """Carry out the play with all that the player does not know drawn anew."""
    game = state.game
    world: LoggedState = game.new_logged_state()
    history: list[HistoryItem] = []
    for item in items:
        answer = item
        if world.is_chance_node():
            if world.need is not None:
                answer = _redraw(world, item, known, rng)
            else:
                answer = _random_again(world, item, player, rng)
        elif world.is_terminal():
            raise _Impossible
        elif world.cur != player and item not in world.legal_actions():
            legal = world.legal_actions()
            answer = legal[chance.below(rng, len(legal))]
        try:
            world.apply_action(answer)
        except (IllegalAction, RuleFault):
            raise _Impossible from None
        history.append(answer)
        if not _so_far(world, seen, player):
            raise _Impossible
    if [e.seen_by(player) for e in world.log] != seen or world.cur != state.cur:
        raise _Impossible
    return game.play_history(list(history))


def _so_far(world: LoggedState, seen: list[Any], player: int) -> bool:
    """Whether the newest events are those that the player saw; a hopeless world is left early.

    A choice is left to the end: who saw its cards is known when they have moved, perhaps after more chance.
    """
    length = len(world.log)
    newest = zip(world.log[-8:], seen[max(0, length - 8) : length], strict=False)
    return length <= len(seen) and all(
        isinstance(event, Chosen) or event.seen_by(player) == before for event, before in newest
    )


def _random_again(world: LoggedState, item: Any, player: int, rng: Rng) -> Any:
    """Return the outcome of a `random` statement again if the player saw it, else another."""
    trial = world.clone()
    try:
        trial.apply_action(item)
    except (IllegalAction, RuleFault):
        trial = world
    told = trial.log[len(world.log) :]
    if any(isinstance(e, Fell) and e.seen_by(player) == e for e in told):
        return item
    outcomes = [o for o, _ in world.chance_outcomes()]
    return outcomes[chance.below(rng, len(outcomes))]


def _redraw(world: LoggedState, item: HistoryItem, known: dict[Token, int], rng: Rng) -> HistoryItem:
    """Draw the cards of waiting piles anew, keeping those the player has learned."""
    if isinstance(item, int):
        assert world.need is not None
        return _draw_one(world, world.need, known, rng)
    drawn: list[int] = []
    order = chance.tokens_in_order(world)
    for pool in sorted(world.pools):
        tokens = [t for p, t in order if p == pool]
        drawn.extend(_draw_pool(world, pool, tokens, known, rng))
    return tuple(drawn)


def _draw_pool(world: LoggedState, pool: int, tokens: list[int], known: dict[Token, int], rng: Rng) -> list[int]:
    faces = [world.game.card_faces[c] for c in world.pools[pool]]
    fixed = {t: known[k] for t in tokens if (k := (world.token_epochs[t], t)) in known}
    for face in fixed.values():
        if face not in faces:
            raise _Impossible
        faces.remove(face)
    chance.mix(rng, faces)
    return [fixed[t] if t in fixed else faces.pop() for t in tokens]


def _draw_one(world: LoggedState, token: int, known: dict[Token, int], rng: Rng) -> int:
    key = (world.token_epochs[token], token)
    pool = world.und[token]
    faces = [world.game.card_faces[c] for c in world.pools[pool]]
    if key in known:
        if known[key] not in faces:
            raise _Impossible
        return known[key]
    for other, its_pool in world.und.items():
        later = known.get((world.token_epochs[other], other))
        if its_pool == pool and later is not None:
            if later not in faces:
                raise _Impossible
            faces.remove(later)
    if not faces:
        raise _Impossible
    return faces[chance.below(rng, len(faces))]


def _exchange(state: State, player: int, items: list[HistoryItem], own: str, log: LoggedState, rng: Rng) -> State:
    """Walk from the true world by exchanging two unseen cards of one deal at a time."""
    current, best = items, state.clone()
    known = log.learned[player]
    deals = [n for n, item in enumerate(items) if isinstance(item, tuple)]
    places: dict[int, list[int]] = {}
    if not deals:
        return best
    for _ in range(EXCHANGES):
        number = deals[chance.below(rng, len(deals))]
        if number not in places:
            places[number] = _free_places(state, items, number, known)
        free = places[number]
        if len(free) < 2:
            continue
        one, other = free[chance.below(rng, len(free))], free[chance.below(rng, len(free))]
        drawn = list(current[number])  # type: ignore[arg-type]
        if drawn[one] == drawn[other]:
            continue
        drawn[one], drawn[other] = drawn[other], drawn[one]
        trial = [*current[:number], tuple(drawn), *current[number + 1 :]]
        try:
            world = state.game.play_history(list(trial))
        except (ValueError, RuleFault):
            continue
        if world.cur == state.cur and world.information_state_string(player) == own:
            current, best = trial, world
    return best


def _free_places(state: State, items: list[HistoryItem], number: int, known: dict[Token, int]) -> list[int]:
    """Return which cards of a deal the player has not learned (all of one pool, or none are exchanged)."""
    world: LoggedState = state.game.new_logged_state()
    for item in items[:number]:
        world.apply_action(item)
    order = chance.tokens_in_order(world)
    if len({pool for pool, _ in order}) != 1:
        return []
    return [n for n, (_, token) in enumerate(order) if (world.token_epochs[token], token) not in known]
