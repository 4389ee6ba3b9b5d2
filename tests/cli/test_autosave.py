"""No play is lost: what ends a play before it is over leaves it to be taken up again."""

from __future__ import annotations

import os
import signal
import stat
from pathlib import Path

import pytest

from interpreter.records import autosave
from tests.cli.running import OFFERS, run, write
from tests.cli.terminal import Terminal

GAME = OFFERS.replace("    for p in players: offer(p)\n", "    for p in players: offer(p)\n" * 6)
"""Six rounds of offers, so that there is something to lose."""


@pytest.fixture
def spec(tmp_path: Path) -> str:
    return write(tmp_path / "offers.cardgame", GAME)


def kept() -> list[autosave.Resumable]:
    return autosave.resumable(None)


def said() -> list[str]:
    """Return what player 1 has said in the only unfinished play."""
    (found,) = kept()
    return [text for player, text in found.save.said if player == 0]


def killed(spec: str, *typed: str, how: int = signal.SIGKILL, args: tuple[str, ...] = ()) -> tuple[str, int]:
    """Play at a terminal until these lines have been answered, and end the program; return its last words."""
    terminal = Terminal("play", spec, "--seed", "3", "--seat", "2=random", *args)
    terminal.until("> ")
    for line in typed:
        terminal.type(line + "\r")
        terminal.until("you are player")
        terminal.until("> ")
    os.kill(terminal.process.pid, how)
    return terminal.end()


def leave(spec: str, *typed: str) -> Path:
    """Play as `killed`, but without a terminal, and leave what a killed program leaves; return the autosave."""
    before = set(folder().glob("*.play")) if folder().exists() else set()
    kept_end, autosave.Autosave.end = autosave.Autosave.end, autosave.Autosave.close  # type: ignore[method-assign]
    try:
        run("play", spec, "--seed", "3", "--new", text="".join(f"{line}\n" for line in typed))
    finally:
        autosave.Autosave.end = kept_end  # type: ignore[method-assign]
    (made,) = set(folder().glob("*.play")) - before
    return made


def folder() -> Path:
    found = autosave.folder()
    assert found is not None
    return found


def test_a_killed_play_is_offered_and_goes_on_where_it_was(spec: str) -> None:
    killed(spec, "bid 4", "bid 2")
    assert said() == ["bid 4", "bid 2"]
    terminal = Terminal("play", spec)
    assert "4 decisions: continue?" in terminal.until("or d to delete it]"), "two of each player"
    terminal.type("\r")
    terminal.until("you are player 1")
    terminal.until("> ")
    terminal.type("bid 9\r")
    terminal.until("You bid 9")
    terminal.until("> ")
    os.kill(terminal.process.pid, signal.SIGKILL)
    terminal.end()
    assert said() == ["bid 4", "bid 2", "bid 9"]


@pytest.mark.parametrize("how", [signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.soak)])
def test_a_signal_ends_the_play_with_a_word_on_how_to_go_on(spec: str, how: signal.Signals) -> None:
    words, code = killed(spec, "bid 4", how=how)
    assert code == 128 + how
    assert f"Stopped by {how.name}." in words
    assert "--resume" in words
    assert said() == ["bid 4"]
    assert not list(Path().glob("*.save"))


def test_a_play_that_goes_on_is_not_offered_to_another(spec: str) -> None:
    terminal = Terminal("play", spec, "--seed", "3", "--seat", "2=random")
    terminal.until("> ")
    terminal.type("bid 4\r")
    terminal.until("you are player")
    terminal.until("> ")
    assert kept() == []
    assert "no unfinished play" in run("play", spec, "--resume").stderr
    terminal.type("quit\r")
    terminal.end()
    assert said() == ["bid 4"], "quit keeps it"
    assert not list(Path().glob("*.save")), "no file appears unasked"
    run("play", spec, "--resume", text="save mine.save\nquit\n")
    assert list(folder().iterdir()) == [], "it is in the file"
    assert "cardgame play --load" not in run("play", spec, "--resume").stderr
    Path("mine.save").rename("offers.save")
    assert "one was saved here: cardgame play --load offers.save" in run("play", spec, "--resume").stderr


def test_without_a_terminal_the_command_that_continues_is_printed(spec: str) -> None:
    leave(spec, "bid 4")
    result = run("play", spec, "--seed", "3", text="")
    assert "--resume continues it, --new begins another" in result.stderr
    assert "You bid 4" not in result.stdout
    assert "unfinished" not in run("play", spec, "--new", text="").stderr
    resumed = run("play", spec, "--resume", text="bid 1\nquit\n")
    assert "You bid 4" in resumed.stdout
    assert "The play is saved." in resumed.stdout
    assert said() == ["bid 4", "bid 1"]


def test_only_matching_plays_are_offered(spec: str) -> None:
    leave(spec, "bid 4")
    for args in (("--players", "3"), ("--option", "held=2"), ("--seed", "4"), ("--seat", "2=human")):
        assert "no unfinished play" in run("play", spec, "--resume", *args, text="").stderr, args
        assert "unfinished" not in run("play", spec, *args, text="").stderr
    other = write(Path("other.cardgame"), GAME)
    assert "unfinished" not in run("play", other, text="").stderr
    for args in (("--players", "2"), ("--option", "held=1"), ("--seed", "3"), ("--seat", "1=human")):
        assert "--resume" in run("play", spec, *args, text="").stderr, args
    assert "You bid 4" in run("play", "--resume", text="").stdout, "the last of any spec"


def test_resume_new_and_load_exclude_each_other(spec: str) -> None:
    for args in (("--resume", "--new"), ("--load", "x", "--new"), ("--load", "x", "--resume")):
        assert run("play", spec, *args).exit_code == 2


def test_the_last_play_that_was_left_is_offered_first(spec: str) -> None:
    first, second = leave(spec, "bid 1"), leave(spec, "bid 2")
    os.utime(first, (1, 1))
    assert [one.name for one in kept()] == [second.name, first.name]
    assert "You bid 2" in run("play", spec, "--resume", text="").stdout


def test_a_play_that_is_over_leaves_nothing(spec: str) -> None:
    result = run("play", spec, "--seed", "3", text="bid 1\n" * 6)
    assert "The seed was 3" in result.stdout
    assert list(folder().iterdir()) == []


def test_what_is_taken_back_is_not_there_any_more(spec: str) -> None:
    leave(spec, "bid 4", "bid 2", "undo", "bid 7")
    assert said() == ["bid 4", "bid 7"]


def test_nobody_else_can_read_it_and_a_glance_shows_nothing(spec: str) -> None:
    made = leave(spec, "bid 4")
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder().stat().st_mode) == 0o700
    text = made.read_text(encoding="ascii")
    assert "bid" not in text
    assert "seed" not in text
    made.chmod(0o666)
    assert kept() == [], "somebody else may have written it"
    made.chmod(0o600)
    link = folder() / made.name.replace("-", "-1", 1)
    link.symlink_to(made)
    assert len(kept()) == 1


def test_a_line_that_was_not_written_to_its_end_is_left_out_and_written_over(spec: str) -> None:
    made = leave(spec, "bid 4", "bid 2")
    whole = made.read_bytes()
    starts = [n for n, byte in enumerate(whole) if byte == ord("\n")]
    for size in range(starts[3] + 1, len(whole) + 1):
        made.write_bytes(whole[:size] + b"\0" * (size % 3))
        (found,) = kept()
        assert len(found.save.said) == sum(size > start for start in starts[4:]) + 1, size
    made.write_bytes(whole[:-5])
    run("play", spec, "--resume", text="bid 8\n")
    assert said()[0] == "bid 4"
    assert said()[-1] == "bid 8"


def test_a_spec_that_has_changed_says_so(spec: str) -> None:
    leave(spec, "bid 4")
    write(Path(spec), GAME.replace("0..9 = 0", "0..9 = 1"))
    result = run("play", spec, "--resume", text="")
    assert result.exit_code == 1
    assert "the spec has changed" in result.stderr


@pytest.mark.parametrize("trouble", ["full", "a file", "off"])
def test_a_play_that_cannot_be_kept_goes_on(trouble: str, spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if trouble == "full":
        monkeypatch.setattr(os, "write", _full)
    elif trouble == "a file":
        folder().parent.parent.mkdir(parents=True, exist_ok=True)
        folder().parent.write_text("", encoding="utf-8")
    else:
        monkeypatch.setenv(autosave.SETTING, "off")
    result = run("play", spec, "--seed", "3", text="bid 1\n" * 6)
    assert result.exit_code == 0, result.output
    assert "The seed was 3" in result.stdout
    assert result.stdout.count("not kept as it goes") == (trouble != "off")


def _full(*_: object) -> int:
    raise OSError(28, "No space left on device")


def test_what_could_not_be_written_is_written_with_what_comes_next(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    calls = iter(range(100))
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda *given: _full() if next(calls) in (2, 3) else real(*given))
        leave(spec, "bid 4", "bid 2", "bid 7", "bid 8")
    assert next(calls) > 5
    assert said() == ["bid 4", "bid 2", "bid 7", "bid 8"]


def test_what_is_left_does_not_grow_without_end(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autosave, "MOST_KEPT", 3)
    for number in range(5):
        os.utime(leave(spec, f"bid {number}"), (number + 1, number + 1))
    assert sorted(one.save.said[0][1] for one in kept()) == ["bid 2", "bid 3", "bid 4"]


def test_bytes_that_are_no_text_and_lines_without_end_do_not_lose_a_play(spec: str) -> None:
    from click.testing import CliRunner

    from cli.main import main

    result = CliRunner().invoke(main, ["play", spec, "--seed", "3"], input=b"bid 4\nbid \xff\n\xc3\nbid 2\n")
    assert result.exit_code == 0, result.output
    assert "\\xff" in result.output
    assert said() == ["bid 4", "bid 2"]
    for text in (
        "bid 4\n" + "x" * 20_000,
        "bid 4\n" + "\n" * 300,
        "bid 4\n" + "bid x\n" * 300,
        "bid 4\nbid " + "1" * 5_000 + "\n",
    ):
        result = run("play", spec, "--seed", "3", text=text)
        assert result.exit_code == 0
        assert "The play is not over" in result.output
        assert "The play is saved." in result.output


@pytest.mark.parametrize("name", ["\0", "x" * 300, "no/such/folder", ".", "a\0b", "/dev/full"])
def test_a_name_that_cannot_be_written_does_not_end_the_play(name: str, spec: str) -> None:
    result = run("play", spec, "--seed", "3", text=f"bid 4\nsave {name}\nbid 2\nquit\n")
    assert result.exit_code == 0, result.output
    assert "not saved: " in result.output
    assert "You bid 2" in result.output


def test_leaving_where_nothing_at_all_can_be_written_needs_a_second_quit(
    spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", _full)
    monkeypatch.setattr("grammar.files._replace", lambda *_: _full())
    result = run("play", spec, "--seed", "3", text="bid 4\nquit\nbid 2\nquit\n")
    words = " ".join(result.output.split())
    assert "`quit` again discards it" in words
    assert "You bid 2" in words, "the play goes on"
    assert "--resume" not in words
    assert result.exit_code == 2
    monkeypatch.undo()
    assert run("play", spec, "--seed", "3", text="bid 4\nquit\n").exit_code == 0


def test_a_save_is_written_whole_or_not_at_all(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run("play", spec, "--seed", "3", text="bid 4\nsave x.save\nquit\n")
    before = Path("x.save").read_bytes()
    monkeypatch.setattr(os, "fsync", _full)
    result = run("play", "--load", "x.save", text="bid 5\nsave x.save\n")
    assert "not saved: `x.save` cannot be written: no space left on device" in " ".join(result.output.split())
    assert Path("x.save").read_bytes() == before
    assert not list(Path().glob(".*"))
