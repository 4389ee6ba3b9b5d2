"""`cardgame play` without a terminal: files of actions, streams, saves, transcripts, faults."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from interpreter import load
from interpreter.records.retelling import retell
from interpreter.records.session import Session, random_agents
from tests.cli.running import CHALICE, FAULTY, OFFERS, run, write

PLAY = ("play", CHALICE, "--seed", "5")


def sentences(seed: int, seat: int | None) -> list[str]:
    """Return what a seat (None: every seat) says in a random play; the others choose as the bots of `play` do."""
    game = load(CHALICE)
    session = Session(game, random_agents(game, seed), seed)
    session.play()
    told = retell(game, (item for _, item in session.state.history()))
    return [t.text for t in told if t.actor >= 0 and seat in (None, t.actor)]


def test_agents_play_to_the_end_and_the_seed_is_printed() -> None:
    result = run(*PLAY, "--seat", "1=random", "--seat", "2=random")
    assert result.exit_code == 0
    assert "points together." in result.stdout
    assert "cardgame play chalice_and_wand --seat all=random --seed 5" in result.stdout
    assert run(*PLAY, "--seat", "all=random").stdout == result.stdout
    assert run(*PLAY, "--seat", "1=random").stdout == result.stdout
    other = run("play", CHALICE, "--seat", "1=random")
    assert re.search(r"The seed was \d+", other.stdout)


def test_a_file_of_actions_plays_a_seat_to_the_end(tmp_path: Path) -> None:
    said = sentences(5, 0)
    file = write(tmp_path / "moves.txt", "# a whole play\n\n" + "\n".join(f"{s}  # thought over" for s in said))
    result = run(*PLAY, "--actions", file)
    assert result.exit_code == 0, result.output
    bots = run(*PLAY, "--seat", "1=random")
    assert result.stdout.splitlines()[-2] == bots.stdout.splitlines()[-2]
    assert (
        run(*PLAY, "--actions", "-", text="\n".join(said)).stdout.splitlines()[-2:] == result.stdout.splitlines()[-2:]
    )


def test_a_file_of_actions_can_play_all_seats(tmp_path: Path) -> None:
    file = write(tmp_path / "moves.txt", "\n".join(sentences(5, None)))
    result = run(*PLAY, "--seat", "2=human", "--actions", file)
    assert result.exit_code == 0, result.output
    assert "points together." in result.stdout


def test_people_without_secrets_see_the_last_table_and_others_do_not(tmp_path: Path) -> None:
    for hands in ("open", "hidden"):
        game = load(CHALICE, options={"hands": hands})
        session = Session(game, random_agents(game, 5), 5)
        session.play()
        said = [t.text for t in retell(game, (item for _, item in session.state.history())) if t.actor >= 0]
        file = write(tmp_path / "moves.txt", "\n".join(said))
        result = run(*PLAY, "--option", f"hands={hands}", "--seat", "2=human", "--actions", file)
        assert result.exit_code == 0, result.output
        end = result.stdout.partition("The play is over.")[2]
        assert "points together." in end
        assert ("\nwon cards " in end) is (hands == "open")


def test_a_refused_action_ends_with_its_line_and_the_rule(tmp_path: Path) -> None:
    said = sentences(5, 0)
    file = write(tmp_path / "moves.txt", f"# first\n{said[0]}\ntake W1 W1 W1 W1\n")
    result = run(*PLAY, "--actions", file)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"{file}:3: ")
    assert re.search(r"Rule R12: Take.* up to 3 cards", result.stderr)
    assert "cardgame play chalice_and_wand --resume" in result.stderr


def test_when_the_actions_run_out_the_play_is_saved_and_can_go_on(tmp_path: Path) -> None:
    said = sentences(5, 0)
    file = write(tmp_path / "some.txt", "\n".join(said[:3]))
    result = run(*PLAY, "--actions", file)
    assert result.exit_code == 0
    assert "some.txt ends here, after line 3; player 1 is to act." in " ".join(result.stdout.split())
    assert not list(Path().glob("*.save"))
    rest = write(tmp_path / "rest.txt", "\n".join(said[3:]))
    ended = run("play", "--resume", "--actions", rest)
    assert ended.exit_code == 0, ended.output
    whole = write(tmp_path / "all.txt", "\n".join(said))
    assert ended.stdout.splitlines()[-3:] == run(*PLAY, "--actions", whole).stdout.splitlines()[-3:]


def test_the_end_of_input_before_any_decision_leaves_no_file(tmp_path: Path) -> None:
    result = run(*PLAY, text="")
    assert result.exit_code == 0
    assert "There is nothing to keep yet." in result.stdout
    assert list(tmp_path.iterdir()) == []


def test_saves_do_not_overwrite_those_of_other_plays() -> None:
    Path("chalice_and_wand.save").write_text("mine", encoding="utf-8")
    result = run(*PLAY, text="nothing\nsave\nquit\n")
    assert "chalice_and_wand-2.save" in result.stdout
    assert Path("chalice_and_wand.save").read_text(encoding="utf-8") == "mine"


def test_save_undo_table_and_help_at_the_table() -> None:
    typed = ("undo", "discard nothing", "undo", "?", "? C2", "? hand", "? hands", "? nonsense", "table",
             "save a.save", "save no/where", "/dance", "", "quit")  # fmt: skip
    result = run(*PLAY, text="\n".join(typed))
    assert result.exit_code == 0, result.output
    said = " ".join(result.stdout.split())
    for words in ("there is nothing to take back yet", "Taken back.", "`discard` may be left out",
                  "C2: a Vessel card with the suit chalice and the value 2; the deck has 3.", "only the owner",
                  "Hands: hidden", "The rules do not speak of “nonsense”.",
                  "cardgame play --load a.save", "not saved: `no/where` cannot be written: no such file or directory",
                  "there is no command `/dance`", "Type a choice, or ? for help."):  # fmt: skip
        assert words in said, words
    assert Path("a.save").is_file()


def test_words_are_completed_corrected_and_the_verb_left_out(tmp_path: Path) -> None:
    spec = write(tmp_path / "offers.cardgame", OFFERS)
    play = ("play", spec, "--seed", "1", "--option", "held=2")
    result = run(*play, text="77\nbdi 3\nbid eleven\nbi 3\n77\n")
    said = " ".join(result.stdout.split())
    assert "`77` is no number from 0 to 9" in said
    assert "There is no choice 77; they are 1 to 2" in said
    assert "Did you mean `bid 3`?" in said
    assert "`eleven` is no number from 0 to 9" in said
    assert "You bid 3" in said
    assert "You bid 7" in run(*play, text="7\n").stdout, "a number that is a value is that value"
    card = re.search(r"1  reveal (\w+)", result.stdout)
    assert card is not None
    for typed in ("1", card[1], card[1].lower(), f"reveal {card[1]}", f"r {card[1]}"):
        assert f"You reveal {card[1]}" in run(*play, text=f"3\n{typed}\n").stdout, typed


def test_undo_stops_at_what_another_person_has_decided(tmp_path: Path) -> None:
    spec = write(tmp_path / "offers.cardgame", OFFERS)
    result = run("play", spec, "--seat", "2=human", "--seed", "1", text="3\nundo\n4\n")
    assert "player 1 has decided since; that cannot be taken back" in result.stdout


def test_a_transcript_is_written_at_the_end_and_replays() -> None:
    result = run(*PLAY, "--seat", "1=random", "--transcript", "t.txt")
    assert "cardgame replay t.txt" in result.stdout
    replayed = run("replay", "t.txt")
    assert replayed.exit_code == 0, replayed.output
    assert "are as recorded" in replayed.stdout
    unfinished = run(*PLAY, "--transcript", "u.txt", text="nothing\n")
    assert unfinished.exit_code == 0
    assert "No transcript yet" in unfinished.stdout
    assert not Path("u.txt").exists(), "it would show hidden cards"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("seed: 5", "seed: 6", "this differs"),
        ("seed: 5", "seed: five", "`seed: five` is no number"),
        ("players: 2", "players: 3", "the head does not fit the spec"),
        ("option hands = hidden", "option hands = shut", "the head does not fit the spec"),
        ("option hands = hidden", "option hands = open", "this differs"),
        ("digest: ", "digest: 0", "its text has changed since"),
        ("cardgame transcript 1", "cardgame transcript 2", "this is no transcript"),
        ("players: 2\n", "", "its head does not say `players: ..`"),
        ("outcome: The players reach", "outcome: The players lose", "this differs"),
        ("player 1: discard", "player 2: discard", "it is not player 2's turn"),
        ("player 1: discard", "player 1: steal", "is not legal there"),
    ],
)
def test_a_changed_transcript_fails_with_the_line(old: str, new: str, said: str) -> None:
    run(*PLAY, "--seat", "1=random", "--transcript", "t.txt")
    text = Path("t.txt").read_text(encoding="utf-8")
    assert old in text
    Path("t.txt").write_text(text.replace(old, new, 1), encoding="utf-8")
    result = run("replay", "t.txt")
    assert result.exit_code == 1
    assert said in result.stderr
    assert "Traceback" not in result.output


def test_a_transcript_that_breaks_off_or_goes_on_fails() -> None:
    run(*PLAY, "--seat", "1=random", "--transcript", "t.txt")
    lines = Path("t.txt").read_text(encoding="utf-8").splitlines()
    Path("t.txt").write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    assert f"t.txt:{len(lines)}: the file ends early" in run("replay", "t.txt").stderr
    Path("t.txt").write_text("\n".join([*lines, "and more"]) + "\n", encoding="utf-8")
    assert f"t.txt:{len(lines) + 1}: the file continues" in run("replay", "t.txt").stderr
    Path("t.txt").write_text("", encoding="utf-8")
    assert run("replay", "t.txt").exit_code == 1


def test_a_save_hides_the_seed_and_the_cards_and_is_checked() -> None:
    run(*PLAY, text="discard nothing\nsave x.save\nquit\n")
    text = Path("x.save").read_text(encoding="utf-8")
    assert "discard" not in text
    assert '"seed"' not in text
    rng = random.Random(1)
    body = text.index("\n", text.index("Sealed")) + 1
    for _ in range(20):
        place = rng.randrange(body, len(text) - 1)
        damaged = text[:place] + ("A" if text[place] != "A" else "B") + text[place + 1 :]
        Path("y.save").write_text(damaged, encoding="utf-8")
        result = run("play", "--load", "y.save", text="")
        assert result.exit_code == 1, place
        assert "y.save: this saved play is damaged" in result.stderr
    Path("y.save").write_text(text[: len(text) // 2], encoding="utf-8")
    assert run("play", "--load", "y.save", text="").exit_code == 1
    Path("y.save").write_text(text[:-3] + "\n", encoding="utf-8")
    cut = run("play", "--load", "y.save", text="")
    assert (cut.exit_code, cut.stderr) == (1, "y.save: this saved play is damaged: it cannot be decoded\n")
    assert "no saved play" in run("play", "--load", write(Path("z.save"), "hello"), text="").stderr


def test_a_save_of_a_changed_spec_is_refused(tmp_path: Path) -> None:
    spec = write(tmp_path / "offers.cardgame", OFFERS)
    run("play", spec, "--seed", "1", "--option", "held=2", text="3\nsave x.save\nquit\n")
    assert "You bid 3" in run("play", "--load", "x.save", text="").stdout
    write(tmp_path / "offers.cardgame", OFFERS.replace("0..9 = 0", "0..9 = 1"))
    result = run("play", "--load", "x.save", text="")
    assert result.exit_code == 1
    assert "the spec has changed" in result.stderr


def test_a_fault_of_the_rules_names_the_line_and_keeps_the_play(tmp_path: Path) -> None:
    spec = write(tmp_path / "faulty.cardgame", FAULTY)
    result = run("play", spec, "--seat", "1=random", "--seed", "1", "--transcript", "t.txt")
    assert result.exit_code == 1
    assert "error[CG803]" in result.stderr
    assert "deal exactly 12 from stock to shown" in result.stderr
    assert "Repeat it with: cardgame play " in result.stderr
    assert "fault: CG803" in Path("t.txt").read_text(encoding="utf-8")
    assert run("replay", "t.txt").exit_code == 0
    again = run("play", spec, "--seat", "all=random", "--seed", "1")
    assert again.exit_code == 1
    assert "error[CG803]" in again.stderr


def test_faults_before_the_first_decision_are_reported(tmp_path: Path) -> None:
    spec = write(tmp_path / "faulty.cardgame", OFFERS.replace("deal held from", "deal exactly 9 from"))
    result = run("play", spec, "--seat", "1=random", "--seed", "1")
    assert result.exit_code == 1
    assert "error[CG803]" in result.stderr


SPY = """cardgame 1

game "Undo"
    players 2
    at most 6 decisions

card Plain(n: 1..9) written "{n}"

deck in stock
    1 of each Plain

zones
    stock: pile, seen by nobody
    hand[player]: slot, seen by owner

state
    bid: 0..3 = 0

play
    shuffle stock
    deal 1 from stock to hand[players]
    player 1 chooses
        spy: show hand[player 2] to player 1
        offer n from 1..3: bid = n
        pass
    player 1 chooses
        stay
        leave

result
    score p = 0
"""


@pytest.mark.parametrize(
    ("typed", "taken_back"),
    [("spy\nundo\n", False), ("offer 2\nundo\ny\n", True), ("pass\nundo\ny\n", True), ("pass\nundo\nn\n", False)],
)
def test_undo_among_several_people_needs_agreement_and_that_nobody_has_learned_anything(
    typed: str, taken_back: bool, tmp_path: Path
) -> None:
    spec = write(tmp_path / "spy.cardgame", SPY)
    said = run("play", spec, "--seat", "2=human", "--seed", "1", text=typed).stdout
    assert ("Taken back." in said) is taken_back
    assert ("a player has learned something since; that cannot be taken back" in said) is typed.startswith("spy")
    assert ("It stays as it is." in said) is ("n\n" in typed.rpartition("undo")[2][1:])


def test_a_single_person_may_take_back_what_they_saw(tmp_path: Path) -> None:
    spec = write(tmp_path / "spy.cardgame", SPY)
    assert "Taken back." in run("play", spec, "--seed", "1", text="spy\nundo\n").stdout
