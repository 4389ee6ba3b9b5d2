"""Any spec as an OpenSpiel game, for its algorithms and its tests.

    import pyspiel
    from interpreter.adapters import openspiel

    game = pyspiel.load_game("cardgame_chalice_and_wand(hands=open)")   # bundled games have names
    game = openspiel.load_game("my.cardgame", players=3)                # any other file

Chance is explicit: each card of a shuffled pile is an event of its own when a player learns it.  Choosing a set
of cards is a sequence of small actions.  A state of OpenSpiel holds one attribute, a `Position`, because their
clone copies what it finds attribute by attribute.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from interpreter.adapters.parameters import PLAYERS, ZERO_SUM, Offered, offered
from interpreter.agents import Agent, AgentView, Beliefs, read_name
from interpreter.engine.game import Game, State
from interpreter.engine.machine import CHANCE, TERMINAL
from interpreter.loader import SpecNotFoundError, bundled_games, bundled_variants
from interpreter.native.tapes import one_by_one
from interpreter.setting import Value

try:
    import pyspiel

    from interpreter.adapters.observer import Observer
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "OpenSpiel is not installed; install this package with its extra `openspiel`, or the package `open_spiel`",
        name=missing.name,
    ) from missing

Source = tuple[str, tuple[tuple[str, Value], ...]]
"""A registered name and its parameters: enough to find the game again in another process."""

EXACT = 1e-9
"""How far from 0 the sum of payoffs may be for want of digits."""

_OFFERED: dict[str, Offered] = {}
_GAMES: dict[Source, Game] = {}
_SPECIAL = {CHANCE: pyspiel.PlayerId.CHANCE, TERMINAL: pyspiel.PlayerId.TERMINAL}
_UTILITIES = {
    "identical": pyspiel.GameType.Utility.IDENTICAL,
    "zero-sum": pyspiel.GameType.Utility.ZERO_SUM,
    "general": pyspiel.GameType.Utility.GENERAL_SUM,
}


def register(spec: str | Path, name: str | None = None) -> str:
    """Make a spec known to OpenSpiel and return the name by which it loads it: `cardgame_` and the file's name.

    `spec` is a path or the name of a bundled game or variant; `name` is given where another file has that name
    already.  The options of the spec, and `players`, are parameters.  To register a file once more is to read it
    anew.  Raises SpecNotFoundError, SpecError, and ValueError where the name belongs to another spec.
    """
    return _register(offered(spec, name))


def _register(found: Offered) -> str:
    known = _OFFERED.get(found.name)
    if known is not None and known.path != found.path:
        raise ValueError(f"`{found.name}` is {known.path} already; give {found.path} another name")
    if known is None and found.name in pyspiel.registered_names():
        raise ValueError(f"OpenSpiel has a game `{found.name}` already; give {found.path} another name")
    _OFFERED[found.name] = found
    for source in [source for source in _GAMES if source[0] == found.name]:
        del _GAMES[source]
    # Facts that depend on players and options belong to each loaded game; these hold for all of them.
    general = _game_type(found, pyspiel.GameType.Utility.GENERAL_SUM, perfect=False)
    pyspiel.register_game(general, type(found.name, (_Maker,), {"registered": found.name}))
    return found.name


def load_game(
    spec: str | Path,
    players: int | None = None,
    options: dict[str, Any] | None = None,
    name: str | None = None,
    *,
    zero_sum: bool = False,
) -> CardGame:
    """Return a spec as an OpenSpiel game, registered if it was not; see `interpreter.load` and `register`.

    With `zero_sum` its returns always add up to 0, which no spec can say of itself.

    Raises what `register` raises, and SettingError for players or options that the spec does not have.
    """
    found = offered(spec, name)
    if _OFFERED.get(found.name) != found:
        _register(found)
    names = {option: parameter for parameter, option in found.options.items()}
    given = {}
    for option, value in (options or {}).items():
        parameter = names.get(option, option)
        given[parameter] = found.written(parameter, value)
    if players is not None:
        given[PLAYERS] = players
    return CardGame(found.name, {**given, ZERO_SUM: zero_sum})


def compiled(source: Source) -> Game:
    """Return the game of a registered name and its parameters, compiled once."""
    if source not in _GAMES:
        name, parameters = source
        if name not in _OFFERED:
            raise SpecNotFoundError(f"`{name}` is not registered here; call `register` with its file first")
        _GAMES[source] = _OFFERED[name].load(dict(parameters))
    return _GAMES[source]


class CardGame(pyspiel.Game):  # type: ignore[misc]
    """A spec for one number of players and one set of options.  `rules` is the game as this package knows it."""

    def __init__(self, name: str, parameters: dict[str, Value]) -> None:
        """Compile a registered spec.  Raises SettingError, SpecError."""
        found = _OFFERED[name]
        settled = found.settled({key: value for key, value in parameters.items() if key != "name"})
        self.source: Source = (name, tuple(sorted(settled.items())))
        self.rules = compiled(self.source)
        self.first = self.rules.new_initial_state()
        low, high = self.rules.utility_range
        self.zero_sum: bool = self.rules.utility == "zero-sum" or bool(settled[ZERO_SUM])
        utility = _UTILITIES["zero-sum" if self.zero_sum else self.rules.utility]
        super().__init__(
            _game_type(found, utility, perfect=self.rules.perfect_information),
            pyspiel.GameInfo(
                num_distinct_actions=self.rules.num_distinct_actions,
                max_chance_outcomes=self.rules.max_chance_outcomes,
                num_players=self.rules.num_players,
                min_utility=low,
                # OpenSpiel wants room between the bounds, even of a game that always pays the same.
                max_utility=high if high > low else low + 1.0,
                utility_sum=0.0 if self.zero_sum else None,
                max_game_length=self.rules.max_game_length,
            ),
            settled,
        )

    def new_initial_state(self) -> CardState:
        """Return the state before anything has happened."""
        return CardState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound on the chance events of a play."""
        return self.rules.max_chance_nodes + self.rules.max_decisions

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Observer:
        """Return an observer of what a type asks for; without one, of what a player sees now.

        Raises ValueError for parameters, since there are none.
        """
        return Observer(self.rules, iig_obs_type, params)


class _Maker:
    """Makes games of one registered spec when it is called.

    OpenSpiel lets go of what it was given only after Python has shut down; classes outlive that, functions do not.
    """

    registered = ""

    def __new__(cls, parameters: dict[str, Value]) -> Any:
        return CardGame(cls.registered, parameters)


class Position:
    """A state of this package that can be copied at once, and pickled as the play that led to it."""

    __slots__ = ("source", "state")

    def __init__(self, source: Source, state: State) -> None:
        self.source = source
        self.state = state

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return Position(self.source, self.state.clone())

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.source, self.state.entries[1::2])


def _restored(source: Source, items: list[Any]) -> Position:
    return Position(source, compiled(source).play_history(items))


class CardState(pyspiel.State):  # type: ignore[misc]
    """A point of one play."""

    def __init__(self, game: CardGame) -> None:
        """Begin a play; `game.new_initial_state()` does so."""
        super().__init__(game)
        self.position = Position(game.source, game.first.clone())

    def current_player(self) -> int:
        """Return the player to act, chance or the end."""
        cur = self.position.state.to_act
        return cur if cur >= 0 else _SPECIAL[cur]

    def is_terminal(self) -> bool:
        """Say whether the play is over."""
        return self.position.state.to_act == TERMINAL

    def returns(self) -> list[float]:
        """Return the payoff of each player: 0 until the end.

        Raises ValueError where the game was loaded as one of sum zero, and is none.
        """
        paid = self.position.state.returns()
        if dict(self.position.source[1])[ZERO_SUM] and abs(sum(paid)) > EXACT:
            raise ValueError(f"the returns {paid} do not add up to 0; load this game without `{ZERO_SUM}`")
        return paid

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of the waiting chance event, numbered from 0, with their probabilities.

        Raises RuleError where chance has nothing to choose from, RuntimeError where an outcome is beyond the bound.
        """
        state = self.position.state
        below = state.chance_offset()
        outcomes = [(outcome + below, chance) for outcome, chance in state.chance_outcomes()]
        # OpenSpiel would write beyond its memory, which nobody would notice at once.
        if outcomes and not 0 <= outcomes[0][0] <= outcomes[-1][0] < state.game.max_chance_outcomes:
            raise RuntimeError(f"outcomes {outcomes} beyond their bound of {state.game.max_chance_outcomes}")
        return outcomes

    def resample_from_infostate(self, player: int, sampler: Any) -> CardState:
        """Return another state in which a player has seen the same; `sampler()` draws numbers from 0 to 1."""
        world = one_by_one(self.position.state.resample_from_infostate(player, _Sampled(sampler)))
        other = CardState(self.get_game())
        for place in range(1, len(world.entries), 2):
            other.apply_action(world.entries[place] + other.position.state.chance_offset())
        return other

    def _legal_actions(self, player: int) -> list[int]:
        del player
        return self.position.state.legal_actions()

    def _apply_action(self, action: int) -> None:
        state = self.position.state
        state.apply_action(action - state.chance_offset())

    def _action_to_string(self, player: int, action: int) -> str:
        state = self.position.state
        if player == CHANCE:
            return state.action_to_string(action - state.chance_offset())
        return state.action_to_string(action) if player == state.to_act else state.game.texts.action(action)

    def __str__(self) -> str:
        state = self.position.state
        return f"{state}\nhistory: {' '.join(map(str, state.entries[1::2]))}"


class _Sampled:
    """OpenSpiel's sampler of numbers as a generator."""

    def __init__(self, sampler: Any) -> None:
        self.random = sampler


# ---- agents


class AgentBot(pyspiel.Bot):  # type: ignore[misc]
    """An agent of this package as a bot of OpenSpiel: `openspiel.bot("search:1000", game, player)`.

    The agent sees what its player has seen, and not the state that the bot is handed.
    """

    def __init__(self, game: CardGame, agent: Agent, player: int, seed: int) -> None:
        super().__init__()
        self._agent = agent
        self._player = player
        self._seed = seed
        self._source = game.source
        self.restart()

    def player_id(self) -> int:
        """Return the player for whom the bot chooses."""
        return self._player

    def provides_policy(self) -> bool:
        """Say that there is no policy to ask for: the agent chooses."""
        return False

    def restart(self) -> None:
        """Begin a new play."""
        self._beliefs = Beliefs(f"{self._seed}/belief")
        self._sentence: list[int] = []
        self._past: list[Any] = []

    def restart_at(self, state: CardState) -> None:
        """Go on from a state, which may be of another play."""
        del state
        self.restart()

    def inform_action(self, state: CardState, player: int, action: int) -> None:
        """Receive an action of another player; nothing to do, because the state has it."""

    def inform_actions(self, state: CardState, actions: list[int]) -> None:
        """Hear of actions at the same time, which there are none of: all games are sequential."""

    def step(self, state: CardState) -> int:
        """Return the small action of the player to act.  Raises ValueError where that is another player."""
        position = state.position
        if position.source != self._source:
            raise ValueError(f"this bot plays {self._source[0]}, not {position.source[0]}")
        if position.state.to_act != self._player:
            raise ValueError(f"player {self._player} is not to act here")
        past = position.state.entries
        if not self._sentence or past != self._past:
            chosen = self._agent.act(AgentView(position.state, self._beliefs))
            self._sentence = [chosen] if isinstance(chosen, int) else list(chosen)
        action = self._sentence.pop(0)
        self._past = [*past, self._player, action]
        return action


def bot(agent: str | Agent, game: CardGame, player: int, seed: int = 0) -> AgentBot:
    """Return a bot that plays as an agent does, given by its name (`random`, `search:1000`, ..) or itself.

    Raises AgentError for a name that there is not, or an agent that cannot play this game.
    """
    found = read_name(agent).make(game.rules, seed) if isinstance(agent, str) else agent
    return AgentBot(game, found, player, seed)


class PolicyAgent:
    """A policy of OpenSpiel as an agent: anything with `action_probabilities(state, player)`.

    The state that the policy is handed is no true one, but a world in which its player has seen the same, so it must
    look at information states and observations alone.
    """

    def __init__(self, policy: Any, game: CardGame, seed: int | str = 0) -> None:
        self._policy = policy
        self._game = game
        self._seed = seed

    def act(self, view: AgentView) -> int:
        """Return a small action, drawn as the policy says."""
        (world,) = view.belief().draw(1)
        state = self._game.new_initial_state()
        state.position = Position(self._game.source, world)
        chances = self._policy.action_probabilities(state, view.player)
        rng = Random(f"{self._seed}/seat {view.player + 1}/{view.turn}")
        return int(rng.choices([*chances], [*chances.values()])[0])


def _game_type(found: Offered, utility: Any, *, perfect: bool) -> Any:
    least, most = found.signature.players
    kinds = pyspiel.GameType
    information = kinds.Information
    return kinds(
        short_name=found.name,
        long_name=found.signature.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=information.PERFECT_INFORMATION if perfect else information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=least,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=found.defaults,
        default_loadable=True,
    )


for _name in (*bundled_games(), *bundled_variants()):
    # Thousands of lines need not be parsed so that OpenSpiel knows some names; they are when a game is loaded.
    _register(offered(_name, sound=True))
