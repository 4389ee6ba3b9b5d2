"""The lower layer of states: run nodes, answer chance, stop at decisions.

Everything that changes a state is here; `State` adds what people and programs ask of it.  The kind of
node is a stored field (`to_act`).  Chance is outside: a chance event waits until a caller answers it, and a
node that needs a card nobody has determined is undone, waits for that card, and is carried out again.

Shuffles are lazy.  A shuffled pile holds tokens instead of cards.  A token belongs to a pool: the cards of one shuffle
that are not determined yet.  When a rule reads a token's card, or a player learns it, that card is drawn from
the pool: one chance event, whose outcomes are the faces left in it.  Pools are exchangeable: every
assignment of their cards to their tokens is as likely as any other, so it does not matter when it is made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Self

from interpreter.analysis.limits import STEP_LIMIT
from interpreter.engine.chance import Rng, below, mix
from interpreter.engine.faults import IllegalActionError, NeedCard, RuleError
from interpreter.engine.outcome import Ends, Outcome, Termination, cut_short

if TYPE_CHECKING:
    from interpreter.engine.code import Code
    from interpreter.engine.game_base import GameBase
    from interpreter.engine.game_data import DecisionData
    from interpreter.program.nodes import Decision

CHANCE = -1
TERMINAL = -4
UNDONE_STEPS = 100
"""The cost in steps of undoing a node that needs a card, besides the steps that are undone."""

new = object.__new__
_copied = list.copy

HistoryItem = int | tuple[int, ...]


FIELDS = (
    "_legal", "_log", "_trail", "at", "awaited", "code", "entries", "game", "logging", "node", "num_actions",
    "num_decisions", "pending", "played_by", "pools", "result", "set_memo", "spent", "steps", "to_act", "too_long",
    "turned", "undetermined", "undone", "values", "zones",
)  # fmt: skip
"""The fields of a machine; a native state (`interpreter.native.native_state`) sets them when they are needed."""


class Machine:
    """The data and transitions of a state: values of variables, cards of zones, undetermined cards, history.

    Generated code names a state `st`, its values `v` and its zones `z`.

    - `entries`: actor and action alternately, from the start of the play
    - `to_act`, `node`: who must act, and the number of the program's node that waits for it
    - `undetermined`, `pools`: the pool of each token, and the cards of each pool
    - `awaited`, `pending`, `undone`: after a node was undone because it needs the card of a token: the token, those
      that it needs next, and the action to run again
    - `turned`: the cards that lie face up or down, unlike the others of their zone
    - `played_by`: who played each card
    - `at`: the site of the last statement
    - `logging`: whether the state records events (only in `interpreter.engine.logged`)
    - `set_memo`: the results so far for a set that is being chosen
    """

    __slots__ = FIELDS

    def __init__(self, game: GameBase, code: Code) -> None:
        self.game = game
        self.code = code
        self.values: list[Any] = [None] * code.size
        self.values[code.picked] = ()
        self.zones: list[list[int]] = [[] for _ in range(game.num_places)]
        self.to_act = CHANCE
        self.node = 0
        self.at = 0
        self.logging = False
        self.undetermined: dict[int, int] = {}
        self.pools: dict[int, tuple[int, ...]] = {}
        self.turned: dict[int, int] = {}
        self.played_by: dict[int, int] = {}
        self.entries: list[Any] = []
        self.awaited: int | None = None
        self.undone: int | None = None
        self.pending: tuple[int, ...] = ()
        self.num_actions = 0
        self.num_decisions = 0
        self.steps = 0
        self.spent: Any = None
        self.result: Outcome | None = None
        self.too_long = False
        self.set_memo: Any = None
        self._legal: list[int] | None = None
        self._log: Any = None
        self._trail: list[Any] = []

    # ---- what kind of node this is

    def current_player(self) -> int:
        """Return the player to act (from 0), `CHANCE` (-1) or `TERMINAL` (-4)."""
        return self.to_act

    def is_chance_node(self) -> bool:
        """Say whether a chance event waits for its answer."""
        return self.to_act == CHANCE

    def is_terminal(self) -> bool:
        """Say whether the play is over."""
        return self.to_act == TERMINAL

    def chance_offset(self) -> int:
        """Return what to add to the outcomes of the waiting chance event so that none is negative; mostly 0."""
        return 0 if self.awaited is not None or self.to_act != CHANCE else self.game.chance_offsets.get(self.node, 0)

    def decision(self) -> Decision | None:
        """Return the decision of a player that waits, or None; of chance `chance_event` says."""
        return self.game.decision_at(self.node) if self.to_act >= 0 else None

    def decision_data(self) -> DecisionData | None:
        """Return the decision of a player that waits as plain data, or None."""
        return self.game.decision_data(self.node) if self.to_act >= 0 else None

    def is_unfinished(self) -> bool:
        """Say whether a decision of several small actions has been begun and not ended."""
        return self.to_act >= 0 and self.node in self.game.begun

    def picked(self) -> tuple[int, ...]:
        """Return the faces of the cards picked so far for an unfinished set."""
        if not self.is_unfinished():
            return ()
        cards = self.values[self.code.picked] or ()
        return tuple(self.game.card_faces[c] for c in cards)

    def history(self) -> list[tuple[int, HistoryItem]]:
        """Return all (actor, action) so far; chance is actor -1, a tuple answers several events at once."""
        entries = self.entries
        return [(entries[i], entries[i + 1]) for i in range(0, len(entries), 2)]

    def returns(self) -> list[float]:
        """Return the payoff of each player: 0 until the end."""
        return [0.0] * self.game.num_players if self.result is None else list(self.result.returns)

    def outcome(self) -> Outcome | None:
        """Return how the play ended, or None while it goes on."""
        return self.result

    # ---- acting

    def legal_actions(self) -> list[int]:
        """Return the legal small actions in ascending order; at a chance node, the outcomes.

        Empty only at the end.  Raises RuleError (CG807) where the rules leave a player nothing to do.
        """
        legal = self._legal
        if legal is None:
            if self.to_act < 0:
                legal = [outcome for outcome, _ in self.chance_outcomes()]
            else:
                self.steps = 0
                try:
                    legal = self.code.legal[self.node](self, self.values, self.zones)
                except Exception as error:
                    raise self._fault(error) from error
                if not legal:
                    raise self._fault(self._deadlock())
            self._legal = legal
        return legal[:]

    def _deadlock(self) -> RuleError:
        return RuleError("CG807", "no action is possible here", self.game.span_of(self.node))

    def apply_action(self, action: int | Sequence[int]) -> None:
        """Carry out a legal small action, a whole sentence (several small actions), or a chance outcome.

        Raises IllegalActionError, with the state unchanged, where it is not legal; RuleError where a rule
        cannot be carried out (the state is then over, with `Termination.FAULT`).
        """
        if action.__class__ is not int:
            self._apply_other(action)
            return
        if self.awaited is not None:
            self._draw(action)
            return
        legal = self._legal
        if legal is None:
            legal = self.legal_actions()
        if action not in legal:
            raise IllegalActionError(self._refusal(action))
        self._legal = None
        if self.to_act == CHANCE:
            self._answer(action)
            return
        self.steps = 0
        entries = self.entries
        entries.append(self.to_act)
        entries.append(action)
        self.num_actions += 1
        node, game = self.node, self.game
        if node not in game.begun:
            self.num_decisions += 1
        try:
            if self.undetermined:
                node = self._carefully(node, action)
            else:
                node = self.code.apply[node](self, self.values, self.zones, action)
            if node >= 0 or self.to_act == CHANCE or self.logging or self.num_decisions >= game.max_decisions:
                self._run(node)
        except Exception as error:
            raise self._fault(error) from error

    def _refusal(self, action: int) -> str:
        """Return in words that a number is none of the legal ones."""
        texts = self.game.texts
        if self.to_act == TERMINAL:
            return "the play is over"
        if self.to_act == CHANCE:
            return texts.no_outcome(action, self.awaited is not None or self.game.chance_is_card(self.node))
        return texts.no_action(action)

    def apply_unchecked(self, action: int) -> None:
        """Carry out a small action that is known to be legal.  Anything else breaks the state."""
        self._legal = [action]
        self.apply_action(action)

    def _apply_other(self, action: int | Sequence[int]) -> None:
        """Carry out what is no plain number: the several of a sentence, or a number of another class."""
        if isinstance(action, bool):
            raise IllegalActionError(f"{action} is no action: give its number")
        if isinstance(action, int):
            self.apply_action(int(action))
        else:
            self._apply_many(action)

    def _apply_many(self, actions: Sequence[int]) -> None:
        if not isinstance(actions, list | tuple) or not all(isinstance(action, int) for action in actions):
            raise IllegalActionError(f"{actions!r} is no action: give its number, or the several of `string_to_action`")
        if self.to_act == CHANCE:
            self._answer_piles(tuple(actions))
            return
        if not actions:
            raise IllegalActionError("no action is given")
        if len(actions) == 1:
            self.apply_action(actions[0])
            return
        trial = self.clone()
        try:
            for number, action in enumerate(actions):
                if number and not trial.is_unfinished():
                    raise IllegalActionError("these are more actions than one sentence")
                trial.apply_action(action)
        except RuleError:
            self._become(trial)
            raise
        self._become(trial)

    # ---- carrying out

    def begin(self) -> Self:
        """Put every card where it lies before play, and run on to the first decision or chance event.  Return this."""
        self.set_out()
        try:
            self._run(self.game.data.entry)
        except Exception as error:
            raise self._fault(error) from error
        return self

    def set_out(self) -> None:
        """Put every card where it lies before play."""
        for place, cards in self.game.data.homes:
            self.zones[place] = sorted(cards) if self.game.unordered[place] else list(cards)

    def _run(self, node: int) -> None:
        """Carry out nodes until a decision, a chance event or the end (-1: there already).

        A decision more than the spec allows is never offered: the play is over before it.
        """
        run = self.code.run
        v, z = self.values, self.zones
        while True:
            while node >= 0:
                node = self._carefully(node, None) if self.undetermined else run[node](self, v, z)
            if self.undetermined and self.to_act == CHANCE and self.awaited is None:
                self._determine_outcomes()
            if self.to_act < 0 or self.num_decisions < self.game.max_decisions or self.node in self.game.begun:
                return
            node = self._stop()

    def _carefully(self, node: int, action: int | None) -> int:
        """Carry out a node, or an action at it, that may need cards nobody has determined; undo it and stop if so.

        Steps that are undone count no more than once, as where all cards are known; but they are not taken for ever.
        """
        vain = 0
        while True:
            saved, steps = self._saved(), self.steps
            try:
                following: int
                if action is None:
                    following = self.code.run[node](self, self.values, self.zones)
                else:
                    following = self.code.apply[node](self, self.values, self.zones, action)
            except NeedCard as needed:
                self._restore(saved)
                vain += self.steps - steps + UNDONE_STEPS
                self.steps = steps
                if vain > STEP_LIMIT:
                    message = f"{vain:,} steps are taken again and again to find out which cards lie here"
                    raise RuleError("CG804", message, self.game.span_of(node)) from None
                if self._waits_for(needed, node, action):
                    return -1
            else:
                return following

    def _waits_for(self, needed: NeedCard, node: int, action: int | None) -> bool:
        """Say whether chance must determine a card before a node, or an action at it, is carried out again.

        A card that can be of one face only is determined at once.
        """
        face = self._certain(needed.token)
        if face is not None:
            self.determine(needed.token, face)
            return False
        self.to_act = CHANCE
        self.node = node
        self.awaited = needed.token
        self.undone = action
        cards = needed.cards
        if cards:
            known = self.game.num_cards
            self.pending = tuple([c for c in cards[cards.index(needed.token) + 1 :] if c >= known])
        return True

    def _determine_outcomes(self) -> None:
        """Determine the cards that a chance event chooses among, as far as it reads them; it waits for the first."""
        steps = self.steps
        while True:
            try:
                self.code.legal[self.node](self, self.values, self.zones)
                break
            except NeedCard as needed:
                if self._waits_for(needed, self.node, None):
                    break
        self.steps = steps

    def _saved(self) -> tuple[Any, ...]:
        turned, played_by = self.turned, self.played_by
        return (
            self.values[:], [*map(_copied, self.zones)], self.undetermined.copy(), self.pools.copy(),
            turned.copy() if turned else {}, played_by.copy() if played_by else {},
        )  # fmt: skip

    def _restore(self, saved: tuple[Any, ...]) -> None:
        self.values[:], zones, self.undetermined, self.pools, self.turned, self.played_by = saved
        self.zones[:] = zones

    def _stop(self) -> int:
        """Return the node that ends a play which has reached its greatest length."""
        self.too_long = True
        return self.game.final

    def end_with_round(self) -> None:
        """Let the play end after the round that is being played, as if it had reached its greatest length there.

        A round is a passage of a loop that deals anew (`interpreter.program.lower`); where there is none, the play goes
        on to its end.
        """
        self.too_long = True

    def end_here(self) -> None:
        """End the play as it is, as if it had reached its greatest length; for a search that looks no further ahead.

        Chance may have to answer first.  Raises RuleError where the result cannot be reckoned in the middle of a play.
        """
        self._legal = None
        self.steps = 0
        try:
            self._run(self._stop())
        except Exception as error:
            raise self._fault(error) from error

    def finish(self, node: int, score: Ends, returns: Ends, winners: Ends, stakes: Ends) -> None:
        """End the play by the rules; called by generated code with what `result` says."""
        self.node = node
        self.to_act = TERMINAL
        result = self.game.outcomes.get((score, returns, winners, stakes))
        if result is None:
            result = self.game.outcome_of(score, returns, winners, stakes)
        if self.too_long:
            result = cut_short(result)
        self.result = result

    def _fault(self, error: Exception) -> RuleError:
        fault = self.game.fault_of(error, self.at)
        ends = {"CG804": Termination.LIVELOCK, "CG807": Termination.DEADLOCK}
        self.result = Outcome(
            ends.get(fault.code, Termination.FAULT), None, (), (0.0,) * self.game.num_players, self.game.cooperative
        )
        self.to_act = TERMINAL
        self._legal = None
        return fault

    # ---- chance

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of the waiting chance event with their probabilities (which sum to 1)."""
        if self.to_act != CHANCE:
            return []
        if self.awaited is not None:
            return self._outcomes_of(self.awaited)
        items = self._random_items()
        counts: dict[int, int] = {}
        for item in items:
            counts[item] = counts.get(item, 0) + 1
        return [(item, count / len(items)) for item, count in sorted(counts.items())]

    def _random_items(self) -> list[int]:
        steps = self.steps
        try:
            listed: list[int] = self.code.legal[self.node](self, self.values, self.zones)
        except Exception as error:
            raise self._fault(error) from error
        self.steps = steps
        if not listed:
            fault = RuleError("CG808", "chance has nothing to choose from", self.game.span_of(self.node))
            raise self._fault(fault)
        if self.game.chance_is_card(self.node):
            return [self.game.card_faces[c] for c in listed]
        return listed

    def resolve_chance(self, rng: Rng) -> None:
        """Answer every waiting chance event at random; afterwards a player acts or the play is over.

        `rng` needs `random()` only.  Cards of shuffled piles are drawn all at once, which gives the same
        distribution as drawing each when it is needed.
        """
        while self.to_act == CHANCE:
            if self.awaited is not None:
                self.resolve_piles(rng)
            else:
                items = self._random_items()
                self._answer(items[below(rng, len(items))])

    def resolve_piles(self, rng: Rng) -> None:
        """Draw the cards of all waiting piles at random; other chance events are left to wait."""
        if self.awaited is not None:
            self._determined_all(self._determine_at_random(rng))

    def _answer_piles(self, drawn: tuple[int, ...]) -> None:
        if self.awaited is None:
            raise IllegalActionError("no pile waits to be dealt from")
        self.determine_all(drawn)
        self._determined_all(drawn)

    def _determined_all(self, drawn: tuple[int, ...]) -> None:
        self.entries.append(CHANCE)
        self.entries.append(drawn)
        self._go_on()

    def _draw(self, face: int) -> None:
        """Let the card that is waited for be one of a face; what was undone goes on when all that it needs is known."""
        assert self.awaited is not None
        self.determine(self.awaited, face)
        self.entries.append(CHANCE)
        self.entries.append(face)
        for place, token in enumerate(self.pending):
            if token not in self.undetermined:
                continue
            only = self._certain(token)
            if only is None:
                self.awaited, self.pending = token, self.pending[place + 1 :]
                self._legal = None
                return
            self.determine(token, only)
        self._go_on()

    def _answer(self, outcome: int) -> None:
        """Let an outcome be what `random` gives."""
        self.entries.append(CHANCE)
        self.entries.append(outcome)
        self._legal = None
        try:
            node = self.code.apply[self.node](self, self.values, self.zones, outcome)
            if len(self.entries) - 2 * self.num_actions > self.game.max_history:
                node = self._stop()
            self._run(node)
        except Exception as error:
            raise self._fault(error) from error

    def _go_on(self) -> None:
        """Carry out again what waited for a card."""
        action = self.undone
        self.awaited = self.undone = None
        self.pending = ()
        self._legal = None
        try:
            if action is None:
                self._run(self.node)
                return
            self.to_act = next(actor for actor in self.entries[-2::-2] if actor != CHANCE)
            if self.undetermined:
                self._run(self._carefully(self.node, action))
            else:
                self._run(self.code.apply[self.node](self, self.values, self.zones, action))
        except Exception as error:
            raise self._fault(error) from error

    def aside(self, function: Any) -> Any:
        """Return what generated code says of this state, whose steps do not count in its play."""
        steps = self.steps
        self.steps = 0
        try:
            return function(self, self.values, self.zones)
        finally:
            self.steps = steps

    # ---- cards that nobody knows yet, and how they become known

    def shuffle_pile(self, pile: list[int]) -> None:
        """Put a pile in an order that nobody knows: its cards become tokens of one pool.

        Raises NeedCard where a pool lies partly outside the pile beside cards of another origin: its cards
        outside are determined first, since the rest would not be exchangeable with them.  After it nobody can see
        which cards had been turned.
        """
        cards = self.game.num_cards
        if self.turned:
            for card in pile:
                self.turned.pop(card, None)
        inside = [c for c in pile if c >= cards]
        touched = sorted({self.undetermined[t] for t in inside})
        if len(pile) < 2 or (len(touched) == 1 and len(inside) == len(pile)):
            return
        ids = [c for c in pile if c < cards]
        lying = set(inside)
        for pool in touched:
            for token in sorted(t for t, p in self.undetermined.items() if p == pool):
                if token not in lying:
                    raise NeedCard(token)
            ids.extend(self.pools[pool])
        for pool in touched:
            del self.pools[pool]
        for token in inside:
            del self.undetermined[token]
        number = next(n for n in range(len(self.pools) + 1) if n not in self.pools)
        if self.undetermined:
            token = cards
            for place in range(len(pile)):
                while token in self.undetermined:
                    token += 1
                pile[place] = token
                self.undetermined[token] = number
        else:
            pile[:] = range(cards, cards + len(pile))
            self.undetermined.update(dict.fromkeys(pile, number))
        self.pools[number] = tuple(sorted(ids))
        self.shuffled(pile)

    def _outcomes_of(self, token: int) -> list[tuple[int, float]]:
        """Return the faces that a token can turn out to be, ascending, with their probabilities."""
        pool = self.pools[self.undetermined[token]]
        faces = self.game.card_faces
        size = len(pool)
        # Cards ascend in their pool, and their faces with them.
        if not self.game.has_copies:
            alike = 1 / size
            return [(faces[card], alike) for card in pool]
        return [(face, count / size) for face, count in Counter([faces[card] for card in pool]).items()]

    def determine(self, token: int, face: int) -> None:
        """Let a token be a card of a face.  Raises IllegalActionError, with nothing changed, if its pool has none."""
        faces = self.game.card_faces
        number = self.undetermined[token]
        pool = self.pools[number]
        for place, card in enumerate(pool):
            if faces[card] == face:
                left = pool[:place] + pool[place + 1 :]
                break
        else:
            raise IllegalActionError(self.game.texts.no_outcome(face, True))
        if left:
            self.pools[number] = left
        else:
            del self.pools[number]
        del self.undetermined[token]
        for place, zone in enumerate(self.zones):
            if token in zone:
                zone[zone.index(token)] = card
                if self.game.unordered[place]:
                    zone.sort()
                break
        if self.turned or self.played_by:
            self._replaced({token: card})
        else:
            self.determined({token: card})

    def _replace_all(self, cards: dict[int, int]) -> None:
        """Put cards in the place of all tokens, wherever they lie."""
        self.undetermined.clear()
        self.pools.clear()
        found = cards.get
        unordered = self.game.unordered
        for place, zone in enumerate(self.zones):
            if zone:
                zone[:] = map(found, zone, zone)
                if unordered[place]:
                    zone.sort()
        self._replaced(cards)

    def _replaced(self, cards: dict[int, int]) -> None:
        """Let what is known of tokens, whose places cards have taken, be known of these."""
        for held in (self.turned, self.played_by):
            if held:
                for token in [t for t in held if t in cards]:
                    held[cards[token]] = held.pop(token)
        self.determined(cards)

    def _certain(self, token: int) -> int | None:
        """Return the only face a token can be, or None."""
        faces = self.game.card_faces
        pool = self.pools[self.undetermined[token]]
        # Cards ascend in their pool, and their faces with them.
        return faces[pool[0]] if faces[pool[0]] == faces[pool[-1]] else None

    def draw_all(self, rng: Rng) -> tuple[int, ...]:
        """Return faces for all tokens of all pools, drawn at random, pool by pool and token by token."""
        faces = self.game.card_faces
        drawn: list[int] = []
        for pool in sorted(self.pools):
            ids = list(self.pools[pool])
            mix(rng, ids)
            drawn += [faces[c] for c in ids]
        return tuple(drawn)

    def _determine_at_random(self, rng: Rng) -> tuple[int, ...]:
        """Determine all tokens at random; return their faces, from which `determine_all` makes the same cards again."""
        if len(self.pools) > 1:
            drawn = self.draw_all(rng)
            self.determine_all(drawn)
            return drawn
        (pool,) = self.pools.values()
        ids = list(pool)
        mix(rng, ids)
        drawn = tuple(ids)
        if self.game.has_copies:
            faces = self.game.card_faces
            drawn = tuple([faces[card] for card in ids])
            left = _copies(pool, faces)
            ids = [left[face].pop() for face in drawn]
        tokens = sorted(self.undetermined)
        if tokens in self.zones and not self.turned and not self.played_by and not self.logging:
            # The whole pile still lies as it was shuffled, as at the beginning of most plays.
            place = self.zones.index(tokens)
            self.zones[place] = sorted(ids) if self.game.unordered[place] else ids
            self.undetermined.clear()
            self.pools.clear()
        else:
            self._replace_all(dict(zip(tokens, ids, strict=True)))
        return drawn

    def tokens_in_order(self) -> list[tuple[int, int]]:
        """Return (pool, token) for all tokens, in the order in which `draw_all` and `determine_all` take them."""
        return sorted([(pool, token) for token, pool in self.undetermined.items()])

    def determine_all(self, drawn: tuple[int, ...]) -> None:
        """Determine all tokens at once.  Raises IllegalActionError, before any change, if the cards do not fit."""
        faces = self.game.card_faces
        if len(drawn) != len(self.undetermined):
            raise IllegalActionError("the cards do not fit the piles")
        found: dict[int, int] = {}
        faced = iter(drawn)
        for pool in sorted(self.pools):
            left = _copies(self.pools[pool], faces)
            for token, face in zip(sorted([t for t, p in self.undetermined.items() if p == pool]), faced, strict=False):
                copies = left.get(face)
                if not copies:
                    raise IllegalActionError("the cards do not fit the piles")
                found[token] = copies.pop()
        self._replace_all(found)

    # ---- where cards lie

    def tokens_of(self, card: int) -> list[int]:
        """Return the tokens that a card can be, in ascending order: none where it is determined.

        A rule can name cards and shuffle them into a pile afterwards; then nobody knows which token they are.
        """
        for number, pool in self.pools.items():
            if card in pool:
                return sorted(token for token, held in self.undetermined.items() if held == number)
        return []

    def locate(self, cards: Collection[int]) -> None:
        """Require that named cards lie where `zones` has them.

        Raises NeedCard for the first token that one of them can be.  Tokens are determined one after another until the
        card is found.
        """
        for card in cards if self.pools else ():
            tokens = self.tokens_of(card)
            if tokens:
                raise NeedCard(tokens[0])

    def place_of(self, card: int) -> int:
        """Return where a card lies, that of its tokens if it is not determined.  Raises RuleError if nowhere."""
        for place, zone in enumerate(self.zones):
            if card in zone:
                return place
        for token in self.tokens_of(card):
            return self.place_of(token)
        raise RuleError("CG901", "a card lies nowhere")

    def runs_by_place(self, cards: Collection[int]) -> list[tuple[int, list[int]]]:
        """Return cards in their order, those together that follow each other and lie in one place."""
        runs: list[tuple[int, list[int]]] = []
        for card in cards:
            if runs and card in self.zones[runs[-1][0]]:
                runs[-1][1].append(card)
            else:
                runs.append((self.place_of(card), [card]))
        return runs

    # ---- copies

    def clone(self) -> Self:
        """Return an independent copy."""
        other = self._fresh()
        other._trail = self._trail
        return other

    def _fresh(self) -> Self:
        """Return an independent copy that does not share what has been read of the play either."""
        other = new(self.__class__)
        other.game = self.game
        other.code = self.code
        other.values = self.values[:]
        other.zones = [zone[:] for zone in self.zones]
        other.to_act = self.to_act
        other.node = self.node
        other.at = self.at
        other.logging = self.logging
        other.undetermined = self.undetermined.copy() if self.undetermined else {}
        other.pools = self.pools.copy() if self.pools else {}
        other.turned = self.turned.copy() if self.turned else {}
        other.played_by = self.played_by.copy() if self.played_by else {}
        other.entries = self.entries[:]
        other.awaited = self.awaited
        other.undone = self.undone
        other.pending = self.pending
        other.num_actions = self.num_actions
        other.num_decisions = self.num_decisions
        other.steps = self.steps
        other.spent = self.spent.copy() if self.spent else None
        other.result = self.result
        other.too_long = self.too_long
        # Reckoned from this one's variables and zones, which it reads again; made anew when it is wanted.
        other.set_memo = None
        other._legal = self._legal
        other._log = self._log
        other._trail = []
        return other

    def _become(self, other: Machine) -> None:
        """Take over everything from a state that nobody else will use."""
        for name in FIELDS:
            setattr(self, name, getattr(other, name))
        self.set_memo = None

    # ---- what the logged kind of state does more

    def shuffled(self, pile: list[int]) -> None:
        """Note that a pile's cards are tokens now."""

    def determined(self, cards: dict[int, int]) -> None:
        """Note that tokens became cards."""

    def shuffling(self, place: int) -> None:
        """Note that a pile is about to be shuffled."""


def _copies(pool: Sequence[int], faces: Sequence[int]) -> dict[int, list[int]]:
    """Return the cards of a pool by face, the lowest at the end."""
    left: dict[int, list[int]] = {}
    for card in reversed(pool):
        left.setdefault(faces[card], []).append(card)
    return left
