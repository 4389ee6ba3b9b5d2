"""The labels of the nodes and edges of a state diagram, in the words of the spec."""

from __future__ import annotations

from grammar import expressions as terms
from grammar import statements as syntax
from grammar.ast import PhaseDecl, WheneverDecl
from grammar.unparse import text_of

LONGEST_ARGUMENT = 24
"""Characters of an argument that is written in the title of a phase; a longer one is left out."""
LONGEST_DOING = 32
"""Characters of what happens by itself on an edge; more than that is left out."""


def decision(choice: syntax.Choice, at_once: terms.Selection | None) -> tuple[str, ...]:
    """Return who decides, and between what."""
    who = text_of(choice.player)
    if at_once is not None:
        who = f"{text_of(at_once)}, all at once"
    elif choice.secretly:
        who += ", secretly"
    acts = [_act(action) for action in offered(choice)]
    return (f"{who}: {acts[0]}",) if len(acts) == 1 else (f"{who}:", *acts)


def offered(choice: syntax.Choice) -> tuple[syntax.Action, ...]:
    """Return the actions of a decision, the one that is left when no other is possible included."""
    return choice.actions if choice.otherwise is None else (*choice.actions, choice.otherwise)


def _act(action: syntax.Action) -> str:
    return " ".join([action.verb, ", ".join(_choice_of(a) for a in action.args)]).strip()


def _choice_of(arg: terms.Arg) -> str:
    """Return the label of an argument: without its name in the rules, and without its conditions."""
    match arg:
        case terms.CardArg():
            return "card"
        case terms.CardsArg(quantity=terms.Quantity(low=terms.Number(value=1), high=terms.Number(value=1))):
            return "1 card"
        case terms.CardsArg():
            # The words of a quantity are those of the language; only what follows them is cut off.
            return text_of(arg).partition(f" cards {arg.name} from ")[0] + " cards"
        case terms.ValueArg(domain=terms.RangeValue()):
            return text_of(arg.domain)
        case terms.ValueArg():
            return f"from {text_of(arg.domain)}"


def chance(stmt: syntax.Random | syntax.Shuffle) -> str:
    """Return what chance does."""
    match stmt:
        case syntax.Shuffle(into=None):
            return f"shuffle {text_of(stmt.cards)}"
        case syntax.Shuffle(into=into):
            return f"shuffle {text_of(stmt.cards)} into {text_of(into)}" if into is not None else ""
        case syntax.Random(arg=arg):
            kind = "card " if isinstance(arg, terms.CardArg) else ""
            what = f"{kind}{arg.name}" if stmt.into is None else text_of(stmt.into)
            return f"random {what} from {text_of(arg.domain)}"


def dealt(stmt: syntax.Deal) -> str:
    """Return what is dealt where."""
    return f"deal {text_of(stmt.count)} to {text_of(stmt.target)}"


def phase_title(phase: PhaseDecl, do: syntax.Do) -> str:
    """Return a phase as it is carried out: `redraw(p)`, or `redraw(p = leader)` where the names differ."""
    args = []
    for param, given in zip(phase.params, do.call.args, strict=True):
        text = text_of(given)
        args.append(param.name if text == param.name or len(text) > LONGEST_ARGUMENT else f"{param.name} = {text}")
    return f"{phase.name}({', '.join(args)})" if args else phase.name


def phase_head(phase: PhaseDecl) -> str:
    """Return a phase with its parameters, for where it is drawn separately."""
    return f"{phase.name}({', '.join(p.name for p in phase.params)})" if phase.params else phase.name


def called(do: syntax.Do) -> str:
    """Return a phase as the text carries it out."""
    return text_of(do.call)


def guard(condition: terms.Expr) -> str:
    """Return the label of a condition at an edge."""
    return f"[{text_of(condition)}]"


def case(found: syntax.Case) -> str:
    """Return the label of a case of a `match` at an edge."""
    return f"[{', '.join(text_of(p) for p in found.patterns)}]" if found.patterns else "[otherwise]"


def subject(stmt: syntax.Match) -> str:
    """Return what a `match` asks about."""
    return f"{text_of(stmt.subject)}?"


def each(stmt: syntax.For | syntax.InTurn) -> str:
    """Return what a loop goes through."""
    if isinstance(stmt, syntax.For):
        return f"each {', '.join(text_of(s) for s in stmt.selections)}"
    return f"in turn {text_of(stmt.selection)}"


def whenever(rule: WheneverDecl) -> str:
    """Return what a rule waits for."""
    if rule.selections:
        return f"whenever {', '.join(map(text_of, rule.selections))}"
    return f"whenever {text_of(rule.condition)}" if rule.condition is not None else "whenever"


def doing(block: tuple[syntax.Stmt, ...]) -> str:
    """Return what happens by itself, ` / over = true`, or nothing where that is too long for an edge."""
    parts = []
    for stmt in block:
        if isinstance(stmt, syntax.Assign):
            parts.append(f"{text_of(stmt.target)} {stmt.op} {text_of(stmt.value)}")
        elif isinstance(stmt, syntax.Do):
            parts.append(stmt.call.name)
        else:
            return ""
    text = "; ".join(parts)
    return f" / {text}" if parts and len(text) <= LONGEST_DOING else ""
