"""At the table everything has a paragraph of the rulebook, and every refusal a sentence and its rule; never code."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from rich.console import Console

from cli.terminal.human_agent import HumanAgent, OutOfLines
from cli.terminal.rulebook_view import print_blocks
from grammar import ast, statements
from grammar.expressions import walk
from interpreter import load, load_text
from interpreter.agents import AgentView
from interpreter.engine.game import Game, State
from interpreter.knowledge.events import Assigned, Chosen, Moved
from interpreter.records.session import Session, random_agents
from interpreter.rulebook.page import Block, Entry, Heading, Lines, Paragraph, Table
from interpreter.table.choices import Choices, choices
from interpreter.table.digest import weight_of
from interpreter.table.help_text import COMMANDS, WORDS, answer
from interpreter.table.information import information_state
from interpreter.table.narrator import EventNarrator
from interpreter.table.reasons import reasons
from interpreter.table.reference import Reference
from interpreter.text.names import Names
from tests.bundled import EVERY, only
from tests.bundled import game as bundled
from tests.cli.running import run
from tests.cli.test_hidden import Typed

FIVE = ("arcanity", "chalice_and_wand", "two_player_wizard", "wizards_duel", "wizards_grimoire")
CODE = re.compile(r"\w+_\w+|[=!<>]=|\w\[|\.\.\w|[{}]|\bNone\b|line \d+ of")
"""What looks like a spec, outside of what is typed and announced."""
NOTHING_ASKED = Choices((), (), (), (), False, (), False, ())


@cache
def reference_to(name: str) -> Reference:
    """Return the rulebook of a bundled game, written once."""
    return Reference(bundled(name))


def texts(blocks: list[Block] | tuple[Block, ...]) -> Iterator[str]:
    """Give all texts of some blocks, with their marks."""

    def inside(entries: tuple[Entry, ...]) -> Iterator[str]:
        for entry in entries:
            yield entry.text
            yield from inside(entry.below)

    for block in blocks:
        match block:
            case Lines(entries=entries):
                yield from inside(entries)
            case Heading(text=text) | Paragraph(text=text):
                yield text
            case Table(rows=rows):
                yield from (" | ".join(row.cells) for row in rows)


def code_in(text: str) -> list[str]:
    return CODE.findall(re.sub(r"`[^`\n]*`|“[^”\n]*”|\([^()\n]* [A-Z_ ]+\)", "X", text))


def vocabulary(game: Game) -> Iterator[str]:
    """Give all words of a game that somebody at its table can meet."""
    for face in game.faces:
        yield face.text
        yield face.name or face.text
    for item in game.spec.items:
        match item:
            case ast.ZonesDecl(zones=zones):
                yield from (family.name for zone in zones for family in zone.families)
            case ast.OptionDecl(name=name, choices=choices):
                yield from (name, *choices)
            case ast.EnumDecl(name=name, values=values):
                yield from (name, *(v.name for v in values), *(v.text for v in values if v.text))
            case ast.CardDecl(name=name) | ast.DefineDecl(name=name) | ast.PhaseDecl(name=name):
                yield name
            case _:
                pass
    yield from (variable.name for variable in game.rules.variables)
    yield from (node.verb for node in walk(game.spec.items) if isinstance(node, statements.Action))
    yield from (*COMMANDS, *WORDS, *(f"player {p + 1}" for p in range(game.num_players)))


@pytest.mark.parametrize("name", only("chalice_and_wand", "classics/hearts", "classics/kuhn_poker"))
def test_every_word_of_a_bundled_game_has_an_answer_without_code(name: str) -> None:
    game = bundled(name)
    reference, narrator = reference_to(name), EventNarrator(game, 0)
    silent = []
    for word in dict.fromkeys(vocabulary(game)):
        said = list(texts(answer(reference, narrator, NOTHING_ASKED, word)))
        assert said, word
        silent += [word] if said[0].startswith("The rules do not speak") else []
        for text in said:
            assert not code_in(text), (word, text)
    assert not silent, silent


@pytest.mark.parametrize("name", FIVE)
def test_words_on_the_table_can_be_queried_as_written(name: str) -> None:
    game = bundled(name)
    reference, narrator = reference_to(name), EventNarrator(game, 0)
    labels = {
        name(place) for place in range(len(game.places)) for name in (narrator.place, narrator.place_without_owner)
    }
    for slot, (variable, _) in enumerate(game.variables):
        if variable.phase is None:
            labels |= {narrator.variable(slot), narrator.variable_without_owner(slot)}
    for label in labels:
        assert not next(texts(answer(reference, narrator, NOTHING_ASKED, label))).startswith("The rules do not"), label


def test_a_query_for_a_player_leaves_out_lines_that_only_mention_them() -> None:
    reference, narrator = reference_to("wizards_duel"), EventNarrator(bundled("wizards_duel"), 0)
    other, you = (list(texts(answer(reference, narrator, NOTHING_ASKED, w))) for w in ("player 2", "you"))
    assert other == ["**Player 2** is one of 2 players. To their left you sit."]
    assert you == ["**you** is the player at the screen."]


def test_a_card_is_explained_with_all_that_the_rules_say_of_it_and_nothing_of_others() -> None:
    reference = reference_to("wizards_grimoire")
    said = "\n".join(texts(reference.about("the emperor")))
    assert said.startswith("**The Emperor** (`T4`): a Trump card with the number 4; each deck has one.")
    assert "guardian factor" in said
    assert "The Hierophant" not in said


def test_an_action_a_place_and_a_term_bring_the_lines_that_explain_them() -> None:
    reference = reference_to("wizards_grimoire")
    assert any("CARD ROLE" in text for text in texts(reference.about("place")))
    assert any(
        text.startswith("Mana pile of each player | face down, in a pile") for text in texts(reference.about("mana"))
    )
    assert any("is an *affliction* if" in text for text in texts(reference.about("afflictions")))
    assert any("Fill mana" in text for text in texts(reference.about("fill mana")))


def test_the_rulebook_opens_at_the_phase_that_is_played() -> None:
    game = bundled("chalice_and_wand")
    reference = reference_to("chalice_and_wand")
    session = Session(game, random_agents(game, 1), 1)
    while session.state.current_player() < 0:
        session.step()
    heading = reference.book.blocks[reference.chapter(information_state(session.state, session.state.current_player()))]
    assert isinstance(heading, Heading)
    assert heading.text == "One round"


@pytest.mark.parametrize("name", EVERY)
def test_the_aim_is_how_to_win_and_the_end_unless_that_is_the_last_step(name: str) -> None:
    blocks = reference_to(name).aim()
    assert len(blocks) == (1 if name == "classics/kuhn_poker" else 2)
    for text in texts(blocks):
        assert text.endswith(".")
        assert not code_in(text), text


# ---- refusals


def wrong_inputs(state: State, rng: random.Random, count: int) -> Iterator[str]:
    """Give lines made of words that mean something here or elsewhere, or nothing."""
    texts_ = state.game.texts
    offered = choices(AgentView(state).information())
    verbs = [*offered.verbs, *texts_.verbs, "frobnicate"]
    words = [*offered.words, *(f.text for f in state.game.faces)]
    words += ["nothing", "done", "player 2", "0", "7", "99", "-1", "x_y"]
    for enum in state.game.rules.enums:
        words += enum.values
    for _ in range(count):
        yield " ".join([rng.choice(verbs), *rng.choices(words, k=rng.randrange(5))])


def refusals(name: str, seed: int, wanted: int) -> Iterator[tuple[str, str]]:
    """Give wrong inputs in a random play, with what is answered."""
    game = bundled(name)
    rng = random.Random(seed)
    session = Session(game, random_agents(game, seed), seed)
    console = Console(file=io.StringIO(), width=100)
    found = 0
    while found < wanted:
        state = session.state
        if state.is_terminal():
            seed += 1
            session = Session(game, random_agents(game, seed), seed)
            continue
        if state.current_player() >= 0 and not state.is_unfinished() and rng.random() < 0.3:
            view = AgentView(state)
            desk = HumanAgent(game, console, Typed(()), (view.player,), str, lambda _: "")
            info = view.information()
            for line in wrong_inputs(state, rng, 6):
                meant = desk.understood(view, info, choices(info), line)
                if meant.actions is None:
                    found += 1
                    yield line, meant.problem
        session.step()


def check_refusals(name: str, seed: int, wanted: int) -> None:
    ruled = 0
    for line, said in refusals(name, seed, wanted):
        first, *rest = said.splitlines()
        assert first[-1] in ".?:", (line, said)
        assert first[0] in "`“" or first[0].isupper() or first[0].isdigit(), (line, said)
        for text in (first, *rest):
            assert not code_in(text.replace("x_y", "x")), (line, said)
        ruled += any(text.startswith("  Rule") for text in rest)
    assert ruled > wanted / 10


@pytest.mark.parametrize("name", FIVE)
def test_refusals_are_sentences_with_their_rule(name: str) -> None:
    check_refusals(name, 1, 30)


@pytest.mark.soak
@pytest.mark.parametrize("name", FIVE)
def test_ten_thousand_refusals_are_sentences_with_their_rule(name: str) -> None:
    check_refusals(name, 2, 2_000)


# ---- why, names, narrow screens


def test_why_gives_the_rule_and_the_parts_of_a_sum() -> None:
    screen = run("play", "wizards_duel", "--seed", "5", text="play T6\nwhy\nquit\n").stdout
    assert "Award: add the points to your score." in screen
    assert re.search(r"worked out from the leader's value: \d+, the follower's value: \d+", screen)


SUMS = """cardgame 1

game "Sums"
    players 2

card Chip(value: 1..6) written "{value}"

deck in stock
    1 of each Chip

zones
    stock:               pile, seen by nobody
    hand[player]:        cards, seen by owner
    laid[player], books: cards, seen by all

state
    score[player]: integer = 0

play
    shuffle stock
    deal 3 from stock to hand[players]
    for p in players: one_lay(p)
    for p in players
        let gain = worth(p)
        say "{p} scores {gain}"
        score[p] += gain
    say "{worth(player 1)} against {worth(player 2)}"
    player 1 chooses
        stop

phase one_lay(p: player)
    p chooses
        lay 2 cards led from hand[p]: move led to laid[p]
    if some c in hand[p] where c.value > 3
        move hand[p] to books
        score[p] -= 1

define worth(p: player) = sum(c.value for c in laid[p]) + 10 * smallest(p) - score[p]
define smallest(p: player) = count(c in laid[p] where c.value > 4)

result
    score p = score[p]
"""
"""A hidden condition leads to what all see; sums are over cards, under names, and two in one line."""


def test_why_explains_effects_of_one_rule_and_the_cards_of_a_sum(tmp_path: Path) -> None:
    spec = tmp_path / "sums.cardgame"
    spec.write_text(SUMS)
    play = ("play", str(spec), "--seed", "3", "--seat", "2=human")
    screen = run(*play, text="lay 1 4\nlay 2 3\nwhy\nquit\n").stdout.split("> why")[-1]
    moved = r"from player 2's hand to the books\n +One lay, for player 2: move all cards from your hand to the books\."
    assert re.search(moved, screen)
    assert (
        "Your score is now 5 (+6)\n    made of 1, 4, less the player's score: -1\n    Sequence of play: add the gain"
        in screen
    )
    assert "0 is made of 1, 4, less the player's score: 5" in screen
    assert "0 is made of 2, 3, less the player's score: 5" in screen
    other = run(*play, text="lay 1 4\nlay 2 3\n\nlog\n").stdout
    assert "0 against 0" in other


def test_why_gives_no_rule_for_a_change_that_two_rules_can_cause() -> None:
    game = load_text(SUMS.replace("        move hand[p] to books\n        score[p] -= 1",
                                  "        score[p] -= 1\n    else: score[p] -= 1"))  # fmt: skip
    state = game.new_initial_state()
    rng = random.Random(3)
    while state.current_player() != 0 or "stop" not in state.prompt():
        if state.is_chance_node():
            state.resolve_chance(rng)
        else:
            state.apply_action(state.legal_actions()[0])
    told = list(Reference(game).why(reasons(state, 0), EventNarrator(game, 0)))
    assert "  Player 2's score is now -1" in told
    assert not any("subtract 1 from your score" in line for line in told)


TRICK = """cardgame 1
game "Trick"
    players 3
    at most 30 decisions
card Number(value: 1..9) written "{value}"
deck in stock
    1 of each Number
zones
    stock: pile, seen by nobody
    hand[player]: cards, seen by owner
    trick: row, seen by all
play
    shuffle stock
    deal 3 from stock to hand[players]
    for round in 1..3
        for p in players from player 2
            p chooses
                play card c from hand[p]: move c to trick for p
        for p in players
            p chooses
                nod
            p chooses
                wink
result
    score p = count(hand[p])
"""


def test_why_begins_with_the_last_decision_of_the_player_that_something_came_after(tmp_path: Path) -> None:
    spec = tmp_path / "trick.cardgame"
    spec.write_text(TRICK)
    state = load(spec).new_initial_state()
    rng = random.Random(3)
    began = []
    while not state.is_terminal():
        if state.is_chance_node():
            state.resolve_chance(rng)
            continue
        if state.current_player() == 0:
            events = [reason.event for reason in reasons(state, 0)]
            began.append(" ".join(f"{e.player + 1}{e.verb[0]}" for e in events if isinstance(e, Chosen)))
        state.apply_action(state.legal_actions()[0])
    assert began[:4] == ["2p 3p", "1p", "1p 1n", "1w 2n 2w 3n 3w 2p 3p"]


def test_a_rule_with_a_hidden_condition_is_not_given() -> None:
    spec = run("play", "two_player_wizard", "--seed", "1", text="why\nquit\n").stdout
    assert "if " not in spec.split("> why")[-1]


def test_players_are_called_by_their_names_and_may_be_typed_so() -> None:
    play = ("play", "classics/go_fish", "--players", "3", "--seed", "4", "--name", "1=Kim", "--name", "2=Ada")
    screen = run(*play, text="? Ada\nask ada 99\nquit\n").stdout
    assert "You are Kim." in screen
    assert "you are Kim ─" in screen or "you are Kim -" in screen
    assert "2 (Ada)" in screen
    assert "Ada is player 2 of 3." in screen
    assert "`99` is no number" in screen
    assert run("play", "classics/go_fish", "--name", "2=you").exit_code == 2
    assert run("play", "classics/go_fish", "--name", "9=Ada").exit_code == 2


def test_names_stay_in_saves_and_transcripts(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("names")
    play = ("play", "wizards_duel", "--seed", "5", "--name", "2=Ada", "--name", "1=Kim")
    assert run(*play, text=f"play T6\nsave {folder / 'a.save'}\nquit\n").exit_code == 0
    assert "you are Kim" in run("play", "--load", str(folder / "a.save"), text="quit\n").stdout
    transcript = folder / "a.txt"
    run("play", "classics/kuhn_poker", "--seat", "1=random", "--name", "2=Ada", "--seed", "3", "--transcript",
        str(transcript))  # fmt: skip
    written = transcript.read_text(encoding="utf-8")
    assert re.search(r"^\d+ Ada: ", written, flags=re.MULTILINE)
    assert "player 2:" not in written
    assert run("replay", str(transcript)).exit_code == 0


@pytest.mark.parametrize("name", ["Two words", "2nd", "player", "a_very_long_name_indeed", "x:y", "\x1b[31m"])
def test_a_name_is_one_word_that_means_nothing_else(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be a player's name"):
        Names({0: name})


@pytest.mark.parametrize(
    "width", [40, pytest.param(60, marks=pytest.mark.soak), pytest.param(80, marks=pytest.mark.soak)]
)
def test_a_narrow_table_with_six_players_clips_no_heading(width: int) -> None:
    players = 6
    game = load("wizards_grimoire", players)
    session = Session(game, random_agents(game, 2), 2)
    for _ in range(60):
        session.step()
    written = io.StringIO()
    console = Console(file=written, width=width, highlight=False, markup=False)
    desk = HumanAgent(game, console, Typed(()), (0,), str, lambda _: "")
    desk.show_table(information_state(session.state, 0))
    for called in ("you", *(f"player {p}" for p in range(2, players + 1))):
        assert re.search(rf"\b{called}\b", written.getvalue()), called
    assert "…" not in written.getvalue()
    assert "..." not in written.getvalue()
    assert all(len(line) <= width for line in written.getvalue().splitlines())


def test_the_rulebook_fits_a_narrow_screen() -> None:
    written = io.StringIO()
    print_blocks(reference_to("arcanity").book.blocks, Console(file=written, width=40, markup=False))
    assert "…" not in written.getvalue()


# ---- sets by number, arguments apart


def test_cards_of_a_set_are_chosen_by_their_numbers_and_none_only_if_said() -> None:
    screen = run("play", "chalice_and_wand", "--seed", "7", text="discard\ndiscard 1 99\n1 2\nquit\n").stdout
    assert "Say which cards, or `discard nothing` for none." in screen
    assert "There is no card number 99; they are 1 to 5." in screen
    assert re.search(r"discard \(any number, from your hand \(left\)\): 1 \w+, 2 \w+.*, nothing\n", screen)
    assert re.search(r"^discard [CW]\d+ [CW]\d+$", screen, flags=re.MULTILINE)


def test_of_equal_cards_the_menu_says_how_many_there_are_and_help_how_to_take_them() -> None:
    screen = run("play", "chalice_and_wand", "--seed", "5", text="?\ndiscard 3 3\nquit\n").stdout
    assert "1 C3, 2 C10, 3 W1 (2), 4 W6, nothing\n" in screen
    assert "  `W1 (2)` are 2 equal cards; `W1 W1` chooses two of them\n" in screen
    assert "You discard W1 W1" in screen


def test_choices_are_in_columns_where_they_would_push_events_off_the_screen() -> None:
    game = load_text(FORCED.replace("{value}", "K{value}"))
    whole, small = (shown(game.new_initial_state(), lines) for lines in (40, 12))
    assert whole.count("\n  1  keep") == 1
    assert not re.search(r"1  keep.*keep", whole)
    assert re.search(r"1  keep K\d +\d  keep K\d", small)
    assert "from the stock to your hand" in small
    assert small[small.index("──") :].rstrip("\n").count("\n") < 12


def test_a_misspelt_command_is_reported() -> None:
    screen = run("play", "wizards_duel", "--seed", "5", text="quti\nquit\n").stdout
    assert "Did you mean `quit`?" in screen


def test_two_arguments_are_separate_in_the_menu() -> None:
    screen = run("play", "classics/go_fish", "--players", "3", "--seed", "4", text="quit\n").stdout
    assert re.search(r"  ask PLAYER NUMBER\n    player: 2 3\n    number: \d+ \d+", screen)


def test_cards_that_no_later_rule_mentions_leave_the_table() -> None:
    """Trumps that were not chosen lie in the book for ever; the phase that chooses them never comes again."""
    first, *later = run(
        "play", "wizards_grimoire", "--seed", "5", text="include 1 2 3 4 5 6\ntable all\nquit\n"
    ).stdout.split("> include")
    assert "your book" in first
    played, whole = later[0].split("> table all")
    assert "your book" not in played
    assert "your book" in whole


FORCED = """cardgame 1

game "Forced"
    players 2

card Chip(value: 1..6) written "{value}"

deck in stock
    1 of each Chip

zones
    stock:        pile, seen by nobody
    draw:         pile, seen by all
    hand[player]: cards, seen by owner

play
    shuffle stock
    deal 1 from stock to hand[player 1]
    player 1 chooses "{you} give a card away"
        give card c from hand[player 1]: move c to draw
    for n in 1..3: shuffle stock
    deal 5 from stock to hand[player 1]
    for n in 1..2
        player 1 chooses
            keep card c from hand[player 1]: move c to draw

result
    score p = count(hand[p])
"""


class Screen(io.StringIO):
    """What a terminal of so many lines is sent."""

    def isatty(self) -> bool:
        return True


def shown(state: State, lines: int, width: int = 80) -> str:
    """Return what is shown of the decisions of a play at a terminal of so many lines, until one is open."""
    written = Screen()
    console = Console(file=written, width=width, height=lines, color_system=None, highlight=False, markup=False)
    desk = HumanAgent(state.game, console, Typed(()), (0,), str, lambda _: "")
    while True:
        if state.is_chance_node():
            state.resolve_chance(random.Random(1))
            continue
        try:
            made = desk.act(AgentView(state))
        except OutOfLines:
            return written.getvalue()
        for action in (made,) if isinstance(made, int) else made:
            state.apply_action(action)


def test_forced_decisions_are_shown_with_the_next_table_and_events_give_way_to_the_hand() -> None:
    game = load_text(FORCED)
    whole = shown(game.new_initial_state(), 40)
    assert "Only one action was possible: give " in whole
    assert whole.count("─ Forced: you are player 1 ─") == 1
    assert "to the draw pile" in whole
    assert "lines more" not in whole
    small = shown(game.new_initial_state(), 12)
    assert re.search(r"Forced: you are player 1 \(\d lines more: `log`\) ─", small)
    assert small.rstrip("\n").count("\n") < 12, "with the line that is typed all of it is on the screen"
    assert small.count("shuffled") < whole.count("shuffled")
    assert "from the stock to your hand" in small


def test_cards_that_are_put_away_give_way_before_what_they_brought() -> None:
    game = bundled("arcanity")
    stock, bid = (next(n for n, (zone, _) in enumerate(game.places) if zone.name == name) for name in ("stock", "bid"))
    away, won = (
        weight_of(event, 0, game.place_owners, game.place_viewers, own=True)
        for event in (Moved((0,), bid, stock, (1,)), Assigned(0, 7, 1, 3))
    )
    assert away < won


def test_a_narrow_screen_keeps_its_heading_too_and_breaks_no_choice() -> None:
    game = load("two_player_wizard", 2)
    session = Session(game, random_agents(game, 1), 1)
    steps = 0
    while steps < 40 or session.state.current_player() != 0 or "lead" not in session.state.prompt():
        session.step()
        steps += 1
    lines = shown(session.state.clone(), 27, 40).rstrip("\n").splitlines()
    assert lines[0].startswith("─")
    assert "more: `log`" in lines[1]
    assert len(lines) < 27
    assert re.search(r"^   \d  play \w+( \w+)? +\d+  play", "\n".join(lines), re.MULTILINE)


def test_open_zones_of_many_players_are_in_columns() -> None:
    game = load("wizards_grimoire", 6)
    session = Session(game, random_agents(game, 2), 2)
    steps = 0
    while steps < 250 or session.state.current_player() != 0 or session.state.is_unfinished():
        session.step()
        steps += 1
    large, small = (shown(session.state.clone(), lines).rstrip("\n").splitlines() for lines in (60, 24))
    assert len(small) < 24 <= len(large)
    assert small[0].startswith("─")
    assert any(re.match(r"player \d's discard pile", line) for line in large)
    assert not any(re.match(r"player \d's discard pile", line) for line in small)
    assert any(re.match(r"discard pile( +[\d-]+){6}$", line) for line in small)
