"""The person at the terminal, as an agent: shows what they may see and reads what they do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from itertools import count, groupby, zip_longest
from typing import TYPE_CHECKING

import attrs
from rich.rule import Rule
from rich.segment import Segment, Segments
from rich.text import Text

from cli.terminal import pager
from cli.terminal.paint import Painter
from cli.terminal.rulebook_view import print_blocks
from cli.terminal.table import TableDrawing, wrapped
from grammar.english import counted
from interpreter.english.words import capital, listing
from interpreter.english.words import sentence as full_sentence
from interpreter.rulebook.page import Paragraph
from interpreter.table.choices import Choices, choices, in_short
from interpreter.table.digest import DigestLine, fitting, since_last_turn
from interpreter.table.help_text import COMMANDS, answer, general_help
from interpreter.table.narrator import EventNarrator
from interpreter.table.relevance import facts_of
from interpreter.table.understanding import Judge, Meant, understand
from interpreter.table.view import is_on_the_table, view
from interpreter.text.names import Names
from interpreter.text.texts import DONE

if TYPE_CHECKING:
    from rich.console import Console

    from cli.terminal.lines import Lines
    from interpreter.agents import AgentView
    from interpreter.engine.game import Game
    from interpreter.knowledge.events import Event
    from interpreter.table.information import InformationState, Slot
    from interpreter.table.reference import Reference


PATIENCE = 1_000
"""The most lines of a stream without a decision."""
NARROW = 20
"""The least width of a text, also at the right margin."""
NEWS = 3
"""The least number of lines about past events on the screen."""
MORE = "({} more: `log`)"
BLANKS_WITH_NEWS = 2
"""The empty lines for which there must be room before one of them follows the news; the first precedes the prompt."""
BETWEEN = 3
"""Columns between choices on one line."""
RULE = 6
"""The least length of the rule beside the heading of the table."""


class Left(Exception):  # noqa: N818 - these three are what happened, not what went wrong
    """A player leaves the table."""


class OutOfLines(Exception):  # noqa: N818
    """There is nothing more to read; `where` says where it ended."""

    def __init__(self, where: str) -> None:
        super().__init__(where)
        self.where = where


class TakenBack(Exception):  # noqa: N818
    """The play goes back to where so many small actions were made."""

    def __init__(self, decisions: int) -> None:
        super().__init__(decisions)
        self.decisions = decisions


@attrs.define(eq=False, slots=False)
class HumanAgent:
    """The seats of all people at one terminal.

    With `asks_all` a person must confirm even a single possible action.  Otherwise such an action is
    taken and shown, unless several people share the terminal: a skipped prompt would reveal to the others
    something.  `save` writes the play to a file of that name (None: a name of its own choice) and returns what to say;
    `undo_point` returns the number of small actions to go back to for a player, or why they cannot.  `names` are what
    the players are called.
    """

    game: Game
    console: Console
    lines: Lines
    people: tuple[int, ...]
    _save: Callable[[str | None], str]
    _undo_point: Callable[[int], int | str]
    asks_all: bool = attrs.field(default=False, kw_only=True)
    names: Names = attrs.field(factory=Names, kw_only=True)
    _hint: Callable[[AgentView, str], list[str]] | None = attrs.field(default=None, kw_only=True)
    _at_the_screen: int | None = attrs.field(default=None, init=False)
    _shown: dict[int | None, int] = attrs.field(factory=dict, init=False)
    _above: int = attrs.field(default=0, init=False)
    _taken: list[str] = attrs.field(factory=list, init=False)
    _notices: list[str] = attrs.field(factory=list, init=False)
    _explained: set[tuple[int, str]] = attrs.field(factory=set, init=False)

    def __attrs_post_init__(self) -> None:
        self.painter = Painter(self.game)
        self.takes_forced = not self.asks_all and len(self.people) == 1
        self.hides = len(self.people) > 1 and not self.game.perfect_information

    @cached_property
    def reference(self) -> Reference:
        """The rulebook of the game, for help, refusals and `why`."""
        from interpreter.table.reference import reference_of  # late: kept

        return reference_of(self.game)

    def act(self, seat: AgentView) -> int | tuple[int, ...]:
        """Return what the person does.  Raises Left, OutOfLines, TakenBack."""
        self._hand_over(seat.player)
        self.write_notices()
        info = seat.information()
        offered = choices(info)
        if self.takes_forced and len(offered.sentences) == 1:
            self._say_forced(info, offered.sentences[0], seat.explained_scores(info))
            return seat.read(offered.sentences[0])
        self._show(info, offered, scores=seat.explained_scores(info))
        words = (*offered.verbs, *offered.words)
        for attempt in count():
            line = self.lines.next(words)
            if line is None:
                raise OutOfLines(self.lines.where())
            if attempt == PATIENCE and not self.lines.alone:
                raise OutOfLines(f"{PATIENCE:,} lines decide nothing")
            line = line.strip()
            if not line and len(offered.sentences) == 1:
                line = offered.sentences[0]
            if self._commanded(seat, info, offered, line):
                continue
            meant = self.understood(seat, info, offered, line)
            if meant.actions is not None:
                if meant.text != line:
                    self.console.print(self.painter.paint(meant.text))
                return meant.actions
            self.lines.refused(meant.problem)
            for part in meant.problem.split("\n"):
                self._say(part)
        raise AssertionError("the loop only ends with an answer")

    def understood(self, judge: Judge, info: InformationState, offered: Choices, line: str) -> Meant:
        """Return what a line means, or in sentences why it means nothing that is legal."""
        takes_players = any(slot.what == "player" for part in offered.parts for slot in part.slots)
        meant = understand(judge, info, offered, self.names.take(line) if takes_players else line, self.reference)
        problem = self.names.put(self._narrator(info.seat).places_in(meant.problem))
        first, end, rules = problem.partition("\n")
        return attrs.evolve(meant, problem=full_sentence(first) + end + rules)

    def _say_forced(self, info: InformationState, sentence: str, scores: Mapping[int, str]) -> None:
        """Say that the only possible action is taken, after what has happened."""
        said = self._with_name(sentence)
        if self.console.file.isatty():  # The next table shows these events: it would leave the screen.
            self._taken.append(said)
        else:
            self._write(self.news(info), self._narrator(info.seat).explaining(info.events, scores))
            self.console.print(self.painter.paint(f"Only one action is possible: {said}.", "bold"))

    def _narrator(self, player: int | None) -> EventNarrator:
        return EventNarrator(self.game, player, self.names)

    # ---- commands

    def _commanded(self, seat: AgentView, info: InformationState, offered: Choices, line: str) -> bool:
        """Carry out a command, if the line is one; the game's own words come first."""
        if not line:
            self.console.print("Type a choice, or ? for help.")
            return True
        name, _, rest = line.removeprefix("/").partition(" ")
        if line.startswith("?"):
            name, rest = "?", line[1:].strip()
        if not line.startswith(("/", "?")) and name.lower() in (v.lower() for v in offered.verbs):
            return False
        match name.lower():
            case "?" | "help":
                self._help(info, offered, rest.strip())
            case "rules":
                self._rules(info, rest.strip())
            case "why":
                self._why(seat)
            case "hint" if self._hint is not None:
                for said in self._hint(seat, rest.strip()):
                    self._say(self.names.put(said))
            case "log":
                self._log(info, seat.explained_scores(info))
            case "table" | "hand":
                self._show(info, offered, news=False, whole=rest.strip().lower() == "all")
            case "undo":
                self._undo(seat.player)
            case "save":
                self.console.print(self._save(rest.strip() or None))
            case "quit" | "exit":
                raise Left
            case _:
                if line.startswith("/"):
                    self.console.print(f"there is no command `{line}`; commands: {', '.join(COMMANDS)}")
                return line.startswith("/")
        return True

    def _help(self, info: InformationState, offered: Choices, word: str) -> None:
        if word:
            self._page(
                lambda: print_blocks(answer(self.reference, self._narrator(info.seat), offered, word), self.console)
            )
            return
        named = any(map(self.game.texts.long_name, range(self.game.num_faces)))
        for line in general_help(offered, names=named).split("\n"):
            self._say(line)

    def _rules(self, info: InformationState, word: str) -> None:
        """Show the rulebook, from the chapter on that is played now, or from what explains a word."""
        reference = self.reference
        first = reference.place_of(word) if word else reference.chapter(info)
        if first is None:
            self.console.print(f"The rulebook has nothing of its own on `{word}`; `? {word}` looks for it in the text.")
            return
        blocks = reference.book.blocks
        if word and not self.console.file.isatty():  # There is no pager to begin at a line.
            print_blocks(blocks[first : reference.end_of_part(first)], self.console)
            return
        before = self._rendered(lambda: print_blocks(blocks[:first], self.console)) if first else ""
        text = self._rendered(lambda: print_blocks(blocks, self.console))
        pager.show(self.console, text, before.count("\n") + 2 if first else 1)

    def _why(self, seat: AgentView) -> None:
        """Show the rules that caused the player's last decision and all that has happened since."""
        rules = list(self.reference.why(seat.reasons(), self._narrator(seat.player)))
        if not rules:
            self.console.print("Nothing has changed yet.")

        def write() -> None:
            for line in rules:
                self._say(line, "dim" if line.startswith("    ") else "")

        self._page(write)

    def _log(self, info: InformationState, scores: Mapping[int, str]) -> None:
        """Show all that has happened, with the end of it first on the screen."""
        narrator = self._narrator(info.seat).explaining(info.events, scores)
        self._page(lambda: self._write(info.events, narrator), at_end=True)

    def _page(self, write: Callable[[], object], *, at_end: bool = False) -> None:
        """Write something; in the pager, if it is longer than the screen."""
        text = self._rendered(write)
        lines, height = text.count("\n"), self.console.size.height
        if lines < height - 1:
            self.console.file.write(text)
        else:
            pager.show(self.console, text, lines - height + 2 if at_end else 1)

    def _rendered(self, write: Callable[[], object]) -> str:
        """Return what would be written."""
        with self.console.capture() as captured:
            write()
        return captured.get()

    def _undo(self, player: int) -> None:
        """Take back the last decision, where the others at the table agree.  Raises TakenBack, OutOfLines."""
        point = self._undo_point(player)
        if isinstance(point, int) and self._others_agree(player):
            self._shown.clear()
            self._taken.clear()
            raise TakenBack(point)
        self.console.print("It stays as it is." if isinstance(point, int) else point)

    def _others_agree(self, player: int) -> bool:
        for other in self.people:
            if other != player:
                question = f"{self.names.of(other)}, may {self.names.of(player)} take back the last decision? [y/N] "
                answer = self.lines.next((), capital(question))
                if answer is None:
                    raise OutOfLines(self.lines.where())
                if answer.strip().lower() not in ("y", "yes"):
                    return False
        return True

    # ---- showing

    def greet(self, welcome: str) -> None:
        """Write a welcome, and the aim, which stay on the screen with the first table."""

        def write() -> None:
            self.console.print(welcome)
            print_blocks(map(Paragraph, facts_of(self.game).aim), self.console, spaced=False)

        self._write_above(write)

    def notify(self, notice: str) -> None:
        """Write a sentence to the whole table, with the next prompt if people play."""
        self._notices.append(notice)
        if not self.people:
            self.write_notices()

    def write_notices(self) -> None:
        """Write what the table has not been notified of, which stays on the screen with the next table."""
        notices, self._notices = self._notices, []
        for notice in notices:
            self._write_above(partial(self._say, notice))

    def _write_above(self, write: Callable[[], object]) -> None:
        text = self._rendered(write)
        self.console.file.write(text)
        self._above += text.count("\n")

    def _hand_over(self, player: int) -> None:
        """Let the next person sit down alone, where several share the screen."""
        if self.hides and self._at_the_screen != player and self.lines.alone:
            self.wipe()
            called = self.names.of(player)
            self.console.print(f"{called[0].upper()}{called[1:]}, press Enter when you are alone.")
            if self.lines.next((), "") is None:
                raise OutOfLines(self.lines.where())
            self.wipe()
        self._at_the_screen = player

    def wipe(self) -> None:
        """Empty the screen, what has scrolled off it, and what was typed, where it shows what others may not see."""
        if not self.hides:
            return
        self.lines.forget()
        if self.console.is_terminal or self.lines.alone:
            self.console.file.write("\x1b[2J\x1b[3J\x1b[H")
            self.console.file.flush()

    def _show(
        self,
        info: InformationState,
        offered: Choices,
        *,
        news: bool = True,
        whole: bool = False,
        scores: Mapping[int, str] | None = None,
    ) -> None:
        """Show what has happened, the table and the choices.

        On a terminal the hand and the choices stay on the screen: what has happened gives way, and is in the log.
        """
        assert info.seat is not None
        head = f"{self.game.title}: you are {self.names.of(info.seat)}"
        fresh: list[DigestLine] = []
        if news:
            narrator = self._narrator(info.seat).explaining(info.events, scores or {})
            fresh = narrator.weighed(e for e in self.news(info) if not is_on_the_table(info, e))

        def drawn(*, dense: bool) -> str:
            return self._rendered(lambda: self.show_table(info, whole=whole, dense=dense))

        def asking(room: int | None) -> str:
            return self._rendered(lambda: self._ask(info, offered, room))

        table = drawn(dense=False)
        cards = self._new_cards(info) if news else {}
        shown = [*self._forced(), *fresh, *cards] if news else []
        every = len(shown)
        beside = len(head) + len(MORE.format(counted(every, "line"))) < self.console.width - RULE
        blanks = most_blanks = 2 + news
        if self.console.file.isatty():
            heights = [self._height(one.line) for one in shown]
            wanted = sum(heights)
            least = min(wanted, 1 if self._above else NEWS)
            height = self.console.size.height - 2  # But for the heading, and what is typed.
            prompt = asking(height - least - table.count("\n"))
            if not whole and table.count("\n") + prompt.count("\n") + least > height:
                table = drawn(dense=True)
                prompt = asking(height - least - table.count("\n"))
            room = height - table.count("\n")
            room -= self._above + prompt.count("\n")
            least = min(least + (not beside), max(room, 1))
            if wanted + blanks > room:
                blanks = min(max(room - least, 0), most_blanks - 1)
            if wanted + blanks > room:
                shown = fitting(shown, heights, max(room - blanks - (not beside), 1))
            self._above = 0
        else:
            prompt = asking(None)
        self._explained |= {(info.seat, ability) for line, ability in cards.items() if line in shown}
        every -= sum(line not in shown for line in cards)  # They are shown at the next prompt.
        left = MORE.format(counted(every - len(shown), "line")) if len(shown) < every else ""
        if blanks == most_blanks:
            self.console.print()
        self.console.print(Rule(f"{head} {left}" if left and beside else head, characters="─", style=""))
        if left and not beside:
            self._say(left)
        for one in shown:
            self._write_line(one.line)
        if news and blanks >= BLANKS_WITH_NEWS:
            self.console.print()
        self.console.file.write(table)
        if blanks:
            self.console.print()
        self.console.file.write(prompt)

    def _new_cards(self, info: InformationState) -> dict[DigestLine, str]:
        """Return the texts of cards with an ability that the player sees for the first time, by their lines."""
        assert info.seat is not None
        texts, abilities = self.game.texts, facts_of(self.game).card_texts
        found: dict[str, list[str]] = {}
        for face in sorted({face for zone in info.zones for face in zone.cards if face is not None}):
            text, name = texts.face(face), texts.long_name(face)
            ability = abilities.get(text)
            if ability is not None and (info.seat, ability) not in self._explained:
                found.setdefault(ability, []).append(f"{text} ({name})" if name else text)
        return {DigestLine(f"{listing(cards)}: {ability}", 0): ability for ability, cards in found.items()}

    def _forced(self) -> list[DigestLine]:
        """Return the forced actions of the player since their last prompt."""
        taken, self._taken = self._taken, []
        return [DigestLine(f"Only one action was possible: {'; '.join(taken)}.", 3)] if taken else []

    def _ask(self, info: InformationState, offered: Choices, room: int | None) -> None:
        """Write the prompt and the choices, which are side by side where they do not fit into `room` lines."""
        assert info.pending is not None
        prompt = self.painter.paint(self.names.put(full_sentence(info.pending.prompt)), "bold")
        self.console.print(prompt)
        left = None if room is None else room - len(prompt.wrap(self.console, self.console.width))
        self._show_choices(offered, self._narrator(info.seat), left)

    def show_table(self, info: InformationState, *, whole: bool = False, dense: bool = False) -> None:
        """Write the table."""
        TableDrawing(self.painter, view(info, self.names), whole=whole, dense=dense).draw(self.console)

    def news(self, info: InformationState) -> Sequence[Event]:
        """Return what a seat has not been shown yet; from its last decision on, where that is not known."""
        known = self._shown.get(info.seat)
        self._shown[info.seat] = len(info.events)
        fresh = known is None or known > len(info.events)
        return since_last_turn(info.events, info.seat) if fresh else info.events[known:]

    def narrate(self, events: Sequence[Event], narrator: EventNarrator) -> None:
        """Write what happened, and an empty line."""
        self._write(events, narrator)
        self.console.print()

    def _write(self, events: Sequence[Event], narrator: EventNarrator) -> None:
        for plain, lines in groupby(narrator.events(events), self._needs_no_layout):
            if plain:
                self.console.print(Segments(Segment(f"{line.rstrip()}\n") for line in lines), end="", crop=False)
            else:
                for line in lines:
                    self._write_line(line)

    def _needs_no_layout(self, line: str) -> bool:
        """Say whether a line is neither coloured nor broken: layout costs a hundred times as much as writing it."""
        width = max(self.console.width, NARROW) - 2
        return self.console.color_system is None and line.isascii() and line.isprintable() and len(line) <= width

    def _write_line(self, line: str) -> None:
        self._say(line, "" if line[:1].strip() else "dim")

    def _height(self, line: str) -> int:
        """Return how many lines of the screen a line about what happened takes."""
        return self._rendered(lambda: self._write_line(line)).count("\n")

    def _show_choices(self, choices: Choices, narrator: EventNarrator, room: int | None = None) -> None:
        if len(choices.sentences) == 1:
            only = self._with_name(choices.sentences[0])
            self._say(f"  Only one action is possible, Enter takes it: {only}")
            return
        if choices.by_parts:
            for part in choices.parts:
                verb = f"  {_plain(part.verb)}"
                if len(part.slots) == 1:
                    self._list(
                        verb + self._bounds(part.slots[0], narrator), self._words(part.slots[0], choices, narrator)
                    )
                    continue
                self._say(" ".join([verb, *(slot.caption.upper().replace(" ", "_") for slot in part.slots)]))
                for slot in part.slots:
                    bounds = "" if slot.what == "player" else self._bounds(slot, narrator)
                    self._list(f"    {slot.caption}{bounds}", self._words(slot, choices, narrator))
        else:
            width = len(str(len(choices.sentences)))
            for line in _columns(
                [
                    (f"{number:>{width}}  " if choices.numbered else "") + self._with_name(sentence)
                    for number, sentence in enumerate(choices.sentences, 1)
                ],
                room,
                self.console.width - 4,
            ):
                self._say(f"  {line}")
        if choices.examples:
            self._say("  for example: " + ", or ".join(_plain_verb(e) for e in choices.examples[:3]))

    def _bounds(self, slot: Slot, narrator: EventNarrator) -> str:
        """Return the form of an argument: ` (a player)`, ` (at most 3, from your hand)`."""
        if slot.what == "player":
            return " (a player)"
        place = "" if slot.place is None else f"from {narrator.place(slot.place)}"
        if slot.is_set and not place and slot.zones:
            place = f"from {listing([_plain(zone) for zone in slot.zones])}"
        said = ", ".join(part for part in (slot.bounds, place) if part)
        return f" ({said})" if said else ""

    def _words(self, slot: Slot, choices: Choices, narrator: EventNarrator) -> list[str]:
        """Return the words of a slot for reading: players with names, cards with the numbers that stand for them.

        After a card of which several equal ones lie there is how many.
        """
        if slot.what == "player":
            return [self._with_player(word, narrator) for word in slot.words]
        numbers = {card: f"{number} " for number, card in enumerate(choices.cards, 1)}
        times = {word: f" ({count})" for word, count in slot.times.items()}
        said = [w for w in slot.words if w != DONE] if numbers or times else in_short(slot.words)
        return [f"{numbers.get(word, '')}{self._with_name(word)}{times.get(word, '')}" for word in said]

    def _with_player(self, word: str, narrator: EventNarrator) -> str:
        player = narrator.number_of(f"player {word}")
        called = "" if player is None else narrator.player(player)
        return word if called in ("", f"player {word}") else f"{word} ({called})"

    def _say(self, line: str, style: str = "") -> None:
        """Write a line; where it is too long, what is left is a little more to the right."""
        indent = len(line) - len(line.lstrip())
        width = max(self.console.width - indent - 2, NARROW)
        for number, part in enumerate(self.painter.paint(line.lstrip(), style).wrap(self.console, width)):
            part.rstrip()
            self.console.print(Text(" " * (indent + 2 * bool(number))).append_text(part))

    def _list(self, verb: str, names: list[str]) -> None:
        """Write a verb and the words that can follow it, none broken at a line's end."""
        between = ", " if any(" " in name for name in names) else " "
        if len(verb) + 2 + sum(len(name) + len(between) for name in names) <= self.console.width:
            self._say(f"{verb}: {between.join(names)}" if names else verb)
            return
        self._say(f"{verb}:")
        for line in wrapped(names, self.console.width - 9, between):
            self._say(f"      {line}")

    def _with_name(self, sentence: str) -> str:
        """Return a sentence for reading: its verb in plain words, and the longer name of the card at its end."""
        faces = self.game.texts.by_text.get(sentence.rpartition(" ")[2].lower(), ())
        name = self.game.texts.long_name(faces[0]) if faces else ""
        return _plain_verb(sentence) + (f" {name}" if name else "")


def _columns(items: list[str], room: int | None, width: int) -> list[str]:
    """Return lines of items: one each, or as few columns as make them fit into `room` lines, as far as `width` goes."""
    lines = items
    for high in sorted({-(-len(items) // columns) for columns in range(1, len(items) + 1)}, reverse=True):
        columns = [items[first : first + high] for first in range(0, len(items), high)]
        widths = [max(map(len, column)) + BETWEEN for column in columns]
        if high < len(items) and (room is None or len(lines) <= room or sum(widths) - BETWEEN > width):
            break
        lines = [
            "".join(f"{item:<{size}}" for item, size in zip(line, widths, strict=False)).rstrip()
            for line in zip_longest(*columns, fillvalue="")
        ]
    return lines


def _plain(words: str) -> str:
    return words.replace("_", " ")


def _plain_verb(sentence: str) -> str:
    verb, space, rest = sentence.partition(" ")
    return _plain(verb) + space + rest
