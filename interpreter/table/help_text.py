"""The answers to `?` and `? WORD` at the table: the program's own words here, the game's from the rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.rulebook.page import Block, Paragraph, verbatim

if TYPE_CHECKING:
    from interpreter.table.choices import Choices
    from interpreter.table.narrator import EventNarrator
    from interpreter.table.reference import Reference

COMMANDS = {
    "?": "this help; `? WORD` says what the rules have on a card, a place, an action, ..",
    "rules": "the rulebook, open at what is played; `rules WORD` at a word",
    "why": "the rules that caused what has happened since you decided last",
    "hint": "what a program that looks ahead would do, what it expects of that, and of the alternatives",
    "log": "everything that has happened so far, as you saw it",
    "table": "show the table again; `table all` with every card, also what is empty or says nothing now",
    "undo": "take back your last decision, if no other person has decided since",
    "save": "write the play to a file: `save` or `save FILE`",
    "quit": "leave; `cardgame play` continues the play later",
}

WORDS = {
    "nothing": "means no cards, if a set of cards may be empty",
    "none": "means no cards, if a set of cards may be empty",
    "done": "ends a set of cards that another set follows",
    "yes": "answers a question",
    "no": "answers a question",
    "you": "is the player at the screen",
}
"""Words that can be typed or read in every game."""


def general_help(choices: Choices, *, names: bool) -> str:
    """Return what can be typed now; `names` says whether cards have longer names."""
    lines = ["Type what you do; the beginning of a word is enough:"]
    if choices.numbered:
        lines.append("  the number of a choice, or its words")
    elif choices.sentences:
        lines.append(f"  the words of a choice, such as `{choices.sentences[0]}`; numbers mean what they say")
    else:
        lines.append(f"  {' or '.join(f'`{e}`' for e in choices.examples[:3])}; numbers mean what they say")
    if len(choices.verbs) == 1:
        lines.append(f"  `{choices.verbs[0]}` may be left out")
    if several := choices.several():
        card, times = several
        lines.append(f"  `{card} ({times})` are {times} equal cards; `{card} {card}` chooses two of them")
    if names:
        lines.append("  a card by its text or by its name, in full or the beginning of it")
    lines.append("or a command (with `/` before it where the game has the same word):")
    width = max(map(len, COMMANDS))
    lines += [f"  {name:<{width}}  {text}" for name, text in COMMANDS.items()]
    return "\n".join(lines)


def answer(reference: Reference, narrator: EventNarrator, choices: Choices | None, word: str) -> list[Block]:
    """Return what a word means: a command, a player, a word of every game, a choice by its number, a rule."""
    low = word.lower().removeprefix("/")
    found: list[Block] = []
    if low in COMMANDS:
        found.append(Paragraph(f"**{low}**: {COMMANDS[low]}."))
    if low in WORDS:
        found.append(Paragraph(f"**{low}** {WORDS[low]}."))
    player = narrator.number_of(low)
    if player is not None:
        found.append(Paragraph(_player(narrator, player)))
    labels = {} if choices is None else choices.labels()
    if low.isdigit() and low in labels:
        found.append(Paragraph(f"**{low}** means the choice `{verbatim(labels[low])}` now."))
    found += reference.about(_named(narrator, low) or word, mentions=not found)
    if found:
        return found
    if low.lstrip("-").isdigit():
        return [Paragraph(f"**{low}** is a number; the prompt says of what.")]
    if reference.is_left_out(word):
        return [
            Paragraph(f"**{verbatim(word.replace('_', ' '))}** has no part in this play: its options leave it out.")
        ]
    near = reference.near(word)
    if near is not None and near.startswith(low):
        return reference.about(near)
    hint = f" Did you mean `{verbatim(near)}`?" if near else ""
    return [Paragraph(f"The rules do not speak of “{verbatim(word)}”.{hint}")]


def _named(narrator: EventNarrator, label: str) -> str:
    """Return the name in the spec of the place or variable that the table calls so: `your hand (left)` is `hand`."""
    for place, at in enumerate(narrator.game.data.places):
        if label in (narrator.place(place).lower(), narrator.place_without_owner(place).lower()):
            return at.zone
    for slot, of in enumerate(narrator.game.data.slots):
        if label in (narrator.variable(slot).lower(), narrator.variable_without_owner(slot).lower()):
            return of.variable
    return ""


def _player(narrator: EventNarrator, player: int) -> str:
    """Describe a player, and the player before them."""
    called = verbatim(narrator.called(player))
    you = ", and that is you" if narrator.you == player else ""
    count = narrator.game.num_players
    seat = f"**{called}** is player {player + 1} of {count}{you}." if called != f"player {player + 1}" else (
        f"**{called[:1].upper() + called[1:]}** is one of {count} players{you}.")  # fmt: skip
    following = verbatim(narrator.player((player + 1) % count))
    return seat if count == 1 else f"{seat} To their left {'you sit' if following == 'you' else f'sits {following}'}."
