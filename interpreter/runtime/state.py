"""A point of one play: the public face of a running game.

A `State` is one plain value: a list of variables, a list of zones, and the history that led here; rules,
tables and functions are its game's.  The kind of node is a stored field (`cur`).  Chance is outside: a
chance event waits until somebody answers it.  Names follow OpenSpiel, with Python's spelling.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from interpreter.program.nodes import Chance, Decision
from interpreter.runtime import chance
from interpreter.runtime.faults import IllegalAction, NeedCard, RuleFault
from interpreter.runtime.outcome import Outcome, Termination

if TYPE_CHECKING:
    from interpreter.runtime.events import Event
    from interpreter.runtime.explain import Refusal
    from interpreter.runtime.game import Code, Game
    from interpreter.runtime.observation import Observation

CHANCE = -1
TERMINAL = -4
NODE_LIMIT = 100_000
"""Nodes between two stops, after which the rules are taken to go round and round."""

HistoryItem = int | tuple[int, ...]


class State:
    """A state of a game.  Make the first with `game.new_initial_state()`."""

    __slots__ = (
        "_legal", "_log", "by", "code", "cur", "game", "hist", "need", "num_decisions", "pc", "pools",
        "result", "too_long", "turned", "und", "v", "z",
    )  # fmt: skip

    logging = False
    """Whether this state writes events; only `interpreter.runtime.logged` does."""

    def __init__(self, game: Game, code: Code) -> None:
        self.game = game
        self.code = code
        self.v: list[Any] = [None] * code.layout.size
        self.z: list[list[int]] = [[] for _ in range(game.num_places)]
        self.cur = CHANCE
        self.pc = 0
        self.und: dict[int, int] = {}
        self.pools: dict[int, list[int]] = {}
        self.turned: dict[int, int] = {}
        self.by: dict[int, int] = {}
        self.hist: list[Any] = []
        self.need: int | None = None
        self.num_decisions = 0
        self.result: Outcome | None = None
        self.too_long = False
        self._legal: list[int] | None = None
        self._log: Any = None

    # ---- what kind of node this is

    def current_player(self) -> int:
        """Return the player to act (from 0), `CHANCE` (-1) or `TERMINAL` (-4)."""
        return self.cur

    def is_chance_node(self) -> bool:
        """Say whether a chance event waits for its answer."""
        return self.cur == CHANCE

    def is_terminal(self) -> bool:
        """Say whether the play is over."""
        return self.cur == TERMINAL

    # ---- acting

    def legal_actions(self) -> list[int]:
        """Return the legal small actions in ascending order; at a chance node, the outcomes.

        Empty only at the end.  Raises RuleFault (CG807) where the rules leave a player nothing to do.
        """
        if self._legal is None:
            self._legal = self._find_legal()
        return self._legal[:]

    def _find_legal(self) -> list[int]:
        if self.cur >= 0:
            try:
                legal: list[int] = self.code.legal[self.pc](self, self.v, self.z)
            except Exception as error:
                raise self._fault(error) from error
            if not legal:
                fault = RuleFault("CG807", "no action is possible here", self.game.program.nodes[self.pc].span)
                raise self._fault(fault) from fault
            return legal
        return [] if self.cur == TERMINAL else [outcome for outcome, _ in self.chance_outcomes()]

    def apply_action(self, action: int | Sequence[int]) -> None:
        """Carry out a legal small action, a whole sentence (several small actions), or a chance outcome.

        Raises IllegalAction, with the state unchanged, where it is not legal; RuleFault where a rule
        cannot be carried out (the state is then over, with `Termination.FAULT`).
        """
        if not isinstance(action, int):
            self._apply_many(action)
            return
        if self._legal is None:
            self._legal = self._find_legal()
        if action not in self._legal or isinstance(action, bool):
            raise IllegalAction(f"{action} is not legal here")
        self.apply_unchecked(action)

    def _apply_many(self, actions: Sequence[int]) -> None:
        if self.cur == CHANCE:
            self._determine_all(tuple(actions))
            return
        trial = self.clone()
        player = trial.cur
        for number, action in enumerate(actions):
            if trial.cur != player and number:
                raise IllegalAction("these are more actions than one sentence")
            trial.apply_action(action)
        self._become(trial)

    def apply_unchecked(self, action: int) -> None:
        """Carry out a small action that is known to be legal.  Anything else breaks the state."""
        self._legal = None
        if self.cur == CHANCE:
            self._answer(action)
            return
        hist = self.hist
        hist.append(self.cur)
        hist.append(action)
        self.num_decisions += 1
        try:
            node = self.code.apply[self.pc](self, self.v, self.z, action)
            if self.num_decisions >= self.game.max_decisions:
                node = self._stop()
            self._run(node)
        except Exception as error:
            raise self._fault(error) from error

    def _run(self, node: int) -> None:
        """Carry out nodes until a decision, a chance event or the end."""
        run = self.code.run
        turns = 0
        while True:
            node = self._run_carefully(run, node) if self.und else run[node](self, self.v, self.z)
            if node < 0:
                return
            turns += 1
            if turns > NODE_LIMIT:
                raise RuleFault("CG804", "this goes round and round without a decision",
                                self.game.program.nodes[node].span)  # fmt: skip

    def _run_carefully(self, run: Sequence[Any], node: int) -> int:
        """Carry out a node that may need cards nobody has determined; undo it and stop where it does."""
        while True:
            saved = self._saved()
            try:
                following: int = run[node](self, self.v, self.z)
            except NeedCard as needed:
                self._restore(saved)
                face = chance.certain(self, needed.token)
                if face is None:
                    self.cur = CHANCE
                    self.pc = node
                    self.need = needed.token
                    return -1
                chance.determine(self, needed.token, face)
            else:
                return following

    def _saved(self) -> tuple[Any, ...]:
        return (
            self.v[:], [zone[:] for zone in self.z], dict(self.und), {n: p[:] for n, p in self.pools.items()},
            dict(self.turned), dict(self.by),
        )  # fmt: skip

    def _restore(self, saved: tuple[Any, ...]) -> None:
        self.v[:], zones, self.und, self.pools, self.turned, self.by = saved
        self.z[:] = zones

    def _stop(self) -> int:
        """Return the node that ends a play which has reached its greatest length."""
        self.too_long = True
        return self.game.program.final

    def finish(self, node: int, score: Any, returns: Any, winners: Any) -> None:
        """End the play by the rules; called by generated code with what `result` says."""
        self.pc = node
        self.cur = TERMINAL
        result = self.game.outcome_of(score, returns, winners)
        if self.too_long:
            result = Outcome(Termination.TOO_LONG, result.scores, (), result.returns, result.cooperative)
        self.result = result

    def _fault(self, error: Exception) -> RuleFault:
        fault = self.game.fault_of(error, self.code)
        ends = {"CG804": Termination.LIVELOCK, "CG807": Termination.DEADLOCK}
        self.result = Outcome(
            ends.get(fault.code, Termination.FAULT), None, (), (0.0,) * self.game.num_players, self.game.cooperative
        )
        self.cur = TERMINAL
        self._legal = None
        return fault

    # ---- chance

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of the waiting chance event with their probabilities (which sum to 1)."""
        if self.cur != CHANCE:
            return []
        if self.need is not None:
            return chance.outcomes(self, self.need)
        node = self.game.program.nodes[self.pc]
        assert isinstance(node, Chance)
        items = self._random_items()
        counts: dict[int, int] = {}
        for item in items:
            counts[item] = counts.get(item, 0) + 1
        return [(item, count / len(items)) for item, count in sorted(counts.items())]

    def _random_items(self) -> list[int]:
        try:
            listed: list[int] = self.code.legal[self.pc](self, self.v, self.z)
        except Exception as error:
            raise self._fault(error) from error
        if not listed:
            span = self.game.program.nodes[self.pc].span
            fault = RuleFault("CG808", "chance has nothing to choose from", span)
            raise self._fault(fault)
        if self.game.chance_is_card(self.pc):
            return [self.game.card_faces[c] for c in listed]
        return listed

    def resolve_chance(self, rng: chance.Rng) -> None:
        """Answer every waiting chance event at random; afterwards a player acts or the play is over.

        `rng` needs `random()` only.  Cards of shuffled piles are drawn all at once, which gives the same
        distribution as drawing each when it is needed.
        """
        while self.cur == CHANCE:
            if self.need is not None:
                self._determine_all(chance.draw_all(self, rng))
            else:
                items = self._random_items()
                self._answer(items[chance.below(rng, len(items))])

    def _determine_all(self, drawn: tuple[int, ...]) -> None:
        if self.need is None:
            raise IllegalAction("no pile waits to be dealt from")
        chance.determine_all(self, drawn)
        self.hist.append(CHANCE)
        self.hist.append(drawn)
        self._go_on()

    def _answer(self, outcome: int) -> None:
        self.hist.append(CHANCE)
        self.hist.append(outcome)
        self._legal = None
        if self.need is not None:
            chance.determine(self, self.need, outcome)
            self._go_on()
            return
        try:
            node = self.code.apply[self.pc](self, self.v, self.z, outcome)
            if len(self.hist) > self.game.max_history:
                node = self._stop()
            self._run(node)
        except Exception as error:
            raise self._fault(error) from error

    def _go_on(self) -> None:
        self.need = None
        self._legal = None
        try:
            self._run(self.pc)
        except Exception as error:
            raise self._fault(error) from error

    # ---- the end

    def returns(self) -> list[float]:
        """Return the payoff of each player: 0 until the end."""
        return [0.0] * self.game.num_players if self.result is None else list(self.result.returns)

    def outcome(self) -> Outcome | None:
        """Return how the play ended, or None while it goes on."""
        return self.result

    # ---- words

    def action_to_string(self, action: int, player: int | None = None) -> str:
        """Return the text of a small action or chance outcome, unique among the legal ones."""
        del player
        return self.game.texts.small_action(self, action)

    def string_to_action(self, text: str) -> int | tuple[int, ...]:
        """Return the small action that a text means, or the several that a sentence means.

        Raises IllegalAction, with what is wrong, where the text is no legal action here.
        """
        return self.game.texts.read(self, text)

    def explain(self, text: str) -> Refusal:
        """Say why a sentence is not legal here, with the rule's line and tags."""
        from interpreter.runtime.explain import explain

        return explain(self, text)

    def decision(self) -> Decision | None:
        """Return the decision that waits, or None."""
        node = self.game.program.nodes[self.pc] if self.cur >= 0 else None
        return node if isinstance(node, Decision) else None

    def picked(self) -> tuple[int, ...]:
        """Return the faces of the cards picked so far for an unfinished set."""
        node = self.decision()
        if node is None or node.only is None:
            return ()
        cards = self.v[self.code.layout.picked] or ()
        return tuple(self.game.card_faces[c] for c in cards)

    def prompt(self) -> str:
        """Return what the player to act is asked, in words; empty where nobody is."""
        return "" if self.cur < 0 else self.game.texts.prompt(self)

    # ---- knowledge

    def events(self, player: int | None = None) -> list[Event]:
        """Return all that happened, as a player saw it (None: everything)."""
        log = self._logged()
        events: list[Event] = log.events_so_far()
        return events if player is None else [e.seen_by(player) for e in events]

    def reached(self) -> frozenset[str]:
        """Return the rule tags that this play has carried out."""
        tags: frozenset[str] = frozenset(self._logged().tags)
        return tags

    def _logged(self) -> Any:
        from interpreter.runtime.logged import LoggedState

        if isinstance(self, LoggedState):
            return self
        done, log = self._log if self._log is not None else (0, self.game.new_logged_state())
        if done < len(self.hist):
            log = log.clone()
            for place in range(done, len(self.hist), 2):
                log.apply_item(self.hist[place + 1])
            self._log = (len(self.hist), log)
        elif self._log is None:
            self._log = (done, log)
        return log

    def observation(self, player: int | None = None) -> Observation:
        """Return what lies on the table for a player now, and what he holds (None: everything)."""
        from interpreter.runtime.observation import observe

        return observe(self, player)

    def observation_string(self, player: int) -> str:
        """Return the observation of a player as text."""
        from interpreter.runtime.observation import observation_text

        return observation_text(self, player)

    def public_observation_string(self) -> str:
        """Return what every player sees of the table now, as text."""
        from interpreter.runtime.observation import part_text

        return part_text(self, None)

    def private_observation_string(self, player: int) -> str:
        """Return what a player sees now and some other player does not, as text."""
        from interpreter.runtime.observation import part_text

        return part_text(self, player)

    def observation_tensor(self, player: int) -> list[float]:
        """Return the observation of a player as numbers, in `game.observation_layout()`."""
        from interpreter.runtime.observation import observation_tensor

        return observation_tensor(self, player)

    def information_state_string(self, player: int) -> str:
        """Return all that a player has seen so far: perfect recall."""
        from interpreter.runtime.observation import information_state_text

        return information_state_text(self, player)

    def resample_from_infostate(self, player: int, rng: chance.Rng) -> State:
        """Return another state in which the player has seen exactly the same and every action was legal."""
        from interpreter.runtime.resample import resample

        return resample(self, player, rng)

    # ---- copies

    def clone(self) -> State:
        """Return an independent copy."""
        other = object.__new__(type(self))
        other.game = self.game
        other.code = self.code
        other._copy(self)
        return other

    def _copy(self, other: State) -> None:
        self.v = other.v[:]
        self.z = [zone[:] for zone in other.z]
        self.cur = other.cur
        self.pc = other.pc
        self.und = dict(other.und) if other.und else {}
        self.pools = {n: p[:] for n, p in other.pools.items()} if other.pools else {}
        self.turned = dict(other.turned) if other.turned else {}
        self.by = dict(other.by) if other.by else {}
        self.hist = other.hist[:]
        self.need = other.need
        self.num_decisions = other.num_decisions
        self.result = other.result
        self.too_long = other.too_long
        self._legal = other._legal
        self._log = other._log

    def _become(self, other: State) -> None:
        """Take over everything from a state that nobody else will use."""
        for name in State.__slots__:
            setattr(self, name, getattr(other, name))

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.clone()

    def history(self) -> list[tuple[int, HistoryItem]]:
        """Return all (actor, action) so far; chance is actor -1, a tuple answers several events at once."""
        return [(self.hist[i], self.hist[i + 1]) for i in range(0, len(self.hist), 2)]

    def content(self) -> tuple[Any, ...]:
        """Return the state as one hashable value: its position, with copies of a card alike, and its history."""
        faces = self.game.card_faces
        unordered = self.game.unordered
        cards = self.game.num_cards

        def face(card: int) -> int:
            return faces[card] if card < cards else len(faces) + card

        zones = tuple(
            tuple(sorted(map(face, zone))) if unordered[place] else tuple(map(face, zone))
            for place, zone in enumerate(self.z)
        )
        marks = tuple(sorted((face(c), m) for held in (self.turned, self.by) for c, m in held.items()))
        pools = tuple(sorted((n, tuple(faces[c] for c in p)) for n, p in self.pools.items()))
        base = sum(v.places for v in self.game.rules.variables)
        return (self.cur, self.pc, tuple(self.v[:base]), zones, marks, pools, self.need, self.result, tuple(self.hist))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self.game.key == other.game.key and self.content() == other.content()

    def __hash__(self) -> int:
        return hash((self.game.key, self.content()))

    def serialize(self) -> str:
        """Return the state as text: the play that led to it (`game.deserialize_state` reads it)."""
        items = [list(a) if isinstance(a, tuple) else a for a in self.hist[1::2]]
        return json.dumps({"game": self.game.describe(), "history": items}, separators=(",", ":"))

    def __reduce__(self) -> tuple[Any, ...]:
        from interpreter.load import revive

        return revive, (self.game.spec_text(), self.game.num_players, self.game.option_texts(), self.hist[1::2])

    def __str__(self) -> str:
        from interpreter.runtime.observation import observation_text

        return observation_text(self, None)

    # ---- what the logged kind of state does more

    def shuffled(self, pile: list[int]) -> None:
        """Note that a pile's cards are tokens now."""

    def determined(self, cards: dict[int, int]) -> None:
        """Note that tokens became cards."""

    def moving(self, cards: list[int], place: int, face: str | None, by: int | None) -> None:
        """Note that cards are about to move."""

    def shuffling(self, place: int) -> None:
        """Note that a pile is about to be shuffled."""

    def turning(self, cards: list[int], up: bool) -> None:
        """Note that cards are about to be turned."""

    def showing(self, cards: list[int], viewers: int) -> None:
        """Note that cards are shown to a set of players."""
