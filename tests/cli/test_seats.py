"""Agents at the table: who sits where, hints, the analysis after a play, and what is written down of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.terminal.play_session import OPPONENT
from cli.terminal.thinking import hint_lines, review_lines
from interpreter.agents import Advice, Estimate
from interpreter.records.review import Reviewed
from interpreter.records.saves import read_save
from tests.bundled import game as bundled
from tests.cli.running import run
from tests.cli.terminal import Terminal
from tests.native.test_c import HAS_COMPILER

KUHN = "classics/kuhn_poker"
PLAY = ("play", KUHN, "--seed", "3")


def words(text: str) -> str:
    return " ".join(text.split())


def test_seats_are_given_to_agents_by_name() -> None:
    result = run(*PLAY, "--players", "4", "--seat", "2=greedy:20", "--seat", "3=search:16", text="")
    assert "Player 2 is played by greedy (20 iterations a decision)." in words(result.stdout)
    assert "Player 3 is played by search (16 iterations a decision)." in words(result.stdout)
    assert "Player 4 is played at random." in words(result.stdout)
    result = run(*PLAY, "--players", "3", "--seat", "all=random-small", "--seat", "1=human", text="")
    assert "Players 2 and 3 are played by random-small." in words(result.stdout)
    assert "Player 2 is played by solve (20 iterations)." in words(run(*PLAY, "--seat", "2=solve:20", text="").stdout)


@pytest.mark.parametrize(
    ("seat", "problem"),
    [
        ("2=serch", "there is no agent `serch`; did you mean `search`?"),
        ("2=humen", "there is no agent `humen`; did you mean `human`?"),
        ("2=search:1h", "`1h` is no budget: write a number of iterations, such as 1000"),
        ("2=random:3", "`random` does not think, so it takes no budget"),
        ("9=search", "there is no seat 9; the seats are 1 to 2"),
        ("²=search", "write --seat N=WHO or all=WHO, such as --seat 2=search, not `²=search`"),
        ("search", "write --seat N=WHO or all=WHO"),
        ("2=", "there is no agent ``"),
    ],
)
def test_wrong_seats_are_reported(seat: str, problem: str) -> None:
    result = run(*PLAY, "--seat", seat)
    assert result.exit_code == 2
    assert problem in words(result.stderr)


def test_a_budget_that_an_agent_cannot_have_is_refused_before_play() -> None:
    result = run("play", "classics/go_fish", "--seat", "2=solve:2s")
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: `solve` takes a number of iterations, at most 100,000: write solve:1000")
    assert result.stdout == ""


def test_a_hint_says_what_would_be_done_and_what_is_expected() -> None:
    result = run(*PLAY, text="hint\n? hint\nbet\n")
    assert "> hint\n`search` suggests: " in result.stdout
    assert "(results are between -2 and 2)." in words(result.stdout)
    assert "200 iterations" in words(result.stdout)
    assert "hint: what a program that looks ahead would do" in words(result.stdout)
    named = run(*PLAY, text="hint greedy:20\nhint random\nhint seer\nbet\n")
    assert "`greedy` suggests: " in named.stdout
    assert "There is no hint: `random` gives no advice" in words(named.stdout)
    assert "There is no hint: there is no agent `seer`" in words(named.stdout)
    again = run(*PLAY, text="hint\n? hint\nbet\n")
    assert again.stdout == result.stdout, "where no terminal reads, hints are the same again"


def test_a_play_of_agents_can_be_replayed_and_names_them(tmp_path: Path) -> None:
    """What was chosen is kept, so the transcript holds whatever carries the search out elsewhere."""
    file = tmp_path / "play.txt"
    assert run(*PLAY, "--seat", "1=random", "--seat", "2=search:16", "--transcript", str(file)).exit_code == 0
    text = file.read_text(encoding="utf-8")
    assert "seat 1: random\nseat 2: search:16 (" in text
    assert run("replay", str(file)).exit_code == 0
    file.write_text(text.replace("(C)", "(Python)").replace("search:16", "greedy"), encoding="utf-8")
    assert run("replay", str(file)).exit_code == 0


def test_a_saved_play_keeps_its_seats_and_agents(tmp_path: Path) -> None:
    file = tmp_path / "play.save"
    result = run(*PLAY, "--seat", "1=greedy:20", "--seat", "2=human", text=f"save {file}\nquit\n")
    assert result.exit_code == 0
    saved = read_save(file.read_text(encoding="utf-8"))
    assert saved.seats == ("greedy:20", "human")
    assert saved.engines == ("C" if HAS_COMPILER else "Python",), "greedy has decided"
    taken = run("play", "--load", str(file), text="fold\n")
    assert "Player 1 is played by greedy (20 iterations a decision)." in words(taken.stdout)
    other = run("play", "--load", str(file), "--seat", "1=random", text="fold\n")
    assert "Player 1 is played at random." in words(other.stdout)


def test_the_analysis_names_the_largest_loss() -> None:
    game = bundled(KUHN)
    advice = Advice((1,), (Estimate((1,), "bet", 1.5, 0.6, 0.1), Estimate((0,), "pass", -0.5, 0.4, 0.1)), 100, 10)
    bad = Reviewed(0, 2, "pass", advice, advice.estimates[1], is_sure=True)
    good = Reviewed(0, 1, "bet", advice, advice.estimates[0])
    unknown = Reviewed(0, 3, "fold", advice, None)
    assert bad.loss == 2.0
    assert good.loss == unknown.loss == 0.0
    lines = review_lines(game, [good, bad, unknown], "search", "You")
    assert lines == [
        "You had 3 choices; `search` agrees with 1 of them.",
        "The most costly choices, judged by what was known at the time:",
        "  choice 2: pass (-0.50 ± 0.20); bet (1.50 ± 0.20) was better",
        "  (1 choice had too many alternatives to evaluate)",
    ]
    assert "No choice was clearly costly" in review_lines(game, [good], "search", "You")[1]
    assert review_lines(game, [], "search", "You") == ["You had no choice to make."]
    result = run(*PLAY, "--analyse", text="bet\n")
    assert "You had 1 choice; `search` agrees with " in result.stdout


@pytest.mark.parametrize(
    ("words_", "code"),
    [
        (("play", "classics/kuhn_poker", "--seat", "2=search"), 2),
        (("match", "classics/kuhn_poker", "--agents", "search,random", "--plays", "2"), 2),
        (("simulate", "classics/kuhn_poker", "--agents", "search,random", "--plays", "2"), 2),
    ],
)
def test_search_is_refused_without_c_wherever_it_is_named(
    words_: tuple[str, ...], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDGAME_NATIVE", "off")
    result = run(*words_)
    assert result.exit_code == code
    assert "`search` runs in C only" in result.stderr
    assert "Traceback" not in result.output


def test_a_hint_without_c_says_why_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDGAME_NATIVE", "off")
    result = run(*PLAY, text="hint\nbet\n")
    assert "There is no hint: `search` runs in C only" in result.stdout
    assert result.exit_code == 0


def test_a_hint_gives_its_confidence() -> None:
    game = bundled(KUHN)
    found = (Estimate((1,), "bet", 0.5, 0.5, 0.01), Estimate((0,), "pass", 0.49, 0.3, 0.01),
             Estimate((2,), "fold", -1.0, 0.2, 0.01))  # fmt: skip
    lines = hint_lines(game, Advice((1,), found, 100, 10, stopped=True), "search")
    assert lines == [
        "`search` suggests: bet.  Expected result: 0.50 ± 0.02 (results are between -2 and 2).",
        "  pass  0.49 ± 0.02  not clearly worse",
        "  fold  -1.00 ± 0.02  worse",
        "Stopped early: 100 iterations in 10 deals consistent with what you have seen.",
    ]
    level = tuple(Estimate((n,), f"raise {n}", 0.5, 0.1, 0.01) for n in range(9))
    assert hint_lines(game, Advice((0,), level, 100), "search")[-2] == "  and 3 more"
    lower = (*level[:6], Estimate((9,), "fold", -1.0, 0.1, 0.01))
    assert hint_lines(game, Advice((0,), lower, 100), "search")[-2] == "  and 1 more with a lower expected result"
    rarer = Advice((0,), (found[1], found[0]), 100)
    assert "  bet  0.50 ± 0.02  not clearly better" in hint_lines(game, rarer, "search")
    assert hint_lines(game, Advice((1,), found[:1]), "search") == ["Only one action is possible: bet."]


def test_at_a_terminal_the_others_search_and_ctrl_c_ends_their_thinking_not_the_play() -> None:
    terminal = Terminal(*PLAY, "--seat", "2=search:1000000000", "--new")
    terminal.until("You pass or bet.")
    terminal.until("> ")
    terminal.type("bet\n")
    terminal.until("Player 2 thinks: ")
    terminal.type("\x03")
    seen = terminal.until("Play again?")
    assert "Player 2 " in seen
    terminal.type("a\n")
    terminal.until("You had 1 choice;")
    terminal.until("Play again?")
    terminal.type("n\n")
    assert terminal.end()[1] == 0


def test_by_default_the_others_search_at_a_terminal_and_are_random_for_a_file() -> None:
    terminal = Terminal(*PLAY, "--new")
    welcome = words(terminal.until("Type ?"))
    assert OPPONENT == "search:0.5s"
    assert "Player 2 is played by search (0.5 seconds a decision)." in welcome
    terminal.until("> ")
    terminal.type("quit\n")
    terminal.end()
    assert "Player 2 is played at random." in run(*PLAY, text="").stdout
