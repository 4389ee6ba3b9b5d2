"""Golden files: whole plays and rulebooks that must come out the same, line by line, on every machine.

There is one short play for each bundled game as it comes, and one for each option whose effect is seen in it; every
value of every option is played by `fuzz/test_bundled.py`.  A play is kept as its transcript with all events, prompts
and legal actions.  In the place of the table before each decision stands a line of checksums of what the player to act
sees: the table, the information state, and both tensors.
`rulebooks/` keeps the rulebook of each bundled game as `cardgame rules` prints it, and of each variant the difference
from the book of its base, both without the table of what options change and without examples.
`python -m tests.golden` writes them anew; a change in them is a change of what people play, so read the
difference before it is committed.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from functools import cache
from itertools import islice
from pathlib import Path
from zlib import crc32

import attrs

from interpreter import Game, State, load
from interpreter.loader import bundled_games
from interpreter.records.retelling import retell
from interpreter.records.session import Session, random_agents
from interpreter.records.transcript import record
from interpreter.rulebook.page import markdown
from tests.bundled import DIFFERENT, EVERY, base_of

TABLE = "    seen by player "
"""How the first line of a table in a transcript begins; the prompt follows the table."""

FOLDER = Path(__file__).parent
BOOKS = FOLDER / "rulebooks"
MOST_LINES = 15_000
"""How long all that is kept may be together, so that a difference can be read."""

MOST_OF_PLAY = 138
"""Lines that are kept of the play of a game."""

MOST_OF_OTHERS = 50
"""Lines that are kept of the play with another value of an option, or of a game outside `tests.bundled.DIFFERENT`."""

SEEDS = {
    "arcanity": 33,
    "two_player_wizard": 35,
    "wizards_duel": 13,
    "wizards_grimoire": 39,
    "classics/crazy_eights": 14,
    "classics/gin_rummy": 215,
    "classics/go_fish": 11,
    "classics/leduc_poker": 2,
    "classics/love_letter": 10,
    "classics/president": 29,
    "classics/durak": 24,
}
"""A seed whose play is short and yet has everything that makes the game; 1 where all are alike."""

PINNED = {
    "arcanity": {"limit": "10"},
    "two_player_wizard": {"max_hands": "1"},
    "wizards_grimoire": {"max_turns": "3"},
    "classics/go_fish": {"ranks": "5", "hand_size": "4"},
    "classics/hearts": {"limit": "1"},
    "classics/love_letter": {"tokens_to_win": "1"},
    "classics/crazy_eights": {"goal": "1"},
    "classics/cribbage": {"goal": "61"},
    "classics/gin_rummy": {"goal": "0"},
    "classics/goofspiel": {"ranks": "4"},
    "classics/oh_hell": {"largest": "3", "deals": "down"},
    "classics/president": {"deals": "1"},
    "classics/hanabi": {"hand_size": "3", "mistakes": "1"},
    "classics/liars_dice": {"dice": "2"},
    "classics/six_nimmt": {"limit": "1"},
    "classics/skat": {"deals": "1"},
    "classics/tarok": {"deals": "1"},
    "classics/spades": {"deals": "one"},
    "classics/euchre": {"deals": "one"},
    "classics/whist": {"goal": "1"},
    "classics/schnapsen": {"goal": "1"},
    "classics/scopa": {"goal": "1"},
    "classics/lost_cities": {"deals": "1"},
    "classics/yacht": {"rolls": "2"},
    "classics/big_two": {"deals": "1"},
    "classics/cabo": {"limit": "1"},
    "classics/rummy_500": {"goal": "1"},
    "classics/uno": {"goal": "1"},
    "classics/dominoes": {"goal": "0"},
    "classics/pinochle": {"goal": "1"},
    "classics/tichu": {"interruptions": "false"},
    "classics/liars_poker": {"digits": "3"},
    "classics/texas_holdem": {"stacks": "20", "deals": "1"},
}
"""Options that every kept play of a game has, where a play with the defaults would be far too long to read."""

SHOWN = {
    "arcanity": {"schools": "chosen", "uneven": "stop"},
    "chalice_and_wand": {"hands": "open"},
    "two_player_wizard": {"hand_size": "3"},
    "wizards_duel": {"fool_roll": "laid"},
    "wizards_grimoire": {"mana_payment": "choose"},
    "classics/go_fish": {"copies": "2"},
    "classics/leduc_poker": {"action_mapping": "true"},
}
"""Options of a game that change what is said or done in its play, each with the value for which a play is kept."""


@attrs.frozen
class Golden:
    """A play that is kept: the game, and the option that is not at its default, if any."""

    game: str
    option: str = ""
    value: str = ""

    @property
    def path(self) -> Path:
        """Where it is kept."""
        name = "-".join(part for part in (self.game.rsplit("/", 1)[-1], self.option, self.value) if part)
        return FOLDER / f"{name}.txt"

    def made(self) -> Game:
        """Make the game with the options of the play."""
        options = dict(PINNED.get(self.game, {}))
        if self.option:
            options[self.option] = self.value
        return load(self.game, options=options)

    def played(self, made: Game) -> tuple[str, str]:
        """Play as far as lines are kept; return the transcript, with a table before each decision, and what is kept."""
        seed = SEEDS.get(self.game, 1)
        most = MOST_OF_OTHERS if self.option or self.game not in DIFFERENT else MOST_OF_PLAY
        session = Session(made, random_agents(made, seed), seed)
        for _ in islice(session, most // 3):
            pass
        while session.state.is_chance_node():  # A transcript that is not finished ends before a decision.
            session.step()
        history = [item for _, item in session.state.history()]
        transcript = record(made, self.game, seed, history)
        before = (said.before for said in retell(made, history) if said.actor >= 0)
        kept = list(_summed_up(transcript.split("\n"), before))
        assert session.state.is_terminal() or len(kept) > most
        if len(kept) > most:
            kept[most:] = ["...", ""]
        return transcript, "\n".join(kept)

    def text(self) -> str:
        """Return what is kept of the play: its transcript with checksums in the place of tables."""
        return self.played(self.made())[1]


def _summed_up(lines: list[str], decisions: Iterator[State]) -> Iterator[str]:
    """Give the lines of a transcript with checksums in the place of each table; `decisions` are the states there."""
    inside = False
    for line in lines:
        if line.startswith(TABLE):
            inside = True
            yield f"    {_checksums(next(decisions))}"
        inside = inside and not line.startswith("    asked: ")
        if not inside:
            yield line


def _checksums(state: State) -> str:
    """Return checksums of all that the player to act sees."""
    player = state.current_player()
    seen: dict[str, object] = {
        "table": state.observation_string(player),
        "information": state.information_state_string(player),
        "tensors": (state.observation_tensor(player), state.information_state_tensor(player)),
    }
    return ", ".join(f"{name} {crc32(repr(value).encode()):08x}" for name, value in seen.items())


def goldens() -> Iterator[Golden]:
    """Give all plays to be kept."""
    for name in bundled_games():
        yield Golden(name)
        for option, value in SHOWN.get(name, {}).items():
            yield Golden(name, option, value)


@cache
def kept_books() -> dict[Path, str]:
    """Return where rulebooks are kept, each with the name of its game; a variant's is a difference."""
    return {BOOKS / f"{name.rsplit('/', 1)[-1]}.{'md' if base_of(name) is None else 'diff'}": name for name in EVERY}


def kept_book(name: str) -> str:
    """Return what is kept of a rulebook: the whole book, or of a variant how it differs from that of its base.

    A difference is without the table of what options change and without examples.
    """
    from tests.rulebook.books import book, plain

    base = base_of(name)
    if base is None:
        return book(name)
    old, new = markdown(plain(base)).splitlines(), markdown(plain(name)).splitlines()
    return "\n".join(unified_diff(old, new, base, name, n=1, lineterm="")) + "\n"


def write_books() -> None:
    """Write all rulebooks anew, and take away those that are not wanted any more."""
    BOOKS.mkdir(exist_ok=True)
    for old in BOOKS.iterdir():
        if old not in kept_books():
            old.unlink()
    for path, name in kept_books().items():
        path.write_text(kept_book(name), encoding="utf-8", newline="\n")


def write() -> None:
    """Write all plays and rulebooks anew, and take away those that are not wanted any more."""
    write_books()
    wanted = list(goldens())
    for old in FOLDER.glob("*.txt"):
        if old not in {golden.path for golden in wanted}:
            old.unlink()
    for golden in wanted:
        golden.path.write_text(golden.text(), encoding="utf-8", newline="\n")
