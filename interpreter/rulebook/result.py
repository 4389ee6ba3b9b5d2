"""The winner and the end of a play: two sentences at the head of the book, and the chapter on its end.

Both are derived from the rules: who wins from the result, when it ends from what the loops of the play wait for and
from the conditions of `end game`.  A note that such a loop waits for is replaced by the conditions that set it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from operator import itemgetter

import attrs

from grammar import ast
from grammar import expressions as ex
from grammar import statements as st
from grammar.english import counted
from grammar.expressions import operands, walk
from grammar.statements import Stmt
from interpreter.analysis.core import Variable
from interpreter.analysis.types import Optional
from interpreter.english.clauses import Clause, Condition, joined
from interpreter.english.phrases import YOU, Phrase, whose
from interpreter.english.words import LONGEST, article, number_of_words, plural, title, words
from interpreter.rulebook.lexicon import TEAM, Scope
from interpreter.rulebook.page import Block, Entry, Heading, Lines, Paragraph, chapter_mark
from interpreter.rulebook.statements import Statements, finished, round_of
from interpreter.rulebook.trees import own_tags, put, replaced
from interpreter.rulebook.values import Group

END = "End and scoring"
"""The title of the chapter."""
TIE = "tie"
"""The name under which the index has sentences on ties."""
_LAST_STEP = "the last step of the sequence of play"
AIM = "aim"
"""The name under which the index has the first sentences."""


@attrs.frozen
class _Lead:
    """When a part of the rules is carried out: the conditions that hold then, or the moment if it sets no further one.

    Each condition has the names that it reads.  The `elements` are those of loops around it that have no words outside.
    """

    moment: str = ""
    conditions: tuple[tuple[Condition, frozenset[str]], ...] = ()
    elements: frozenset[str] = frozenset()

    @property
    def has_words(self) -> bool:
        """Whether the conditions can be read outside of the loops around them."""
        return bool(self.moment) or not any(self.elements & names for _, names in self.conditions)

    @property
    def text(self) -> str:
        """The moment, or the conditions, as words."""
        conditions = [condition for condition, _ in self.conditions]
        if self.moment or not conditions:
            return self.moment
        said = [condition.text for condition in conditions]
        return ", and ".join(said) if any(" or " in text for text in said) else joined("and", conditions).text

    def under(self, condition: Condition, names: set[str]) -> _Lead:
        """Return the same with a further condition, which reads some names."""
        return attrs.evolve(self, moment="", conditions=(*self.conditions, (condition, frozenset(names))))

    def after(self, written: set[str]) -> _Lead:
        """Return the same after a rule has changed what has some names."""
        return attrs.evolve(self, conditions=tuple(pair for pair in self.conditions if not pair[1] & written))


class Result:
    """Writes who wins and when a play ends; `set_up` are the first steps of the play."""

    def __init__(
        self, speech: Statements, play: ast.PlayDecl, result: ast.ResultDecl, set_up: tuple[Stmt, ...]
    ) -> None:
        self.speech = speech
        self.lexicon = speech.lexicon
        self.play = play
        self.result = result
        self.lines = {line.what: line for line in result.lines}
        self.set_up = set_up

    # ---- the aim

    def aim(self) -> Paragraph:
        """Return how to win, as the head of the book has it."""
        entries = [entry for entry in self.who_wins() if TIE not in entry.names]
        tags = tuple(dict.fromkeys(t for e in entries for t in e.tags))
        text = " ".join(e.text for e in finished(tuple(entries)))
        return Paragraph(text, tags, (AIM,))

    def who_wins(self) -> list[Entry]:
        """Return who wins, and what happens in a tie."""
        if self.lexicon.rules.cooperative:
            return [Entry("together, reach as high a score as you can")]
        if "winners" in self.lines:
            return self._winners(self.lines["winners"])
        tags = own_tags(self.lines["score"]) if "score" in self.lines else ()
        if self.lexicon.rules.num_players == 1:
            return [Entry("reach as high a score as you can", tags)]
        if "stakes" in self.lines and "score" not in self.lines:
            return [Entry("win what the others have staked", tags)]
        line = self.lines["returns"] if "returns" in self.lines else self.lines["score"]
        tags = tuple(dict.fromkeys((*tags, *own_tags(line))))
        line = self.lines["score"] if self._follows_score(line) else line
        side = TEAM if self._is_of_team(line) else "player"
        return [Entry(f"the {side} with the {self._compared(line)} wins", tags), *self._ties(side=side)]

    def _is_of_team(self, line: ast.ResultLine) -> bool:
        """Whether a line says the same of all players of a team: it reads the player only for their team."""
        parts = list(walk(line.value))
        own = ex.Name(line.player or "", span=line.span)
        read = sum(part == own for part in parts)
        return (
            read == sum(isinstance(part, ex.Call) and part.name == TEAM and part.args == (own,) for part in parts) > 0
        )

    def _follows_score(self, line: ast.ResultLine) -> bool:
        """Whether the score decides: a line is the score, or the lead of one of two sides over the other in it."""
        teams = self.lexicon.rules.teams
        score = self.lines.get("score")
        if score is None or line.what == "score":
            return False
        named_alike: dict[str, ex.Expr] = {score.player or "": ex.Name(line.player or "", span=line.span)}
        if put(score.value, named_alike, self.lexicon.info) == line.value:
            return True
        if not (self.lexicon.two or (teams is not None and len(teams.values) == 2)):
            return False
        match line.value:
            case ex.Arithmetic(op="-", left=own, right=other) if own == score.value and line.player == score.player:
                me = ex.Name(line.player or "", span=line.span)
                after = ex.Call("next", (me,), span=line.span)
                team = ex.Call(TEAM, (me,), span=line.span)
                of_team = {team: ex.Call("next", (team,), span=line.span)}
                return other in (
                    put(own, {me.name: after}, self.lexicon.info),
                    replaced(own, lambda n: of_team.get(n) if isinstance(n, ex.Call) else None, self.lexicon.info),
                )
        return False

    def _compared(self, line: ast.ResultLine) -> str:
        """Return what decides: "highest score", "lowest score", or the variable itself: "most tokens"."""
        value, which = line.value, "highest"
        if isinstance(value, ex.Negative):
            value, which = value.value, "lowest"
        variable = self._variable(value, line)
        if variable is None:
            return f"highest {'score' if line.what == 'score' else 'result'}"
        return self.speech.best(variable, which)

    def _variable(self, value: ex.Expr | ast.MatchValue, line: ast.ResultLine) -> Variable | None:
        """Return the number of each player or team that is the value of a line; None for all else."""
        match value:
            case ex.Index(
                base=base, indices=(ex.Name(name=who) | ex.Call(name="team", args=(ex.Name(name=who),)),)
            ) if who == line.player:
                variable = self.lexicon.info.symbol(base)
                return variable if isinstance(variable, Variable) else None
        return None

    def _ties(self, value: ex.Expr | None = None, side: str = "player") -> list[Entry]:
        """Return what happens if several of those who can win tie, or all do; None means all can win."""
        teams = self.lexicon.rules.teams
        if side == TEAM and teams is not None and len(teams.values) > 2:
            text = "tied teams share the win; if all teams tie, the game is a draw"
        elif self.lexicon.two or side == TEAM:
            text = f"if both {side}s tie, the game is a draw"
        else:
            everyone = "all players of the game tie"
            match value:
                case None | ex.Extreme(selection=ex.Selection(domain=ex.Name(name="players"), where=None)):
                    everyone = "all players tie"
            text = f"tied players share the win; if {everyone}, nobody wins: the game is a draw"
        return [Entry(text, (), (), (TIE,))]

    def _winners(self, line: ast.ResultLine) -> list[Entry]:
        value = line.value
        tags = own_tags(line)
        if isinstance(value, ex.Name) and value.name in self.lexicon.defines:
            define = self.lexicon.defines[value.name]
            if not isinstance(define.value, ast.MatchValue):
                value = define.value
                self.speech.opened.add(define.name) if self.lexicon.uses[define.name] == 1 else None
        match value:
            case ex.Name(name=name) if words(name) == "winner" and (text := self._becomes(name)):
                return [Entry(text, tags)]
            case ex.NoneValue():
                return [Entry("nobody wins: the game is a draw", tags)]
            case ex.Call(name="members", args=(team,)) if "members" not in self.lexicon.defines:
                return [self._wins(team, tags)]
            case ex.Chain():
                return self._by_case(value, tags)
            case ex.Extreme(ties=True, by=ex.TupleValue(items=(first, *others))) if (
                self.lexicon.sort(first) == "boolean"
            ):
                return self._first_of(value, first, others, tags)
        if isinstance(value, ex.All) and self._most_left(value) == 1:
            return [Entry(f"{self.speech.group(value.selection, Scope()).one.text} wins", tags)]
        entries = [self._wins(value, tags)]
        if isinstance(value, ex.Name) and isinstance(self.lexicon.info.type(value), Optional):
            entries.append(Entry("if there is none, nobody wins: the game is a draw", (), (), (TIE,)))
        return entries + self._ties(value) if self._may_tie(value) else [*entries, *self._draw(value)]

    def _becomes(self, name: str) -> str:
        """Return who becomes the winner and when, where one statement says so of one player; "" for all else."""
        note = ex.Name(name, span=self.result.span)
        sets = [n for n in self.lexicon.nodes if isinstance(n, st.Assign) and ex.equal(n.target, note)]
        sets = [n for n in sets if not isinstance(n.value, ex.NoneValue)]
        by = [*self._conditions(lambda stmt: stmt in sets)] if len(sets) == 1 else []
        if len(by) != 1 or not by[0] or not isinstance(self.lexicon.info.symbol(sets[0].value), Variable):
            return ""
        return f"{self.speech.text(sets[0].value, Scope())} becomes the winner if {by[0]}"

    def _may_tie(self, value: ex.Expr) -> bool:
        return isinstance(value, ex.Extreme) and value.ties

    def _draw(self, value: ex.Expr) -> list[Entry]:
        """Return that all may win together, which is a draw."""
        if self.lexicon.sort(value) != "players" or self._most_left(value) < self.lexicon.rules.player_range[0]:
            return []
        everyone = "both" if self.lexicon.two else "all"
        return [Entry(f"if {everyone} players win in this way, the game is a draw", (), (), (TIE,))]

    def _most_left(self, winners: ex.Expr) -> int:
        """Return how many winners there can be; fewer than players if nothing but that ends the play."""
        most = self.lexicon.rules.player_range[1]
        *_, last = self.play.block.statements
        if not isinstance(last, st.Repeat) or any(
            isinstance(n, st.End) and n.what == "game" for n in self.lexicon.nodes
        ):
            return most
        match last.until:
            case ex.Compare(op="==" | "<=", left=ex.Call("count", (those,)), right=ex.Number(value=left)):
                same = isinstance(those, ex.Name) and those.name in self.lexicon.defines and (
                    ex.equal(self.lexicon.defines[those.name].value, winners))  # fmt: skip
                return left if same or ex.equal(those, winners) else most
        return most

    def _wins(self, value: ex.Expr, tags: tuple[str, ...]) -> Entry:
        phrase = self.speech.noun(value, Scope())
        if isinstance(value, ex.Extreme) and value.ties:
            group = self.speech.group(value.selection, Scope())
            key = self.speech.key(value.by, value.selection.name, group, value.which)
            first, _, rest = key.partition(", and among equals ")
            text = f"the {group.one.head} with {first}{' ' + group.one.after if group.one.after else ''} wins"
            if rest:
                text += f"; if players tie, the one of them with {rest}"
            return Entry(text, tags)
        if number_of_words(phrase.text) > LONGEST - 4:
            return Entry(f"the winner{'s are' if phrase.plural else ' is'} {phrase.text}", tags)
        return Entry(f"{phrase.text} {'win' if phrase.plural else 'wins'}", tags)

    def _by_case(self, chain: ex.Chain, tags: tuple[str, ...]) -> list[Entry]:
        entries = []
        for lead, link in self.speech.links(chain, Scope()):
            made = self._wins(link.value, own_tags(link))
            entries.append(Entry(f"{lead}, {made.text}" if lead else made.text, made.tags))
        entries[0] = Entry(entries[0].text, tuple(dict.fromkeys((*tags, *entries[0].tags))))
        tied = next((a.value for a in chain.alternatives if self._may_tie(a.value)), None)
        return entries + (self._draw(chain) if tied is None else self._ties(tied))

    def _first_of(self, value: ex.Extreme, first: ex.Expr, others: list[ex.Expr], tags: tuple[str, ...]) -> list[Entry]:
        """Return who wins where those come first for whom a condition holds."""
        group = self.speech.group(value.selection, Scope())
        claim = self._claim(value, first, group)
        best = ", and then ".join(self.speech.key(o, value.selection.name, group, value.which) for o in others)
        only = [] if self.lexicon.two else [Entry(f"if there is only one {group.one.bare}, that player wins")]
        return [
            *only,
            Entry(f"{group.one.under('a').text} {claim} beats one {self._claim(value, first, group, 'lowest')}", tags),
            Entry(f"among {group.one.as_plural().bare} who are equal in this, the one with {best} wins"),
            *self._ties(value),
        ]

    def _claim(self, value: ex.Extreme, first: ex.Expr, group: Group, other: str = "highest") -> str:
        held = self.speech.condition(first, group.scope.named(value.selection.name, whose(human=True)))
        return (held if value.which == other else held.negation()).text

    # ---- the end

    def blocks(self) -> list[Block]:
        """Return the chapter on the end and the score."""
        ends = finished(tuple(map(Entry, _together(self.ends()))))
        entries = [] if self.lexicon.rules.cooperative else self.who_wins()
        entries += [entry for line in self.result.lines for entry in self._line(line)]
        limit = self.lexicon.rules.max_decisions
        entries.append(Entry(f"after {limit} decisions the game stops without a result; a computer counts them"))
        named = (AIM,) if any(_LAST_STEP not in e.text for e in ends) else ()
        shown = Paragraph(" ".join(e.text for e in ends), (), (*named, *sorted(self.speech.ending)))
        return [Heading(END, 2, self.result.tags, (AIM,)), shown, Lines(finished(tuple(entries)))]

    def _line(self, line: ast.ResultLine) -> list[Entry]:
        tags = own_tags(line)
        scope = Scope().named(line.player, YOU) if line.player is not None else Scope()
        if line.what == "stakes":
            winners = self.lines.get("winners")
            alone = winners is not None and self.lexicon.sort(winners.value) == "player"
            shared = "the winners share all stakes equally, in fractions if needed"
            shared = "the winner takes all stakes" if alone else shared
            sure = alone and winners is not None and not isinstance(self.lexicon.info.type(winners.value), Optional)
            back = [] if sure else [Entry("if nobody wins, each player takes back their own stake")]
            return [Entry(shared, tags), Entry(f"your stake is {self.speech.text(line.value, scope)}"),
                    Entry("what you gain is what you take minus your own stake"), *back]  # fmt: skip
        if line.what == "winners" or self._follows_score(line):
            return []
        if line.what == "returns" and {"winners", "score"} <= self.lines.keys():
            return []  # Players at a table need no payoff.
        if "winners" not in self.lines and not self.lexicon.rules.cooperative:
            value = line.value.value if isinstance(line.value, ex.Negative) else line.value
            if self._variable(value, line):
                return []  # The sentence on who wins names it.
        whose_ = "the common" if self.lexicon.rules.cooperative else "your"
        what = f"{whose_} {'score' if line.what == 'score' else 'payoff' if 'winners' in self.lines else 'result'}"
        if isinstance(line.value, ex.Chain):
            return [Entry(f"{what} is:", line.tags, self.speech.chain_entries(line.value, scope))]
        if lines := self.speech.in_lines(line.value, scope):
            return [Entry(f"{what} is{lines.text}:", tags, lines.below)]
        text = self.speech.text(line.value, scope)
        if text == what:
            return [Entry("all scores count as they are at the end", tags)] if tags else []
        return [Entry(f"{what} is {text}", tags)]

    def ends(self) -> list[tuple[str, str]]:
        """Return when a play ends: for each condition the words before it and the condition."""
        made: list[tuple[str, str]] = []
        steps = self.play.block.statements
        scope = Scope()
        after = False
        sudden = self._conditions(lambda s: isinstance(s, st.End) and s.what == "game")
        for stmt in steps:
            match stmt:
                case st.Repeat(until=condition) | st.While(condition=condition) if stmt.span == self.speech.main_loop:
                    after = True
                    last = [s for s in steps[steps.index(stmt) + 1 :] if not isinstance(s, st.Say)]
                    then = "the game ends"
                    if last:
                        part = self._part(last[0], "")
                        then = f"{part} begins" if part else "the last steps begin"
                    if isinstance(stmt, st.While) or last or self.speech.clause(condition, scope) not in sudden:
                        made += self._waited(condition, scope, then, negated=isinstance(stmt, st.While))
                    made += [(f"the game ends after {self._part(last[-1], _LAST_STEP)}", "")] if last else []
            scope = self.speech.after(stmt, scope)
        short = [(text, where) for text, where in sudden.items() if text and number_of_words(text) <= LONGEST - 6]
        early = [chapter_mark(title(name)) for name in self.lexicon.carried_out(self.set_up)]
        made += [
            (
                f"the game ends {f'in {where}' if where else 'at once'}{', even in the set-up,' * (where in early)} if",
                text,
            )
            for text, where in short
        ]
        if len(short) < len(sudden):
            made.append(("a rule can end the game at once", ""))
        if not after:
            made.append((f"{'otherwise it' if made else 'the game'} ends after {self._last_step(steps)}", ""))
        return made

    def _last_step(self, steps: tuple[Stmt, ...]) -> str:
        """Return what a game ends after that waits for nothing: "5 deals", "the last deal"."""
        match [s for s in steps if not isinstance(s, st.Say)]:
            case [*_, st.For(selections=(selection,), body=(st.Do(call=call),))] if self.speech.round_noun == round_of(
                call.name
            ):
                noun = self.speech.round_noun
                match selection.domain:
                    case ex.RangeValue(low=ex.Number(value=1), high=ex.Number(value=high)) if selection.where is None:
                        return counted(high, noun, plural(noun))
                return f"the last {noun}"
        return _LAST_STEP

    def _part(self, stmt: Stmt, other: str) -> str:
        """Return the name of the phase that a step of the play carries out; `other` where it has none of its own."""
        match stmt:
            case st.Do(call=call) if not self.speech.is_brief(call.name):
                return chapter_mark(title(call.name))
        return other

    def _waited(self, condition: ex.Condition, scope: Scope, then: str, *, negated: bool) -> list[tuple[str, str]]:
        """Return what a loop waits for after what `then` happens; for a note, what sets it."""
        match condition:
            case ex.Name(name=name) if not negated and self._only_becomes_true(name):
                by = self._conditions(lambda stmt: _sets(stmt, name))
                if all(by):
                    return [(f"{then} after the {self.speech.round_noun} in which", text) for text in by]
            case ex.Logic(op="or", left=left, right=right) if not negated:
                return [found for side in (left, right) for found in self._waited(side, scope, then, negated=False)]
        text = self.speech.clause(condition, scope, negated=negated)
        noun = self.speech.round_noun
        when = "as soon as" if negated else f"if, at the end of {article(noun)},"
        if text == "always" and not negated:
            return [(f"{then} after the first {noun}", "")]
        if not negated and number_of_words(f"{then} {when} {text}") > LONGEST:
            return [(f"{then} if {text}. Check this at the end of each {noun}", "")]
        return [] if text == "never" else [(f"{then} {when}", text)]

    def _only_becomes_true(self, name: str) -> bool:
        """Say whether a note is set to yes and never to anything else."""
        sets = [
            n for n in self.lexicon.nodes if isinstance(n, st.Assign) and ex.Name(name, span=n.target.span) == n.target
        ]
        return bool(sets) and all(_sets(n, name) for n in sets)

    def _conditions(self, wanted: Callable[[ex.Node], bool]) -> dict[str, str]:
        """Return the conditions under which a statement of some sort is carried out, in the order of the rules.

        Each has the chapter in which it is looked at, or "" if a rule looks at it all the time.  The condition is "" if
        it is of an element of a loop.
        """
        found: dict[str, str] = {}
        items = [i for i in self.lexicon.spec.items if isinstance(i, ast.PlayDecl | ast.PhaseDecl | ast.WheneverDecl)]
        for item in items:
            match item:
                case ast.WheneverDecl(selections=selections, condition=condition, body=body):
                    there, scope = self.speech.there_are(selections, Scope())
                    lead = _Lead(there)
                    for part in () if condition is None else operands(condition, "and"):
                        match part:
                            case ex.Not(value=ex.Name(name=name)) if any(_sets(s, name) for s in body):
                                continue  # It has just become true.
                        lead = lead.under(self.speech.condition(part, scope), self.speech.names_read(part))
                    found |= dict.fromkeys((text for text, _ in self._inside(body, scope, lead, wanted)), "")
                case ast.PhaseDecl(params=params, block=block):
                    scope = Scope()
                    doer = self.speech.doer(item)
                    for param in params:
                        noun = self.speech.sort_noun(self.lexicon.sort(param))
                        acts = param is doer
                        scope = scope.named(param.name, Phrase("acting player", "the") if acts else Phrase(noun, "a"))
                    found |= dict(self._inside(block.statements, scope, _Lead(), wanted))
                case ast.PlayDecl(block=block):
                    found |= dict.fromkeys((t for t, _ in self._inside(block.statements, Scope(), _Lead(), wanted)), "")
        return found

    def _is_case(self, match: st.Match, patterns: tuple[ex.Pattern, ...], scope: Scope) -> Condition:
        """Return that the subject of a match is one of some patterns."""
        return Clause(self.speech.noun(match.subject, scope), "be", self.speech.cases_named(patterns, scope))

    def _inside(
        self, body: tuple[Stmt, ...], scope: Scope, lead: _Lead, wanted: Callable[[ex.Node], bool]
    ) -> Iterator[tuple[str, str]]:
        """Give the condition of each wanted statement of a body with its chapter; `lead` is that of the body."""
        for stmt in body:
            if wanted(stmt):
                chapter, _ = self.speech.steps.get(stmt.span, ("", None))
                if lead.text:
                    text = lead.text if lead.has_words else ""
                    yield text, "" if lead.moment or not chapter else chapter_mark(chapter)
                continue
            match stmt:
                case _ if not any(wanted(part) for part in walk(stmt)):
                    pass
                case st.If(condition=condition, then=then, otherwise=otherwise):
                    made, names = self.speech.condition(condition, scope), self.speech.names_read(condition)
                    yield from self._inside(then, scope, lead.under(made, names), wanted)
                    yield from self._inside(otherwise, scope, lead.under(made.negation(), names), wanted)
                case st.For(body=inner) | st.AtOnce(body=inner) | st.InTurn(body=inner):
                    within, outer = scope, lead
                    for selection in stmt.selections if isinstance(stmt, st.For) else (stmt.selection,):
                        one = self.speech.group(selection, within)
                        within = one.scope.named(selection.name, one.one.under("a")) if one.one.human else one.scope
                        if not one.one.human:
                            outer = attrs.evolve(outer, elements=outer.elements | {selection.name})
                    yield from self._inside(inner, within, outer, wanted)
                case st.While(body=inner) | st.Repeat(body=inner) | st.Together(body=inner):
                    yield from self._inside(inner, scope, lead, wanted)
                case st.Match(cases=cases, otherwise=otherwise_):
                    names = self.speech.names_read(stmt.subject)
                    for case in cases:
                        made = self._is_case(stmt, case.patterns, scope)
                        yield from self._inside(case.body, scope, lead.under(made, names), wanted)
                    others = tuple(pattern for case in cases for pattern in case.patterns)
                    made = self._is_case(stmt, others, scope).negation()
                    yield from self._inside(otherwise_ or (), scope, lead.under(made, names), wanted)
                case st.Choice(actions=actions):
                    for action in (*actions, *(() if stmt.otherwise is None else (stmt.otherwise,))):
                        within = scope
                        for arg in action.args:
                            within = self.speech.with_arg(arg, within, "the chosen")
                        chosen = f"{self.speech.noun(stmt.player, scope).text} chooses **{words(action.verb)}**"
                        yield from self._inside(action.body, within, attrs.evolve(lead, moment=chosen), wanted)
                case _:  # No other holds statements.
                    pass
            lead = lead.after(self.speech.written((stmt,)) & {*self.lexicon.zones, *self.lexicon.variables})
            scope = self.speech.after(stmt, scope)


def _together(ends: list[tuple[str, str]]) -> Iterator[str]:
    """Give sentences on when something happens: conditions after the same words are in one, as far as it has room."""
    ended = False
    for lead, pairs in groupby(ends, key=itemgetter(0)):
        said: list[str] = []
        for _, text in pairs:
            if said and number_of_words(f"{lead} {said[-1]} or {text}") <= LONGEST:
                said[-1] += f" or {text}"
            else:
                said.append(text)
        for number, text in enumerate(said):
            yield f"{lead.replace('the game ends', 'it also ends') if ended or number else lead} {text}".strip()
        ended |= "the game" in lead


def _sets(stmt: ex.Node, name: str) -> bool:
    return isinstance(stmt, st.Assign) and stmt.target == ex.Name(name, span=stmt.target.span) and (
        stmt.value == ex.Bool(True, span=stmt.value.span))  # fmt: skip
