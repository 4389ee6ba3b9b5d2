"""The group of commands: help, exit codes, colour, and what is not the user's fault."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from cli.main import COMMANDS, main
from tests.cli.running import CHALICE, run, write


def command(name: str) -> click.Command:
    found = main.get_command(click.Context(main), name)
    assert isinstance(found, click.Command)
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert "Examples:" in result.output
    assert f"cardgame {name}" in result.output


def test_every_option_says_what_it_is_for() -> None:
    for param in (param for name in COMMANDS for param in command(name).params):
        if isinstance(param, click.Option):
            assert param.help or isinstance(param.type, click.Choice), param.name


def test_every_command_is_documented() -> None:
    root = Path(__file__).parents[2]
    pages = [root / "README.md", *sorted((root / "docs").glob("*.md"))]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    assert [name for name in COMMANDS if f"cardgame {name}" not in text] == []


def test_help_needs_neither_the_language_nor_rich() -> None:
    """Of the language it needs only what tells which characters print."""
    code = (
        "import sys\nfrom click.testing import CliRunner\nfrom cli.main import main\n"
        "assert CliRunner().invoke(main, ['--help']).exit_code == 0\n"
        "ours = ('lark', 'rich', 'attrs', 'interpreter', 'grammar', 'games')\n"
        "used = {m for m in sys.modules if m.partition('.')[0] in ours}\n"
        "print(sorted(used - {'grammar', 'grammar.fingerprint', 'grammar.printable'}))\n"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout.strip() == "[]"


def test_an_unknown_command_is_answered_with_the_nearest() -> None:
    result = run("ply", CHALICE)
    assert result.exit_code == 2
    assert "did you mean `play`?" in result.stderr


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("play",), "name a game"),
        (("play", "chalice_and_want"), "did you mean `chalice_and_wand`?"),
        (("play", "kuhn_pokr"), "did you mean `classics/kuhn_poker`?"),
        (("play", "no/such/file"), "there is no spec `no/such/file`"),
        (("play", CHALICE, "--players", "3"), "2 players, not 3"),
        (("play", CHALICE, "--players", "none"), "not a valid integer"),
        (("play", CHALICE, "--option", "hands"), "write NAME=VALUE"),
        (("play", CHALICE, "--option", "hand=open"), "did you mean `hands`?"),
        (("play", CHALICE, "--option", "hands=shut"), "one of open, hidden"),
        (("play", CHALICE, "--option", "hands=open", "--option", "hands=open"), "given twice"),
        (("play", CHALICE, "--seat", "3=human"), "there is no seat 3"),
        (("play", CHALICE, "--seat", "0=human"), "there is no seat 0"),
        (("play", CHALICE, "--seat", "1=robot"), "there is no agent `robot`; there are human, random,"),
        (
            ("play", CHALICE, "--seat", "one=human"),
            "write --seat N=WHO or all=WHO, such as --seat 2=search, not `one=human`",
        ),
        (("play", CHALICE, "--seat", "1=human", "--seat", "1=random"), "given twice"),
        (("play", CHALICE, "--actions", "missing.txt"), "there is no file `missing.txt`"),
        (("play", CHALICE, "--actions", os.devnull), f"`{os.devnull}` is a pipe or a device; write `-`"),
        (("validate", "."), "Error: `.` is a folder, not a spec"),
        (("test", __file__), f"Error: `{__file__}` has no scenarios"),
        (("play", CHALICE, "--actions", "."), "is a folder"),
        (("play", CHALICE, "--transcript", "."), "is a folder"),
        (("play", CHALICE, "--transcript", "no/folder/t.txt"), "there is no folder"),
        (("play", CHALICE, "--load", "missing.save"), "there is no file"),
        (("play", "--load", "x.save", "--seed", "1"), "leave them out with --load"),
        (("replay", "missing.txt"), "there is no file"),
        (("validate", "missing"), "there is no spec `missing`"),
        (("validate",), "Missing argument"),
        (("validate", CHALICE, "--format", "xml"), "is not one of"),
    ],
)
def test_wrong_usage_is_reported_with_exit_code_2(args: tuple[str, ...], said: str) -> None:
    result = run(*args)
    assert result.exit_code == 2, result.output
    assert said in " ".join(result.stderr.split())
    assert "Traceback" not in result.output


def test_a_folder_or_a_binary_file_is_no_spec(tmp_path: Path) -> None:
    assert run("validate", str(tmp_path)).exit_code == 2
    binary = tmp_path / "binary.cardgame"
    binary.write_bytes(bytes(range(256)))
    result = run("validate", str(binary))
    assert result.exit_code == 1
    assert "CG118" in result.stdout
    assert "\\x00" not in result.stdout
    assert run("play", str(binary)).exit_code == 1


def test_binary_actions_saves_and_transcripts_are_refused(tmp_path: Path) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00\x01")
    for args in (("play", CHALICE, "--actions", str(binary)), ("play", "--load", str(binary)),
                 ("replay", str(binary))):  # fmt: skip
        result = run(*args)
        assert result.exit_code == 2
        assert "is not text" in result.stderr


def test_our_own_mistakes_are_one_line_and_in_full_on_request(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> list[str]:
        raise TypeError("something\nis wrong")

    monkeypatch.setattr(import_module("interpreter.loader"), "bundled_games", broken)
    result = run("list")
    assert result.exit_code == 70
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("CG901 ")
    assert "TypeError: something is wrong" in result.stderr
    monkeypatch.setenv("CARDGAME_DEBUG", "1")
    assert "Traceback" in run("list").stderr


def test_ctrl_c_and_a_closed_pipe_end_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped() -> list[str]:
        raise KeyboardInterrupt

    monkeypatch.setattr(import_module("interpreter.loader"), "bundled_games", stopped)
    result = run("list")
    assert result.exit_code == 130
    assert result.stderr == "stopped\n"


INTERRUPTED_AFTERWARDS = """
import os, signal, sys
from cli.main import main
sys.argv = ["cardgame", "explain", "CG407"]
try:
    main()
finally:
    os.kill(os.getpid(), signal.SIGINT)
"""


def test_ctrl_c_after_a_command_ends_with_130_and_no_traceback() -> None:
    ended = subprocess.run([sys.executable, "-c", INTERRUPTED_AFTERWARDS], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (130, "")


def test_a_reader_that_goes_away_is_no_mistake() -> None:
    code = "from cli.main import main; main(['play', 'chalice_and_wand', '--seat', '1=random', '--seed', '1'])"
    root = Path(__file__).parents[2]
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=root
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=60) == 0
    assert errors == b""


def test_colour_comes_on_request_and_no_color_is_obeyed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = write(tmp_path / "bad.cardgame", "cardgame 1\nplay\n    nothing_here\n")
    assert "\x1b[" not in run("validate", spec).stdout
    assert "\x1b[" in run("--color", "always", "validate", spec).stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in run("--color", "auto", "validate", spec).stdout
    play = ("play", CHALICE, "--seat", "1=random", "--seed", "1")
    assert "\x1b[" in run("--color", "always", *play).stdout
    assert "\x1b[" not in run("--color", "never", *play).stdout
