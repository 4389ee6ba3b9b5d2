"""What `?` and `? WORD` answer at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.analysis import core
from interpreter.program.nodes import Decision

if TYPE_CHECKING:
    from cli.terminal.menu import Choices
    from grammar.source import Span
    from interpreter.runtime.game import Game

COMMANDS = {
    "?": "this help; `? WORD` explains an action, a card, a zone or an option",
    "table": "show the table again; `table all` with every card, also what is empty or says nothing now",
    "undo": "take back your last decision, if no other person has decided since",
    "save": "write the play to a file: `save` or `save FILE`",
    "quit": "leave; the play is saved",
}

KINDS = {"pile": "a pile in order", "cards": "cards in no order", "row": "a row in order", "slot": "a slot"}
"""Kinds of zones in words."""


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
    if names:
        lines.append("  a card by its text or by its name, in full or the beginning of it")
    lines.append("or a command (with `/` before it where the game has the same word):")
    width = max(map(len, COMMANDS))
    lines += [f"  {name:<{width}}  {text}" for name, text in COMMANDS.items()]
    return "\n".join(lines)


def about(game: Game, word: str) -> str:
    """Return what a word of the game means, or that it means nothing."""
    low = word.lower().removeprefix("/")
    if low in COMMANDS:
        return f"{low}: {COMMANDS[low]}"
    found = [*_actions(game, low), *_faces(game, low), *_places(game, low), *_declared(game, low)]
    return "\n".join(found) or f"`{word}` means nothing here; try the name of an action, a card, a zone or an option"


def _actions(game: Game, word: str) -> list[str]:
    actions: dict[core.Action, None] = {}
    for node in game.program.nodes:
        if isinstance(node, Decision):
            for alternative in node.open_ways:
                if alternative.action.verb.lower().replace("_", " ") == word.replace("_", " "):
                    actions.setdefault(alternative.action)
    lines = []
    for action in actions:
        rules = f"  [{', '.join(action.tags)}]" if action.tags else ""
        text = _line(action.span)
        lines.append(text if rules.strip() in text else text + rules)
        spans = [arg.on_set.condition.span for arg in action.args if arg.on_set is not None]
        lines += [_line(span) for span in spans if span.line != action.span.line]
    return lines


def _line(span: Span) -> str:
    """Return a line with its number and its file."""
    return f"{span.place}: {' '.join(span.source.line(span.line).split())}"


def _faces(game: Game, word: str) -> list[str]:
    lines: dict[str, None] = {}
    for face in game.texts.faces:
        if word not in (face.text.lower(), face.name.lower(), face.name.lower().removeprefix("the ")):
            continue
        kind = game.rules.kinds[face.kind]
        values = [
            f"{a.name.replace('_', ' ')} {game.texts.value(a.type, v)}"
            for a, v in zip(kind.attributes, face.values, strict=True)
        ]
        named = f" ({face.name})" if face.name and face.name != face.text else ""
        copies = "1 in the deck" if face.copies == 1 else f"{face.copies} in the deck"
        lines.setdefault(f"{face.text}{named}: a {face.kind.lower()}, {', '.join([*values, copies])}")
    return list(lines)


def _places(game: Game, word: str) -> list[str]:
    lines = []
    for zone in game.rules.zones:
        if zone.name.lower().replace("_", " ") != word.replace("_", " "):
            continue
        seen = {"all": "everybody", "owner": "its owner", "all but owner": "everybody but its owner"}
        who = seen.get(zone.seen_by, "nobody")
        lines.append(f"{zone.name.replace('_', ' ')}: {KINDS[zone.kind]}, seen by {who}")
        lines.append(_line(zone.span))
    return lines


def _declared(game: Game, word: str) -> list[str]:
    lines = []
    texts = game.option_texts()
    for option in game.rules.options:
        if option.name.lower() == word:
            behind = f": {option.text}" if option.text else ""
            lines.append(f"option {option.name} = {texts[option.name]}{behind}")
    spans = [(p.name, p.span) for p in game.rules.phases]
    spans += [(d.name, d.declaration.span) for d in game.rules.defines]
    for name, span in spans:
        if name.lower() == word:
            lines.append(_line(span))
    return lines
