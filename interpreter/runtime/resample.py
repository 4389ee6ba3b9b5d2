"""Another world in which a player has seen exactly the same.

A play is its shuffles, its other chance events and its decisions.  What a player has learned fixes some
cards of each shuffle; all others are dealt anew, and the play is carried out again: every decision must
be legal again (one that its player hides may be another), and the player must see the same.  A world
that fails is thrown away, so none that is given out is wrong.  Where too many fail (long plays with
many refusals such as "cannot match"), the world is reached from the true one by exchanging unseen
cards two by two, keeping each exchange that leaves all of that true.

A card of a pile is drawn when a rule reads it, so in another world the same play may draw more cards or
fewer, at other moments.  Only decisions and what `random` gave are repeated in their order.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import attrs

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
    past = _past(state, rng)
    wanted = _Wanted(state, player, state.events(player), state.information_state_string(player))
    for _ in range(FRESH_TRIES):
        try:
            return _replay(wanted, past, log.learned[player], rng)
        except _Impossible:
            continue
    return _exchange(wanted, past, log.learned[player], rng)


@attrs.frozen
class _Wanted:
    """The state that is to be told apart from none that is given out, and what its player has seen."""

    state: State
    player: int
    seen: list[Any]
    own: str


@attrs.frozen
class _Past:
    """A play in parts: decisions and what `random` gave, in order; how many cards of piles were drawn behind the
    last of them; which card each token was or can be; whether piles were drawn card by card."""

    items: tuple[HistoryItem, ...]
    drawn_since: int
    dealt: dict[Token, int]
    stepwise: bool


def _past(state: State, rng: Rng) -> _Past:
    """Take a play apart; tokens that nobody has drawn get cards of their pool at random."""
    world: LoggedState = state.game.new_logged_state()
    items: list[HistoryItem] = []
    dealt: dict[Token, int] = {}
    since, stepwise = 0, True
    for item in state.hist[1::2]:
        if world.need is None:
            items.append(item)
            since = 0
        elif isinstance(item, int):
            dealt[world.token_epochs[world.need], world.need] = item
            since += 1
        else:
            tokens = [token for _, token in chance.tokens_in_order(world)]
            dealt.update({(world.token_epochs[t], t): face for t, face in zip(tokens, item, strict=True)})
            since, stepwise = since + 1, False
        world.apply_action(item)
    for card, source in world.sources.items():
        dealt.setdefault(source, state.game.card_faces[card])
    for pool in sorted(world.pools):
        faces = [state.game.card_faces[c] for c in world.pools[pool]]
        chance.mix(rng, faces)
        tokens = [token for p, token in chance.tokens_in_order(world) if p == pool]
        dealt.update({(world.token_epochs[t], t): face for t, face in zip(tokens, faces, strict=True)})
    return _Past(tuple(items), since, dealt, stepwise)


def _replay(wanted: _Wanted, past: _Past, known: dict[Token, int], rng: Rng) -> State:
    """Carry out the play with all that is not known drawn anew.  Raises _Impossible."""
    state, player = wanted.state, wanted.player
    world: LoggedState = state.game.new_logged_state()
    history: list[HistoryItem] = []

    def take(answer: HistoryItem) -> None:
        try:
            world.apply_action(answer)
        except (IllegalAction, RuleFault):
            raise _Impossible from None
        history.append(answer)
        if not _so_far(world, wanted.seen, player):
            raise _Impossible

    for item in past.items:
        while world.need is not None:
            take(_redraw(world, known, rng, stepwise=past.stepwise))
        if world.is_terminal():
            raise _Impossible
        if world.is_chance_node():
            take(_random_again(world, item, player, rng))
        elif world.cur == player or item in world.legal_actions():
            take(item)
        else:
            legal = world.legal_actions()
            take(legal[chance.below(rng, len(legal))])
    # A state that waits for a card itself is left as far into its draws; all others draw what they need.
    for number in count():
        if world.need is None or (state.need is not None and number >= past.drawn_since):
            break
        take(_redraw(world, known, rng, stepwise=past.stepwise))
    if world.cur != state.cur or [e.seen_by(player) for e in world.log] != wanted.seen:
        raise _Impossible
    made = state.game.play_history(history)
    if made.information_state_string(player) != wanted.own:
        raise _Impossible
    return made


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


def _redraw(world: LoggedState, known: dict[Token, int], rng: Rng, *, stepwise: bool) -> HistoryItem:
    """Draw the next card of a waiting pile, or the cards of all, anew, keeping those that are known."""
    if stepwise:
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


def _exchange(wanted: _Wanted, past: _Past, learned: dict[Token, int], rng: Rng) -> State:
    """Walk from the true world by exchanging two unseen cards of one shuffle at a time."""
    dealt, best = past.dealt, wanted.state.clone()
    shuffles: dict[int, list[Token]] = {}
    for token in sorted(dealt):
        if token not in learned:
            shuffles.setdefault(token[0], []).append(token)
    free = [tokens for tokens in shuffles.values() if len({dealt[t] for t in tokens}) > 1]
    if not free:
        return best
    for _ in range(EXCHANGES):
        tokens = free[chance.below(rng, len(free))]
        one, other = (tokens[chance.below(rng, len(tokens))] for _ in range(2))
        if dealt[one] == dealt[other]:
            continue
        trial = {**dealt, one: dealt[other], other: dealt[one]}
        try:
            best = _replay(wanted, past, trial, rng)
        except _Impossible:
            continue
        dealt = trial
    return best
