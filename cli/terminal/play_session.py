"""A play at the terminal from its first card to its outcome, with everything that can come between."""

from __future__ import annotations

import os
import secrets
import shlex
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NoReturn

import click
import msgspec

from cli.arguments import HUMAN, read_names, read_seats, read_text, read_who
from cli.failures import USAGE, PlayRefused, fault_text, os_problem
from cli.stopping import STOPPED
from cli.terminal.ending import Ended, ending_signals
from cli.terminal.human_agent import HumanAgent, Left, OutOfLines, TakenBack
from cli.terminal.lines import Lines, ScriptLines, StreamLines, TerminalLines
from cli.terminal.screen import make_console
from cli.terminal.tally import ANALYSE, YES, Tally, ask_what_next
from cli.terminal.thinking import ThinkingSeat, hint_lines, patience, review_lines, thought
from grammar import files
from interpreter.agents import Agent, AgentError, AgentName, AgentView, Beliefs, RandomAgent, Thinker, read_name
from interpreter.engine.faults import NoWorldError, RuleError
from interpreter.engine.game import Game, State
from interpreter.english.words import capital, sentence
from interpreter.loader import SUFFIX, bundled_games, bundled_variants, find_spec, load
from interpreter.records.autosave import Autosave, Resumable
from interpreter.records.saves import LARGEST_SEED, Save, SaveError, read_save, write_save
from interpreter.records.shared_play import Decided, SharedPlay, whole_decision
from interpreter.records.undo import learned_since, undo_point
from interpreter.table.information import information_state, open_information
from interpreter.table.narrator import EventNarrator
from interpreter.table.scores import explainer_of
from interpreter.text.names import Names

SEEDS = 1_000_000

OPPONENT, OPPONENT_IN_PYTHON = "search:0.5s", "greedy"
"""The agent in unassigned seats of a play at a terminal, and the one where the game is not available in C."""
STEADY = "random"
"""The agent in unassigned seats where actions come from a file or a stream: the same play on every machine."""
UNASSIGNED = "unassigned"
ADVISER, STEADY_ADVISER = "search:2s", "search:200"
"""The agent that gives hints, and the same where no terminal reads."""
REVIEWER = "search:0.5s"
"""The agent that reviews each decision of a play that is over; where no terminal reads, as for hints."""


def begin(
    ctx: click.Context,
    spec: str,
    players: int | None,
    options: dict[str, str],
    seed: int | None,
    seats: Sequence[str],
    names: Sequence[str] = (),
    *,
    at_a_terminal: bool = False,
) -> PlaySession:
    """Return a new play; who plays the open seats depends on whether there is a terminal.

    Raises what `interpreter.load` raises, and click.UsageError for bad seats and names.
    """
    if seed is not None and abs(seed) > LARGEST_SEED:
        raise click.UsageError("a seed has 30 digits at most")
    game = load(spec, players, dict(options))
    default = [HUMAN, *[UNASSIGNED if at_a_terminal else STEADY] * (game.num_players - 1)]
    who = read_seats(seats, game.num_players, default)
    if UNASSIGNED in who:
        from interpreter.belief.belief import library_of  # late: native

        opponent = OPPONENT_IN_PYTHON if library_of(game) is None else OPPONENT
        who = tuple(opponent if word == UNASSIGNED else word for word in who)
    called = read_names(names, game.num_players)
    play = SharedPlay(game, new_seed() if seed is None else seed, at_once=False)
    return PlaySession(ctx, play, spec_name(spec), who, called)


def new_seed() -> int:
    """Return a seed that nobody has chosen."""
    return secrets.randbelow(SEEDS)


def saved_play(file: str) -> Save:
    """Return the save in a file, or from standard input for `-`.  Raises PlayRefused where it is no save."""
    try:
        return read_save(read_text(file))
    except SaveError as error:
        raise PlayRefused(f"{file}: {error}") from None


def take_up(
    ctx: click.Context, file: str, spec: str | None, seats: Sequence[str], names: Sequence[str] = ()
) -> PlaySession:
    """Return a play that was saved.  Raises PlayRefused where the file cannot be taken up."""
    save = saved_play(file)
    try:
        playing = _restored(ctx, save, spec_name(spec or save.spec), seats, names)
    except SaveError as error:
        raise PlayRefused(f"{file}: {error}") from None
    playing.saved_as = Path(file)
    playing.saved_decisions = playing.play.decisions
    return playing


def resume_autosave(ctx: click.Context, found: Resumable, spec: str) -> PlaySession | None:
    """Return a play that ended before it was over; None where another process continues it already.

    Raises PlayRefused where it cannot go on.
    """
    try:
        playing = _restored(ctx, found.save, spec)
        playing.autosave = Autosave.of(found, find_spec(spec))
    except SaveError as error:
        raise PlayRefused(f"the unfinished play cannot continue: {error}") from None
    return None if playing.autosave is None else playing


def _restored(
    ctx: click.Context, save: Save, spec: str, seats: Sequence[str] = (), names: Sequence[str] = ()
) -> PlaySession:
    """Return a saved play, with other seats and names where these are given.  Raises SaveError."""
    try:
        who = tuple(map(read_who, save.seats))
    except click.UsageError as error:
        raise SaveError(f"this saved play is damaged: unknown player: {error.message}") from None
    play = SharedPlay.restored(save, load(spec, save.players, dict(save.options)), at_once=False)
    called = read_names(names, save.players, save.called())
    playing = PlaySession(ctx, play, spec, read_seats(seats, save.players, who), called)
    playing.engines |= set(save.engines)
    return playing


def _in_words(name: AgentName) -> str:
    """Return how an agent plays: `by search (0.5 seconds a decision)`."""
    if not name.thinks:
        return f"by {name.word}"
    return f"by {name.word} ({name.budget.in_words()}{' a decision' if name.kind.by_decision else ''})"


def spec_name(spec: str) -> str:
    """Return a spec as it can be named again: bundled games by name, others as given."""
    name = spec.removesuffix(SUFFIX)
    return name if not Path(spec).is_file() and name in bundled_games() else spec


class PlaySession:
    """One play at the terminal; `tally` is what came of those before it."""

    def __init__(
        self,
        ctx: click.Context,
        play: SharedPlay,
        spec: str,
        seats: tuple[str, ...],
        names: Names,
        tally: Tally | None = None,
    ) -> None:
        self.names = names
        self.tally = tally or Tally(play.game, names)
        self.ctx = ctx
        self.play = play
        self.game: Game = play.game
        self.spec = spec
        self.seats = seats
        self.people = tuple(p for p, who in enumerate(seats) if who == HUMAN)
        self.engines: set[str] = set()
        self.console = make_console(ctx, sys.stdout)
        self.saved_as: Path | None = None
        self.saved_decisions = 0
        self.desk: HumanAgent | None = None
        self.autosave: Autosave | None = Autosave(find_spec(spec)) if self.people else None
        self._troubled = ""

    def run(self, script: str | None, text: str | None, transcript: str | None, *, asks_all: bool = False) -> None:
        """Play to the end, or until a player leaves; print how it ended, and write the transcript.

        A file of actions (`text`) has a line for every decision, so the file is read even where there is no choice.
        """
        lines = self.lines = self._lines(script, text)
        self.desk = HumanAgent(self.game, self.console, lines, self.people, self.save, self.undo_point,
                               asks_all=asks_all or text is not None, names=self.names, hint=self.hint)  # fmt: skip
        agents = [self._seated(player) for player in range(len(self.seats))]
        self._welcome()
        try:
            with ending_signals():
                self._go_on(agents)
        except Ended as ended:
            self._end_by_signal(ended)
        except Left:
            self._leave("", transcript)
        except OutOfLines as end:
            self._leave(end.where, transcript)
        except KeyboardInterrupt:
            self.console.print()
            self._leave("stopped", transcript, STOPPED)
        except PlayRefused as refused:
            raise PlayRefused(f"{refused.message}\n{self._kept()}".rstrip()) from None
        except RuleError as fault:
            self._report_fault(fault, transcript)
        self._show_result(transcript)

    def _seated(self, player: int) -> Agent:
        """Return who chooses for a player.  Raises AgentError where an agent cannot play this game.

        An agent that spends its budget anew for each decision is prepared when it decides first.
        """
        assert self.desk is not None
        if self.seats[player] == HUMAN:
            return self.desk
        name, seed = read_name(self.seats[player]), self.play.seed
        if not name.thinks:
            return name.make(self.game, seed)

        name.check(self.game)

        def prepared() -> Thinker:
            thinker = name.make(self.game, seed)
            assert isinstance(thinker, Thinker)
            self.engines.add(thinker.engine)
            return thinker

        called = self._called([player])
        paces = bool(self.people) and not self.game.perfect_information
        said = f"{called} plays a random action wherever `{name.word}` cannot sample a belief."
        seat = ThinkingSeat(prepared, called, RandomAgent(seed), partial(self.desk.notify, said), paces=paces)
        if not name.kind.by_decision:
            assert seat.thinker
        return seat

    # ---- hints and analysis

    def hint(self, view: AgentView, agent: str = "") -> list[str]:
        """Return what an agent would do in the place of a player, in lines; or why there is no such agent.

        `agent` names one that thinks; by default it is `search`.
        """
        try:
            name = read_name(agent) if agent else self._adviser(ADVISER)
            thinker = self._thinker(name)
        except AgentError as error:
            return [f"There is no hint: {error}."]
        try:
            with patience("Thinking") as enough:
                advice = thought(thinker, view, enough.on_progress)
        except NoWorldError as error:
            return [f"There is no hint: {error.to_player}."]
        return hint_lines(self.game, advice, name.word)

    def _adviser(self, timed: str) -> AgentName:
        return read_name(timed if self.lines.alone else STEADY_ADVISER)

    def _thinker(self, name: AgentName) -> Thinker:
        made = name.make(self.game, f"{self.play.seed}/advice")
        if not isinstance(made, Thinker):
            raise AgentError(f"`{name}` gives no advice: write hint search, or hint look:FILE")
        return made

    def analyse(self) -> None:
        """Show where those at the terminal gave most away; Ctrl-C ends it with the decisions that were looked at."""
        from interpreter.records.review import Reviewed, review  # late: views

        name = self._adviser(REVIEWER)
        try:
            thinker = self._thinker(name)
        except AgentError as error:
            self.console.print(f"There is no analysis: {error}.")
            return
        history = [item for _, item in self.play.state.history()]
        reviewed: list[Reviewed] = []
        with patience("Looking at your choices") as enough:
            thinker.on_progress = enough.on_progress
            try:
                for one in review(self.game, history, self.people, thinker):
                    reviewed.append(one)
                    if enough.stopped:
                        break
            except NoWorldError as error:
                self.console.print(f"The analysis stops early: {error}.")
        narrator = EventNarrator(self.game, self.people[0] if len(self.people) == 1 else None, self.names)
        for player in self.people:
            called = narrator.player(player)
            own = [one for one in reviewed if one.player == player]
            for line in review_lines(self.game, own, name.word, capital(called)):
                self.console.print(self.names.put(line))

    def another(self) -> PlaySession | None:
        """Return a play of the same game by the same players, if those at the terminal want one."""
        if not (self.people and self.lines.alone):
            return None
        while (wanted := ask_what_next(self.lines)) == ANALYSE:
            self.analyse()
        if wanted != YES:
            return None
        play = SharedPlay(self.game, new_seed(), at_once=False)
        return PlaySession(self.ctx, play, self.spec, self.seats, self.names, self.tally)

    def _lines(self, script: str | None, text: str | None) -> Lines:
        if text is not None:
            name = "standard input" if script == "-" else str(script)
            return ScriptLines(name, text, sys.stdout)
        if sys.stdin.isatty() and sys.stdout.isatty():
            return TerminalLines()
        return StreamLines(sys.stdin, sys.stdout)

    def _go_on(self, agents: Sequence[Agent]) -> None:
        play, beliefs, leaving = self.play, Beliefs(f"{self.play.seed}/belief"), False
        while play.fault is None and not play.is_over:
            player = play.state.current_player()
            try:
                actions = whole_decision(agents[player], AgentView(play.state, beliefs))
            except TakenBack as back:
                learned = learned_since(play.state, back.decisions)
                play.rewind(back.decisions)
                self._note([play.decisions])
                self.console.print("Taken back. You keep what you have learned since." if learned else "Taken back.")
                continue
            except Left:
                if leaving or self._is_safe():
                    raise
                leaving = True
                self.console.print("This play cannot be kept.  `save FILE` writes it; `quit` again discards it.")
                continue
            self._note(play.decide(player, actions))
        if play.fault is not None:
            raise play.fault

    # ---- the autosave

    def _note(self, entries: Sequence[Decided | int]) -> None:
        """Write decisions, or how many are left, to the autosave, which begins when the first person has decided."""
        autosave = self.autosave
        by_people = any(isinstance(entry, tuple) and entry[0] in self.people for entry in entries)
        if autosave is None or not (autosave.is_begun or by_people):
            return
        autosave.add(entries, lambda: self._as_save(self._named_from_anywhere()))
        if autosave.problem and autosave.problem != self._troubled:
            self.console.print(f"This play is not kept as it goes: {autosave.problem}.  `save FILE` writes it down.")
        self._troubled = autosave.problem

    def _as_save(self, spec: str) -> Save:
        save = self.play.saved(spec, self.seats, self.names)
        return msgspec.structs.replace(save, engines=tuple(sorted(self.engines)))

    def _named_from_anywhere(self) -> str:
        return self.spec if self.spec in (*bundled_games(), *bundled_variants()) else os.path.abspath(self.spec)

    def _end_by_signal(self, ended: Ended) -> NoReturn:
        """End the play at a signal; the autosave keeps it."""
        if self.desk is not None:
            self.desk.wipe()
        begun = self.autosave is not None and self.autosave.is_begun
        how = f"  Continue it with: cardgame play {shlex.quote(self.spec)} --resume" if begun else ""
        click.echo(f"\nStopped by {ended.name}.{how}", err=True)
        self.ctx.exit(ended.code)

    def _welcome(self) -> None:
        """Say who sits where, what the aim is, and where help is."""
        if not self.people:
            return
        called = self.names.of
        said = [f"You are {called(self.people[0])}." if len(self.people) == 1 else
                f"{self._called(self.people)} are people."]  # fmt: skip
        for who in dict.fromkeys(who for who in self.seats if who != HUMAN):
            bots = [p for p, name in enumerate(self.seats) if name == who]
            how = "at random" if who == STEADY else _in_words(read_name(who))
            said.append(f"{self._called(bots)} {'are' if len(bots) > 1 else 'is'} played {how}.")
        desk = self.desk
        assert desk is not None
        desk.greet(" ".join([sentence(self.game.title), *said, "Type ? for help, `rules` for the rules."]))

    def _called(self, players: Sequence[int]) -> str:
        """Return players at the beginning of a sentence: `Players 2 and 3`, or their names."""
        return capital(self.names.listed(players))

    # ---- taking back, saving, leaving

    def undo_point(self, player: int) -> int | str:
        """Return how many small actions were made before a player's last decision, or why it cannot be taken back."""
        forced = self.desk is not None and self.desk.takes_forced
        return undo_point(self.play.state, player, self.people, self.names, takes_forced=forced)

    def save(self, name: str | None) -> str:
        """Write the play to a file and return what to say."""
        path = Path(name) if name else self.saved_as or self._free_name()
        try:
            files.write_text(path, write_save(self._as_save(self.spec)))
        except OSError as error:
            return f"not saved: {os_problem(error)}"
        self.saved_as = path
        self.saved_decisions = self.play.decisions
        return f"Saved.  Continue it with: cardgame play --load {shlex.quote(str(path))}"

    def _free_name(self) -> Path:
        stem = Path(self.spec).name.removesuffix(SUFFIX)
        path = Path(f"{stem}.save")
        number = 2
        while path.exists():
            path = Path(f"{stem}-{number}.save")
            number += 1
        return path

    def _kept(self) -> str:
        """Close or remove the autosave; return where the play is kept, or nothing if no person has decided anything."""
        autosave = self.autosave
        if self._is_kept():
            if autosave is not None:
                autosave.end()
            return "" if self.saved_as is None else f"The play is saved in {self.saved_as}."
        if autosave is None or not autosave.is_begun:
            return f"The play is not kept{f': {autosave.problem}' if autosave and autosave.problem else ''}."
        autosave.close()
        part = ", as far as it could be written" if autosave.problem else ""
        return f"The play is saved{part}.  Continue it with: cardgame play {shlex.quote(self.spec)} --resume"

    def _is_kept(self) -> bool:
        """Say whether a file has all that the people decided."""
        acted = any(actor in self.people for actor, _ in self.play.state.history())
        return not acted or (self.saved_as is not None and self.saved_decisions == self.play.decisions)

    def _is_safe(self) -> bool:
        """Say whether the play can go on after the program has ended."""
        return self._is_kept() or (self.autosave is not None and self.autosave.is_begun and not self.autosave.problem)

    def _leave(self, why: str, transcript: str | None, code: int = 0) -> NoReturn:
        player = self.play.state.current_player()
        if self.desk is not None:
            self.desk.wipe()
        if why:
            turn = f"; {self.names.of(player)} is to act" if player >= 0 else ""
            self.console.print(f"The play is not over: {why}{turn}.")
        self.console.print(self._kept() or "There is nothing to keep yet.")
        if transcript is not None:
            self.console.print("No transcript yet: it shows hidden cards, so it is written when the play is over.")
        self.ctx.exit(code if self._is_safe() else code or USAGE)

    def _report_fault(self, fault: RuleError, transcript: str | None) -> NoReturn:
        lines = [fault_text(fault), f"   = help: {self._kept() or f'Repeat it with: {self._command()}'}"]
        if transcript is not None:
            self._write_transcript(transcript)
            lines.append(f"   = help: the play that led there is in {transcript}")
        raise PlayRefused("\n".join(lines))

    # ---- the end

    def _show_result(self, transcript: str | None) -> None:
        state = self.play.state
        outcome = state.outcome()
        assert outcome is not None
        if self.autosave is not None:
            self.autosave.end()
        self._show_end(state)
        self.console.print(
            EventNarrator(self.game, self.people[0] if len(self.people) == 1 else None, self.names).outcome(outcome),
            style="bold",
        )
        self.tally.add(outcome)
        # Where winners share 1, who won says it all.
        if any(outcome.returns) and outcome.scores is None and self.game.utility_range != (-1.0, 1.0):
            self.console.print("Returns: " + ", ".join(f"{r:g}" for r in outcome.returns))
        if self.tally.plays > 1:
            self.console.print(self.tally.text(self.people[0] if len(self.people) == 1 else None))
        said, command = f"The seed was {self.play.seed}.  The same cards again:", self._command()
        between = " " if len(said) + 1 + len(command) < self.console.width else "\n  "
        self.console.print(f"{said}{between}{command}", soft_wrap=True)
        if transcript is not None:
            self._write_transcript(transcript)
            self.console.print(f"Check the transcript with: cardgame replay {shlex.quote(transcript)}")

    def _show_end(self, state: State) -> None:
        """Show the last events and the table: to one person what they saw, to several what everybody saw.

        Without people at the table nothing is hidden.
        """
        desk = self.desk
        assert desk is not None
        you = self.people[0] if len(self.people) == 1 else None
        info = information_state(state, you) if self.people else open_information(state)
        desk.wipe()
        desk.write_notices()
        narrator = EventNarrator(self.game, you, self.names)
        if you is not None:
            narrator.explaining(info.events, explainer_of(self.game, you).explained(state, info))
        desk.narrate(desk.news(info), narrator)
        if len(self.people) <= 1 or not desk.hides:
            desk.show_table(info)
            self.console.print()

    def _write_transcript(self, name: str) -> None:
        from interpreter.records.transcript import record  # late: views

        history = [item for _, item in self.play.state.history()]
        by = f" ({', '.join(sorted(self.engines))})" if self.engines else ""
        seats = {p: who + (by if who != HUMAN and read_name(who).thinks else "") for p, who in enumerate(self.seats)}
        text = record(self.game, self.spec, self.play.seed, history, self.names, seats)
        files.write_text(name, text)

    def _command(self) -> str:
        words = ["cardgame", "play", self.spec]
        if self.game.rules.player_range[0] != self.game.num_players:
            words += ["--players", str(self.game.num_players)]
        texts = self.game.option_texts()
        for option in self.game.rules.options:
            if option.value != option.default:
                words += ["--option", f"{option.name}={texts[option.name]}"]
        if len(set(self.seats)) == 1:
            words += ["--seat", f"all={self.seats[0]}"]
        else:
            for seat, who in enumerate(self.seats):
                if who != (OPPONENT if seat else HUMAN):
                    words += ["--seat", f"{seat + 1}={who}"]
        for player, name in sorted(self.names.by_player.items()):
            words += ["--name", f"{player + 1}={name}"]
        return shlex.join([*words, "--seed", str(self.play.seed)])
