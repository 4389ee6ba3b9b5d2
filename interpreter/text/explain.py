"""Reasons of refusals: the rule that makes an action illegal, and its place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs

from grammar.english import counted
from grammar.source import Span
from interpreter.analysis import core
from interpreter.analysis.symbols import Local
from interpreter.analysis.types import Card, Int, base_of
from interpreter.engine.evaluate import ArgumentTest, action_tests
from interpreter.engine.faults import IllegalActionError
from interpreter.engine.logged import LoggedMachine, log_of
from interpreter.program.nodes import Alternative, Decision
from interpreter.text.reading import read
from interpreter.text.texts import DONE, NOTHING, word_for

if TYPE_CHECKING:
    from interpreter.engine.machine import Machine


@attrs.frozen
class Refusal:
    """Why a sentence is refused.  `span` and `tags` name the rule, where one refuses it; `action` is what is refused.

    `parts` are the parts of its conditions that fail, the innermost first, as far as the player can know them: nothing
    where it is another thing that fails, None where it is not known.  Shows only what the player who acts knows.
    """

    message: str
    span: Span | None = None
    tags: tuple[str, ...] = ()
    action: Span | None = None
    parts: tuple[Span, ...] | None = None

    def __str__(self) -> str:
        rule = f" [{', '.join(self.tags)}]" if self.tags else ""
        return f"{self.message}{rule}{self._line()}"

    def _line(self) -> str:
        if self.span is None:
            return ""
        text = re.sub(r"\s+(\[[^\]]*\]\s*)?(#.*)?$", "", self.span.source.line(self.span.line).strip())
        return f" ({self.span.location}: {text})"


def explain(state: Machine, text: str) -> Refusal:
    """Return why a sentence is not legal; its message is empty if it is."""
    try:
        read(state, text)
    except IllegalActionError as error:
        plain = Refusal(str(error), parts=())
    else:
        return Refusal("")
    words = text.replace(",", " ").split()
    node = state.decision()
    if node is None or not words:
        return plain
    matching = [a for a in node.open_ways if a.action.verb.lower() == words[0].lower()]
    for alternative in matching:
        refusal = _explain_alternative(state, node, alternative, words[1:])
        if refusal is not None:
            return attrs.evolve(refusal, action=alternative.action.span)
    return attrs.evolve(plain, action=matching[0].action.span) if matching else plain


def _explain_alternative(state: Machine, node: Decision, alternative: Alternative, words: list[str]) -> Refusal | None:
    action = alternative.action
    log = log_of(state).clone()
    if log.to_act != state.to_act or node.only is not None:
        return None
    tests = action_tests(log.game, node)[node.ways.index(alternative)]
    if tests.only_if is not None and not log.aside(tests.only_if):
        assert action.only_if is not None
        parts = _failing(log, action.only_if, {})
        return Refusal(f"`{action.verb}` is not possible now", action.only_if.span, action.tags, parts=parts)
    if alternative is node.otherwise and any(
        state.game.texts.shape_of(a).verb != action.verb for a in state.legal_actions()
    ):
        return Refusal(f"`{action.verb}` is possible only when nothing else is", action.span, action.tags)
    rest = list(words)
    taken: list[int] = []
    bound: dict[Local, Any] = {}
    for number, (arg, part) in enumerate(zip(action.args, tests.args, strict=True)):
        keep = len(action.args) - number - 1
        mine = [rest.pop(0)] if arg.form != "cards" and rest else rest[: len(rest) - keep]
        if arg.form == "cards":
            ends = next((place for place, word in enumerate(rest) if word.lower() == DONE), None)
            if ends is not None and any(later.form == "cards" for later in action.args[number + 1 :]):
                mine = rest[:ends]
                del rest[ends]
            del rest[: len(mine)]
        problem, value = _explain_arg(log, arg, action, mine, part, taken, bound)
        if problem is not None:
            return problem
        bound[arg.local] = value
        log.values[state.game.layout.local_slots[arg.local]] = value
        if arg.form != "value":
            taken += value if arg.form == "cards" else [value]
    if rest:
        much = f"`{' '.join(rest)}` is too much"
        return Refusal(much if action.args else f"{much}: nothing follows `{action.verb}`", parts=())
    return _explain_whole(log, action, bound)


def _explain_whole(log: LoggedMachine, action: core.Action, bound: dict[Local, Any]) -> Refusal | None:
    """Return the condition on all that is chosen that fails; of several that the player cannot judge, the first."""
    sets = [(core.over_chosen(a.on_set.condition, a.local), a.on_set.condition) for a in action.args if a.on_set]
    wholes = [(action.such_that, action.such_that)] if action.such_that is not None else []
    for judged, written in (*sets, *wholes):
        if parts := _failing(log, judged, bound):
            problem = "these cards together do not fit the rule" if sets else "this does not fit the rule"
            return Refusal(problem, written.span, action.tags, parts=parts)
    return None


def _failing(log: LoggedMachine, condition: core.Expr, bound: Mapping[Local, Any]) -> tuple[Span, ...]:
    from interpreter.table.reasons import failing_parts  # late: kept

    return tuple(part.span for part in failing_parts(log, condition, bound))


def _explain_arg(
    log: Any,
    arg: core.Arg,
    action: core.Action,
    words: list[str],
    part: ArgumentTest,
    taken: list[int],
    bound: Mapping[Local, Any],
) -> tuple[Refusal | None, Any]:
    texts = log.game.texts
    is_card = isinstance(base_of(arg.local.type), Card) or arg.form == "cards"
    items = list(part.domain(log, log.values, log.zones))
    if arg.form == "cards" and [w.lower() for w in words] in ([NOTHING], ["none"]):
        words = []
    chosen: list[int] = []
    for word in words:
        try:
            wanted = texts.meanings(word) if is_card else [texts.read_value(arg.local.type, word)]
        except IllegalActionError as error:
            return Refusal(str(error), parts=()), None
        if not is_card and isinstance(kind := base_of(arg.local.type), Int):
            wanted = [wanted[0] + (kind.low or 0)]
        faces = log.game.card_faces
        here = [i for i in items if (faces[i] if is_card else i) in wanted and not (is_card and i in (*taken, *chosen))]
        if not here:
            place = _where(log, arg, items) if is_card else ""
            if is_card and any(faces[c] in wanted for c in (*taken, *chosen)):
                problem = f"`{word}` is chosen already, and there is no other{place}"
            else:
                problem = f"there is no `{word}`{place}"
            return Refusal(problem, arg.domain.span, action.tags, parts=()), None
        if part.where is not None and not part.where(log, log.values, log.zones, here[0]):
            assert arg.where is not None
            parts = _failing(log, arg.where, {**bound, arg.each: here[0], arg.local: here[0]})
            return Refusal(f"`{word}` does not fit the rule", arg.where.span, action.tags, parts=parts), None
        chosen.append(here[0])
    if arg.form != "cards":
        return (None, chosen[0]) if chosen else (Refusal(f"say which {word_for(arg.local.type)}", parts=()), None)
    bounds = [None if bound is None else bound(log, log.values, log.zones) for bound in (part.low, part.high)]
    return _explain_count(arg, action, chosen, bounds)


def _explain_count(
    arg: core.Arg, action: core.Action, chosen: list[int], bounds: list[int | None]
) -> tuple[Refusal | None, Any]:
    count = len(chosen)
    low, high = bounds
    for bound, few, expr in ((low, True, arg.low), (high, False, arg.high)):
        if bound is None or expr is None or not (count < bound if few else count > bound):
            continue
        word = "exactly" if low == high else "at least" if few else "at most"
        return Refusal(f"choose {word} {counted(bound, 'card')}, not {count}", expr.span, action.tags), None
    return None, tuple(sorted(chosen))


def _where(log: Any, arg: core.Arg, items: list[int]) -> str:
    """Return where cards are chosen from, as the players call it: the place, or that it is among several."""
    if not items:
        return ", nor any other card to choose"
    places = {log.place_of(card) for card in items} if isinstance(arg.domain, core.ZoneRef) else set()
    if len(places) == 1:
        place = places.pop()
        owned = log.game.data.places[place].owner is not None
        return f" in {'' if owned else 'the '}{log.game.place_name(place)}"
    return " among the cards to choose from"
