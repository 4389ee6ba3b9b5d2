"""Turn the parse tree of a file of scenarios into its syntax tree; see `grammar.transform_expressions`."""

# The rule that a method is named after is its documentation, and gives it its arguments.
# ruff: noqa: D102, ARG002

from __future__ import annotations

from itertools import takewhile
from typing import Any

import attrs
from lark import Token
from lark.tree import Meta

from grammar import scenario as ast
from grammar.expressions import Call
from grammar.transform_statements import CallTransformer

VERSION = 1
_GIVENS = (ast.GivenValue, ast.GivenCards, ast.GivenCount, ast.GivenRest, ast.GivenRandom, ast.GivenNoRandom)


@attrs.frozen
class _Setup:
    """A set-up, apart from the scenarios."""

    lines: ast.Scenario


class ScenarioTransformer(CallTransformer):
    """One method a rule or alias of `scenario.lark`."""

    def start(self, meta: Meta, c: list[Any]) -> ast.ScenarioFile:
        (version, of, tags), *parts = c
        scenarios = tuple(part for part in parts if isinstance(part, ast.Scenario))
        setups = tuple(part.lines for part in parts if isinstance(part, _Setup))
        return ast.ScenarioFile(version, of, scenarios, setups, tags=tags, span=self.span(meta))

    def heading(self, meta: Meta, c: list[Any]) -> tuple[int, str, tuple[str, ...]]:
        self.check_version(c[0], VERSION, "scenarios")
        return self.integer(c[0]), c[1][1:-1], c[2]

    def setup(self, meta: Meta, c: list[Any]) -> _Setup:
        word, name, tags, *lines = c
        self.check_word(word, ("setup",), 'what several scenarios share begins with `setup "a name"`')
        return _Setup(self.scenario(meta, [name, tags, None, *lines]))

    def scenario(self, meta: Meta, c: list[Any]) -> ast.Scenario:
        name, tags, setup, players, *lines = c
        options = tuple(x for x in lines if isinstance(x, ast.OptionGiven))
        start, *steps = lines[len(options) :]
        givens = tuple(takewhile(lambda step: isinstance(step, _GIVENS), steps))
        rest = tuple(steps[len(givens) :])
        span = self.span(meta)
        return ast.Scenario(name[1:-1], setup, players, options, start, givens, rest, tags=tags, span=span)

    def begin_with(self, meta: Meta, c: list[Any]) -> str:
        self.check_word(c[0], ("setup",), 'begin with `setup "a name"`')
        return str(c[1])[1:-1]

    def players(self, meta: Meta, c: list[Any]) -> int:
        self.check_word(c[0], ("players",), "begin with `players 2`")
        return self.integer(c[1])

    def option(self, meta: Meta, c: list[Any]) -> ast.OptionGiven:
        return ast.OptionGiven(str(c[0]), c[1], tags=c[2], span=self.span(meta))

    def start_at(self, meta: Meta, c: list[Any]) -> Call:
        return self.called(c[0])

    # ---- what is given

    def given_value(self, meta: Meta, c: list[Any]) -> ast.GivenValue:
        self.check_target(c[0])
        return ast.GivenValue(c[0], c[1], tags=c[2], span=self.span(meta))

    def given_cards(self, meta: Meta, c: list[Any]) -> ast.GivenCards:
        return ast.GivenCards(c[0], c[1][1:-1], tags=c[2], span=self.span(meta))

    def given_count(self, meta: Meta, c: list[Any]) -> ast.GivenCount:
        zone, count, of, tags = c
        return ast.GivenCount(zone, count, of, tags=tags, span=self.span(meta))

    def given_rest(self, meta: Meta, c: list[Any]) -> ast.GivenRest:
        return ast.GivenRest(c[0], tags=c[-1], span=self.span(meta))

    def given_random(self, meta: Meta, c: list[Any]) -> ast.GivenRandom:
        return ast.GivenRandom(tuple(c[:-1]), tags=c[-1], span=self.span(meta))

    def given_no_random(self, meta: Meta, c: list[Any]) -> ast.GivenNoRandom:
        return ast.GivenNoRandom(tags=c[-1], span=self.span(meta))

    # ---- what is done

    def repeated(self, meta: Meta, c: list[Any]) -> ast.Repeated:
        times, word, tags, *steps = c
        self.check_word(word, ("times",), "write `repeat 3 times`")
        return ast.Repeated(self.integer(times), tuple(steps), tags=tags, span=self.span(meta))

    def does(self, meta: Meta, c: list[Any]) -> ast.Does:
        return ast.Does(c[0], c[1], tags=c[2], span=self.span(meta))

    def cannot(self, meta: Meta, c: list[Any]) -> ast.Cannot:
        return ast.Cannot(c[0], c[1], tags=c[2], span=self.span(meta))

    def can(self, meta: Meta, c: list[Any]) -> ast.Can:
        return ast.Can(c[0], c[1], tags=c[2], span=self.span(meta))

    def can_only(self, meta: Meta, c: list[Any]) -> ast.CanOnly:
        player, _, *sentences, tags = c
        return ast.CanOnly(player, tuple(sentences), tags=tags, span=self.span(meta))

    def chance_does(self, meta: Meta, c: list[Any]) -> ast.ChanceDoes:
        return ast.ChanceDoes(c[0][1:-1], tags=c[1], span=self.span(meta))

    def sentence(self, meta: Meta, c: list[Any]) -> ast.Sentence:
        return ast.Sentence(c[0], tuple(c[1:]), span=self.span(meta))

    def own_verb(self, meta: Meta, c: list[Token]) -> str:
        return str(c[0])

    # ---- what is expected

    def expect(self, meta: Meta, c: list[Any]) -> ast.Expect:
        return ast.Expect(c[0], tags=c[1], span=self.span(meta))

    def expect_cards(self, meta: Meta, c: list[Any]) -> ast.ExpectCards:
        return ast.ExpectCards(c[0], c[1][1:-1], tags=c[2], span=self.span(meta))

    def expect_to_act(self, meta: Meta, c: list[Any]) -> ast.ExpectToAct:
        return ast.ExpectToAct(c[0], tags=c[-1], span=self.span(meta))

    def expect_over(self, meta: Meta, c: list[Any]) -> ast.ExpectOver:
        return ast.ExpectOver(c[0] is None, tags=c[-1], span=self.span(meta))

    def expect_said(self, meta: Meta, c: list[Any]) -> ast.ExpectSaid:
        negated, word, text, tags = c
        self.check_word(word, ("said",), 'write `expect said "words"`')
        return ast.ExpectSaid(text[1:-1], negated is None, tags=tags, span=self.span(meta))

    def expect_shown(self, meta: Meta, c: list[Any]) -> ast.ExpectShown:
        negated, cards, _, player, tags = c
        return ast.ExpectShown(cards[1:-1], player, negated is None, tags=tags, span=self.span(meta))

    def expect_result(self, meta: Meta, c: list[Any]) -> ast.ExpectResult:
        what, player, op, value, tags = c
        self.check_word(what, ("score", "returns"), "write `score of` or `returns of`")
        word: Any = str(what)
        return ast.ExpectResult(word, player, str(op), value, tags=tags, span=self.span(meta))  # type: ignore[arg-type]

    def expect_winners(self, meta: Meta, c: list[Any]) -> ast.ExpectWinners:
        what, *players, tags = c
        self.check_word(what, ("winners",), "write `expect winners player 1`")
        return ast.ExpectWinners(tuple(players), tags=tags, span=self.span(meta))

    def expect_no_winners(self, meta: Meta, c: list[Any]) -> ast.ExpectWinners:
        self.check_word(c[0], ("winners",), "write `expect no winners`")
        return ast.ExpectWinners(tags=c[1], span=self.span(meta))

    def check_word(self, token: Token, words: tuple[str, ...], help_: str) -> None:
        """Report a word in a fixed slot that is none of those allowed."""
        if token not in words:
            self.report("CG123", f"`{token}` cannot stand here", self.span_of(token), help_)
