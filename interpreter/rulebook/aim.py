"""The aim of a game in two sentences: who wins, and when a play ends.

Both are derived from the rules: the first from the result, the second from what the loops of the play wait for and
from the conditions in front of `end game`.  A mark that such a loop waits for is told by what sets it.  A game whose
play just has a last step is said to end with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from grammar import ast
from grammar import expressions as ex
from grammar import statements as st
from grammar.statements import Stmt
from interpreter.rulebook.lexicon import Scope
from interpreter.rulebook.page import Block, Heading, Paragraph
from interpreter.rulebook.statements import Statements
from interpreter.rulebook.words import Phrase, article, listing, sentence, title, winning

AIM = "aim"
"""What the two sentences explain, as an index of the book has it."""


class Aim:
    """Writes the aim."""

    def __init__(self, speech: Statements, play: ast.PlayDecl, result: ast.ResultDecl) -> None:
        self.speech = speech
        self.lexicon = speech.lexicon
        self.play = play
        self.result = result

    def blocks(self) -> list[Block]:
        """Return the chapter."""
        return [Heading("The aim"), *(Paragraph(sentence(t), (), (AIM,)) for t in (self.who_wins(), self.end()))]

    # ---- who wins

    def who_wins(self) -> str:
        """Return what everybody tries to reach."""
        lines = {line.what: line for line in self.result.lines}
        if self.lexicon.rules.cooperative:
            reached = (
                f"all play together, for as high a score as they can reach{self._worth(lines, 'score', 'returns')}"
            )
            return reached if "score" in lines else reached.replace("high a score", "much", 1)
        if "winners" in lines:
            shared = f"; {self.shared()}" if "stakes" in lines else ""
            return self._winners(lines["winners"].value) + shared
        if "stakes" in lines:
            return "the aim is to win what the others have staked"
        if self.lexicon.rules.num_players == 1:
            return f"the aim is to reach as much as possible{self._worth(lines, 'score', 'returns')}"
        if "score" in lines:
            return f"the aim is to have {self._most(lines['score'])}"
        return f"the aim is that the game is worth the most{self._worth(lines, 'returns')}"

    def _worth(self, lines: dict[str, ast.ResultLine], *which: str) -> str:
        """Return of what a score is made, where it is not a variable that is called so."""
        line = next((lines[name] for name in which if name in lines), None)
        if line is None or isinstance(line.value, ex.Chain):
            return ""
        scope = Scope()
        if line.player is not None:
            scope = scope.named(line.player, Phrase("one's", whose="one's"))
        told = self.speech.noun(line.value, scope)
        return "" if told.bare == line.what else f": {told.text}"

    def shared(self) -> str:
        """Return who gets what all have staked."""
        winners = next((line for line in self.result.lines if line.what == "winners"), None)
        if winners is not None and self.lexicon.sort(winners.value) == "player":
            return "the winner takes what all have staked"
        return "the winners share, in equal parts, what all have staked"

    def _most(self, line: ast.ResultLine) -> str:
        """Return what one must have most of: "the most tokens" where the score is a number of something."""
        worth = self._worth({line.what: line}, line.what)
        for number in (": one's number of ", ": the number of "):
            if worth.startswith(number):
                return f"the most {worth.removeprefix(number)}"
        return f"the highest score{worth}"

    def _winners(self, value: ex.Expr) -> str:
        if isinstance(value, ex.Name) and value.name in self.lexicon.defines:
            define = self.lexicon.defines[value.name]
            if not isinstance(define.value, ast.MatchValue):
                value = define.value
        if (sieved := self.speech.sieved_win(value, Scope())) is not None:
            return sieved
        match value:
            case ex.Extreme(by=ex.Attribute() | ex.Index() | ex.Call(), selection=selection):
                best = self.speech.best(value, Scope())
                among = "" if selection.where is None and self._is_everybody(selection.domain) else (
                    f" of {self.speech.things(selection, Scope(), many=True).many('all')}")  # fmt: skip
                return f"the aim is to have {best}{among} at the end"
            case ex.Chain():
                told = [self._link(link) for link in value.alternatives]
                return "; otherwise ".join(told)
        return winning(self.speech.noun(value, Scope()))

    def _link(self, link: ex.Alternative) -> str:
        told = winning(self.speech.noun(link.value, Scope()))
        return told if link.condition is None else f"if {self.speech.clause(link.condition, Scope())}, {told}"

    def _is_everybody(self, domain: ex.Expr) -> bool:
        return isinstance(domain, ex.Name) and domain.name == "players"

    # ---- when it ends

    def end(self) -> str:
        """Return when a play ends."""
        steps = self.play.block.statements
        scope, waits = Scope(), ""
        for number, stmt in enumerate(steps):
            match stmt:
                case st.Repeat(until=condition) | st.While(condition=condition):
                    negated = isinstance(stmt, st.While)
                    waits = self._waited(condition, scope, negated=negated)
                    then = [f"**{title(c.call.name)}**" for c in steps[number + 1 :] if isinstance(c, st.Do)]
                    if then:
                        waits += f"; {listing(then)} {'comes' if len(then) == 1 else 'come'} last"
            scope = self.speech.after(stmt, scope)
        sudden = self._conditions(lambda stmt: isinstance(stmt, st.End) and stmt.what == "game")
        if waits and sudden:
            return f"the game goes on until {waits}; it ends at once if {_either(sudden)}"
        if waits:
            return f"the game goes on until {waits}"
        done = "the game goes once through the steps of “The play”, and is over then"
        return f"{done}; it ends at once if {_either(sudden)}" if sudden else done

    def _waited(self, condition: ex.Condition, scope: Scope, *, negated: bool) -> str:
        """Return what a loop waits for; for a mark, what sets it."""
        match condition:
            case ex.Name(name=name) if name in self.lexicon.variables and not negated:
                set_by = self._conditions(lambda stmt: _sets(stmt, name))
                if set_by:
                    return _either(set_by)
        return self.speech.waited(condition, scope, negated=negated)

    def _conditions(self, wanted: object) -> list[str]:
        """Return the conditions under which a statement of some sort is carried out, in the order of the rules."""
        found: list[str] = []
        items = [i for i in self.lexicon.spec.items if isinstance(i, ast.PlayDecl | ast.PhaseDecl | ast.WheneverDecl)]
        for item in items:
            match item:
                case ast.WheneverDecl(selection=selection, condition=condition, body=body):
                    scope, lead = Scope(), ""
                    if selection is not None:
                        things = self.speech.things(selection, scope)
                        scope, lead = things.scope, self.speech.there_is(things)
                    elif condition is not None:
                        lead = self.speech.clause(condition, scope)
                    found += self._inside(body, scope, lead, wanted)
                case ast.PhaseDecl(params=params, block=block):
                    scope = Scope()
                    for param in params:
                        sort = self.lexicon.sort(param)
                        scope = scope.named(param.name, Phrase(article(self.speech.sort_noun(sort))))
                    found += self._inside(block.statements, scope, "", wanted)
                case ast.PlayDecl(block=block):
                    found += self._inside(block.statements, Scope(), "", wanted)
        return list(dict.fromkeys(found))

    def _inside(self, body: tuple[Stmt, ...], scope: Scope, lead: str, wanted: object) -> Iterator[str]:
        """Give the condition that stands next to each wanted statement of a body; `lead` is that of the body."""
        for stmt in body:
            if callable(wanted) and wanted(stmt):
                if lead:
                    yield lead
                continue
            match stmt:
                case st.If(condition=condition, then=then, otherwise=otherwise):
                    yield from self._inside(then, scope, self.speech.clause(condition, scope), wanted)
                    yield from self._inside(otherwise, scope, self.speech.clause(condition, scope, True), wanted)
                case st.For(selections=selections, body=inner):
                    behind = scope
                    for selection in selections:
                        behind = self.speech.things(selection, behind).scope
                    yield from self._inside(inner, behind, lead, wanted)
                case st.AtOnce(selection=selection, body=inner) | st.InTurn(selection=selection, body=inner):
                    yield from self._inside(inner, self.speech.things(selection, scope).scope, lead, wanted)
                case st.While(body=inner) | st.Repeat(body=inner) | st.Together(body=inner):
                    yield from self._inside(inner, scope, lead, wanted)
                case st.Match(cases=cases, otherwise=otherwise):
                    for case in cases:
                        yield from self._inside(case.body, scope, lead, wanted)
                    yield from self._inside(otherwise or (), scope, lead, wanted)
                case st.Choice(actions=actions):
                    for action in (*actions, *(() if stmt.otherwise is None else (stmt.otherwise,))):
                        behind = scope
                        for arg in action.args:
                            behind = self.speech.with_arg(arg, behind)
                        who = self.speech.text(stmt.player, scope)
                        chosen = f"{who} chooses *{action.verb.replace('_', ' ')}*"
                        yield from self._inside(action.body, behind, chosen, wanted)
                case _:  # No other holds statements.
                    pass
            scope = self.speech.after(stmt, scope)


def _sets(stmt: Stmt, name: str) -> bool:
    return isinstance(stmt, st.Assign) and stmt.target == ex.Name(name, span=stmt.target.span) and (
        stmt.value == ex.Bool(True, span=stmt.value.span))  # fmt: skip


def _either(conditions: list[str]) -> str:
    return ", or ".join(conditions)
